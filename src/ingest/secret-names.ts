/** Where a name stands: `--name X`, `NAME=x` in capitals, or a field of a repr or of JSON. */
export type NameStyle = 'option' | 'variable' | 'field';

/**
 * Whether what bears this name is to be kept secret. Engines speak of tokens and keys all the time
 * (`max_total_num_tokens`, `eos_token`, `key_cache`), so whole words are looked at, and their neighbours.
 */
export function isSecretName(name: string, style: NameStyle): boolean {
  const words = wordsOf(name);
  if (words.some((word) => plainlySecret.has(word))) return true;
  if (words.some((word) => /^(?:api|auth|access|private)(?:key|token)s?$/.test(word))) return true;
  if (words.some((word) => /.(?:secret|password|passwd|passphrase)s?$/.test(word))) return true;
  if (isToken(words, style) || isKey(words, style)) return true;
  return style !== 'field' && (words.some(isGlued) || isPass(words));
}

/** `DB_PASS`, `--smtp-pass`; not `SINGLE_PASS`. */
const isPass = (words: readonly string[]): boolean =>
  words.some((word, at) => word === 'pass' && logsIn.has(words[at - 1] ?? ''));

const logsIn = new Set(
  'db database user login admin root basic auth http proxy ftp smtp mail email sql mysql postgres pg redis mongo ldap'.split(
    ' ',
  ),
);

/** `MYTOKEN`, `--authkey`: written as one word; not `EOSTOKEN`, `cachekey`. */
function isGlued(word: string): boolean {
  const [, rest = '', what = ''] = /^(.+)(token|key)$/.exec(word) ?? [];
  return what === 'token' ? !ofTheModel.has(rest) : what === 'key' && !finds.has(rest);
}

const plainlySecret = new Set([
  'secret',
  'secrets',
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'credential',
  'credentials',
]);

/** `token` beside one of these is a token of the model's vocabulary, or a number of them. */
const ofTheModel = new Set(
  `pad bos eos unk sep cls mask image video audio draft stop special new cached next num max min first last per prompt
  input output think thinking start end tool call added extra sampled accepted id ids usage count len length limit
  budget embedding embeddings type types pool size dim index prob probs logprob`.split(/\s+/),
);

function isToken(words: readonly string[], style: NameStyle): boolean {
  if (words.some((word) => ofTheModel.has(word))) return false;
  // Several are mostly those of a text: `--auth-tokens` is not.
  const several = words.indexOf('tokens');
  if (style !== 'field' && several > 0 && opens.has(words[several - 1] ?? '')) return true;
  return style === 'variable' ? words.includes('token') : words.at(-1) === 'token';
}

/** What stands before `key` where it opens something. */
const opens = new Set(
  `api access secret private auth encryption signing master admin service account openai anthropic hf wandb ssh aws azure
  license subscription shared session client server bearer refresh github gitlab hub`.split(/\s+/),
);

/** What stands before `key` where it only finds or sorts something. */
const finds = new Set(
  `cache sort routing group foreign primary partition attention kv query num hash dict state weight lora model index row
  lookup map tensor param prefix`.split(/\s+/),
);

function isKey(words: readonly string[], style: NameStyle): boolean {
  const at = words.findIndex((word) => word === 'key' || word === 'keys');
  if (at === -1) return false;
  const before = words[at - 1];
  if (before !== undefined && opens.has(before)) return true;
  if (style === 'field') return false;
  // `MY_KEY_2`, `STRIPE_KEY_LIVE`; not `KEY_CACHE`.
  if (at !== words.length - 1 && (style !== 'variable' || ofAKey.has(words[at + 1] ?? ''))) return false;
  return before === undefined || !finds.has(before);
}

/** What stands behind `key` where it is about one, and not its value. */
const ofAKey = new Set(
  `file path dir name id ids type size length len dim dims bits head heads value values cache count number states rotation
  format algorithm prefix index error errors`.split(/\s+/),
);

/** `maxTokens`, `max-tokens`, `MAX_TOKENS` → max, tokens. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
