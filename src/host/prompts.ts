import { connectionError, type FiredupError } from '../errors.js';
import { plainText } from './plain-text.js';

/**
 * The questions that a login may ask. Whoever owns the terminal answers them; null or false means "no".
 * All texts are already free of control characters. Answers are never logged nor kept.
 */
export interface Prompts {
  /** False where nobody can answer: then no try at the server is kept back for passwords. */
  readonly canAsk: boolean;
  confirmHostKey(question: HostKeyQuestion): Promise<boolean>;
  /** `attempt` counts from 1; from 2 on the answer before was wrong. */
  passphrase(file: string, attempt: number): Promise<string | null>;
  password(user: string, host: string, attempt: number): Promise<string | null>;
  /** One round of keyboard-interactive: as many answers as there are prompts. */
  interactive(round: InteractiveRound): Promise<readonly string[] | null>;
}

export interface HostKeyQuestion {
  /** As `known_hosts` names it: `host`, `[host]:port` or the HostKeyAlias. */
  readonly host: string;
  /** `ssh-ed25519`, … */
  readonly type: string;
  /** `SHA256:…` as `ssh` prints it. */
  readonly fingerprint: string;
}

export interface InteractiveRound {
  readonly host: string;
  readonly name: string;
  readonly instructions: string;
  readonly prompts: readonly { readonly text: string; readonly echo: boolean }[];
}

/** One line that somebody is to type. Free of control characters. */
export interface Question {
  /** What stands above it: who asks, and what they say. */
  readonly heading: readonly string[];
  readonly text: string;
  /** Whether what is typed may be seen. */
  readonly echo: boolean;
}

/** Prompts whose questions all go to `ask`, one at a time; its null is "no answer". */
export function promptsBy(ask: (question: Question) => Promise<string | null>): Prompts {
  const secret = (text: string, attempt: number): Promise<string | null> =>
    ask({ heading: attempt > 1 ? ['That was wrong.'] : [], text, echo: false });
  return {
    canAsk: true,
    async confirmHostKey({ host, type, fingerprint }) {
      const heading = [
        `The host key of ${plainText(host)} is not known yet.`,
        `  ${plainText(type)} ${plainText(fingerprint)}`,
      ];
      const text = 'Is that its key? Type yes, or paste the fingerprint:';
      const answer = (await ask({ heading, text, echo: true }))?.trim();
      return answer === 'yes' || answer === fingerprint;
    },
    passphrase: (file, attempt) => secret(`Passphrase for ${plainText(file)}:`, attempt),
    password: (user, host, attempt) =>
      secret(`Password of ${plainText(user)} on ${plainText(host)}:`, attempt),
    async interactive({ host, name, instructions, prompts }) {
      const heading = [plainText(name), plainText(instructions, longestQuestion)].filter(
        (text) => text !== '',
      );
      const answers: string[] = [];
      for (const [index, { text, echo }] of prompts.entries()) {
        // As ssh does: a server's question never looks like one of ours.
        const question = `${host === '' ? '' : `(${plainText(host)}) `}${plainText(text, longestQuestion)}`;
        const answer = await ask({ heading: index === 0 ? heading : [], text: question, echo });
        if (answer === null) return null;
        answers.push(answer);
      }
      return answers;
    },
  };
}

/** Characters; second factors bring a menu along in their question. */
export const longestQuestion = 1000;

/** Answers nothing: for runs without a terminal. Each question is refused with what to do instead. */
export const noPrompts: Prompts = refusing(' and there is no terminal to ask on');

/** Answers nothing for now: for a reconnect while a screen is up, where somebody can be asked when they say so. */
export const heldPrompts: Prompts = refusing('');

function refusing(why: string): Prompts {
  const hint = (text: string): string | undefined => (why === '' ? undefined : text);
  return {
    canAsk: false,
    confirmHostKey: async ({ host }) => {
      throw unanswered(
        `Somebody must say whether the host key of ${host} is right${why}.`,
        hint('Log in once by hand with ssh, or pass --accept-new.'),
      );
    },
    passphrase: async (file) => {
      throw unanswered(`The key ${file} needs a passphrase${why}.`, hint(`Unlock it first: ssh-add ${file}`));
    },
    password: async (user, host) => {
      throw unanswered(
        `${host} wants a password for ${user}${why}.`,
        hint('Log in with a key: ssh-copy-id.'),
      );
    },
    interactive: async ({ host }) => {
      throw unanswered(
        `${host} asks questions for the login${why}.`,
        hint('Run it in a terminal, or log in with a key.'),
      );
    },
  };
}

function unanswered(message: string, hint: string | undefined): FiredupError {
  return connectionError('no-terminal', message, hint);
}
