import { connectionError } from '../errors.js';

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

/** Answers nothing: for runs without a terminal. Each question is refused with what to do instead. */
export const noPrompts: Prompts = {
  canAsk: false,
  confirmHostKey: async ({ host }) => {
    throw unanswered(
      `Nobody can be asked whether the host key of ${host} is right.`,
      'Log in once by hand with ssh, or pass --accept-new.',
    );
  },
  passphrase: async (file) => {
    throw unanswered(
      `The key ${file} needs a passphrase and there is no terminal to ask on.`,
      `Unlock it first: ssh-add ${file}`,
    );
  },
  password: async (user, host) => {
    throw unanswered(
      `${host} wants a password for ${user} and there is no terminal to ask on.`,
      'Log in with a key: ssh-copy-id.',
    );
  },
  interactive: async ({ host }) => {
    throw unanswered(
      `${host} asks questions for the login and there is no terminal to answer on.`,
      'Run it in a terminal, or log in with a key.',
    );
  },
};

const unanswered = (message: string, hint: string) => connectionError('no-terminal', message, hint);
