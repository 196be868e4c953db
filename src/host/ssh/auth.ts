import type { AnyAuthMethod, AuthHandlerMiddleware } from 'ssh2';
import { connectionError, FiredupError } from '../../errors.js';
import { LoginRefused } from '../login-refused.js';
import { plainText } from '../plain-text.js';
import { longestQuestion, type Prompts } from '../prompts.js';
import { type Identities, reasonOf } from './identities.js';
import { keyOffers } from './key-offers.js';
import { type LoginMethod, usualMethods } from './login-methods.js';
import type { Asking } from './one-key-agent.js';

export interface LoginAuth {
  readonly handler: AuthHandlerMiddleware;
  /** Why the login failed, with what was tried; `serverWords` is what the server said at the end. */
  failure(serverWords: string | null): FiredupError;
}

export interface LoginAuthOptions {
  readonly user: string;
  /** For prompts and messages. */
  readonly host: string;
  readonly identities: Identities;
  readonly prompts: Prompts;
  readonly asking: Asking;
  /** What the server announces (`announcedAlgorithms`). */
  readonly announced: () => readonly string[] | null;
  /** As the ssh config says, see `Destination`. */
  readonly methods: readonly LoginMethod[];
  readonly accepted: readonly string[];
  readonly requiredRsaBits: number;
  readonly passwordTries: number;
}

/**
 * Walks through the login methods: none (which tells what the server takes), then in the config's order, which usually is
 * public keys one by one → keyboard-interactive → password; at the end RSA keys once more with their other hash. A method
 * that the server does not take is skipped without a question.
 */
export function loginAuth(options: LoginAuthOptions): LoginAuth {
  const { user, host, prompts, asking, identities, passwordTries } = options;
  const tried: string[] = [];
  const skipped: string[] = [...identities.notes];
  const refusedPrompts: FiredupError[] = [];
  const rounds = { interactive: 0, password: 0 };
  let offered: readonly string[] | null = null;
  /** A signature went out and the answer was no: then it was probably one factor of several. */
  let signedKey = false;

  const missed = (what: string, error: unknown) => {
    if (error instanceof FiredupError) refusedPrompts.push(error);
    skipped.push(`${what}: ${reasonOf(error)}`);
  };

  const keys = keyOffers({
    ...options,
    keys: identities.keys,
    signed: () => {
      signedKey = true;
    },
    tried: (label) => tried.push(label),
    missed,
  });

  const interactive = (): AnyAuthMethod => ({
    type: 'keyboard-interactive',
    username: user,
    prompt: (name, instructions, _language, questions, finish) => {
      const texts = questions.map(({ prompt, echo }) => ({
        text: plainText(prompt, longestQuestion),
        echo: echo === true,
      }));
      const round = {
        host,
        name: plainText(name),
        instructions: plainText(instructions, longestQuestion),
        prompts: texts,
      };
      asking(prompts.interactive(round)).then(
        (answers) => {
          if (answers === null) rounds.interactive = passwordTries;
          finish([...(answers ?? texts.map(() => ''))]);
        },
        (error: unknown) => {
          missed('questions', error);
          rounds.interactive = passwordTries;
          finish(texts.map(() => ''));
        },
      );
    },
  });

  const password = async (): Promise<AnyAuthMethod | null> => {
    try {
      const answer = await asking(prompts.password(user, host, rounds.password));
      if (answer !== null) return { type: 'password', username: user, password: answer };
    } catch (error) {
      missed('password', error);
    }
    rounds.password = passwordTries;
    return null;
  };

  const nextKey = () => {
    // Where a password may follow, one try is kept back for it.
    const others = offered?.some((method) => method !== 'publickey') ?? false;
    return keys.next(prompts.canAsk && others ? maxAuthTries - 1 : maxAuthTries);
  };

  const nextInteractive = async (): Promise<AnyAuthMethod | null> => {
    if (rounds.interactive >= passwordTries) return null;
    if (prompts.canAsk) {
      rounds.interactive++;
      if (rounds.interactive === 1) tried.push('keyboard-interactive');
      return interactive();
    }
    rounds.interactive = passwordTries;
    await prompts
      .interactive({ host, name: '', instructions: '', prompts: [] })
      .catch((error: unknown) => missed('questions', error));
    return null;
  };

  const nextPassword = async (): Promise<AnyAuthMethod | null> => {
    if (rounds.password >= passwordTries) return null;
    rounds.password++;
    const method = await password();
    if (method !== null && rounds.password === 1) tried.push('password');
    return method;
  };

  const steps = { publickey: nextKey, 'keyboard-interactive': nextInteractive, password: nextPassword };

  const takes = (method: LoginMethod): boolean =>
    options.methods.includes(method) && (offered?.includes(method) ?? false);

  const choose = async (): Promise<AnyAuthMethod | false> => {
    const taken = options.methods.filter(takes);
    for (const name of taken) {
      const method = await steps[name]();
      if (method !== null) return method;
    }
    return (taken.includes('publickey') ? keys.nextHash(maxAuthTries) : null) ?? false;
  };

  return {
    handler(left, _partial, next) {
      if (left === null || signedKey) {
        // The first call; and after an accepted key, for ssh2 does not pass on what the server then still asks for.
        signedKey = false;
        offered = null;
        next({ type: 'none', username: user });
        return;
      }
      offered = left;
      choose().then(
        // `false` ends the login; the types do not know it.
        (method) => next(method as AnyAuthMethod),
        (error: unknown) => {
          missed('login', error);
          next(false as never);
        },
      );
    },
    failure(serverWords) {
      const said = serverWords === null ? '' : ` (${plainText(serverWords)})`;
      const attempts = tried.length === 0 ? 'nothing could be tried' : `tried: ${tried.join(', ')}`;
      // Those that the server's own limit kept back, and those that ours did.
      const untried = takes('publickey') ? keys.left() : 0;
      const left =
        untried === 0
          ? ''
          : `; ${untried} more key${untried === 1 ? ' was' : 's were'} not tried, for the server allows only a few`;
      const aside = skipped.length === 0 ? '' : `; not used: ${skipped.join('; ')}`;
      const accepts =
        offered === null ? '' : `; the server takes ${offered.map((name) => plainText(name, 40)).join(', ')}`;
      const allows =
        options.methods.length === usualMethods.length
          ? ''
          : `; the ssh config allows ${options.methods.join(', ') || 'nothing that we could do'}`;
      return connectionError(
        'login-failed',
        `${host} refused the login of ${user}${said}: ${attempts}${left}${aside}${accepts}${allows}.`,
        refusedPrompts[0]?.hint ?? 'Check the user name, and name the right key with -i or IdentityFile.',
        new LoginRefused(offered ?? [], refusedPrompts[0]?.message ?? null),
      );
    },
  };
}

// sshd_config(5): its MaxAuthTries unless changed.
const maxAuthTries = 6;
