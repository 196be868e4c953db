import { z } from 'zod';

// Loaded only where there is a config: zod takes its time.

const text = z.string().min(1);

const matching = (pattern: RegExp, error: string) =>
  z.string().refine((value) => pattern.test(value), { error });

const duration = matching(
  /^\s*\d+(?:\.\d+)?(?:ms|s|m|h|d)?\s*$/,
  'must be a duration such as 90s, 10m or 1h',
);
const port = z.int({ error: 'must be a port, 1 to 65535' }).min(1).max(65_535);
const variable = matching(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  'is no name for a variable: letters, digits and underscores',
);

/** Names under which attempts are kept on the host, and targets are known here: never with an escape in them. */
const serverName = matching(
  /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,99}$/,
  'is no name for a server: letters, digits and _ . @ + - will do',
);
const targetName = matching(
  /^(?!local$)[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$/,
  'is no name for a target: letters, digits and _ . + - will do, and local is taken',
);

const value = z.union(
  [
    z.string(),
    z
      .strictObject({ 'from-env': variable.optional(), file: text.optional() })
      .refine((given) => Object.keys(given).length === 1, { error: 'takes one of from-env and file' }),
  ],
  { error: 'must be text, {from-env: NAME} or {file: PATH}' },
);

const step = z.union(
  [
    text,
    z
      .strictObject({ run: text.optional(), script: text.optional() })
      .refine((given) => Object.keys(given).length === 1, { error: 'takes one of run and script' }),
  ],
  { error: 'must be a command, {run: COMMAND} or {script: FILE}' },
);

const ssh = z.strictObject({
  config: text.optional(),
  identity: text.optional(),
  port: port.optional(),
  jump: text.optional(),
  transport: z.enum(['ssh', 'ssh2']).optional(),
  'accept-new': z.boolean().optional(),
});

/** What targets may have in common. */
const shared = {
  host: text.optional(),
  shell: z.boolean().optional(),
  env: z.record(variable, value).optional(),
  cwd: text.optional(),
  engine: text.optional(),
  before: z.array(step).optional(),
  timeout: duration.optional(),
  grace: duration.optional(),
  'read-only': z.boolean().optional(),
  ssh: ssh.optional(),
};

const target = z.strictObject({
  ...shared,
  name: serverName.optional(),
  command: z
    .union(
      [
        text,
        z.array(z.string()).refine(([program]) => Boolean(program), { error: 'must begin with a program' }),
      ],
      { error: 'must be a line for a shell, or a list of words' },
    )
    .optional(),
  log: text.optional(),
  port: port.optional(),
  container: text.optional(),
});

/** The config but for its `engines`, which have a schema of their own. */
export const configSchema = z.strictObject({
  theme: text.optional(),
  bell: z.boolean().optional(),
  title: z.boolean().optional(),
  defaults: z.strictObject(shared).optional(),
  targets: z.record(targetName, target).optional(),
});

export type ConfigData = z.infer<typeof configSchema>;
/** A target as it is written, with what `defaults` adds to it. */
export type TargetData = z.infer<typeof target>;
export type EnvValue = z.infer<typeof value>;
export type BeforeStep = z.infer<typeof step>;
