import { redacted } from './redacted.js';
import { isSecretName } from './secret-names.js';

/**
 * `text` without what is a secret by its own form (`hf_…`, `sk-…`, JWT), or by the form of what it stands in: URLs,
 * headers, environments as Kubernetes writes them.
 */
export function redactKnownForms(text: string): string {
  let out = text;
  for (const form of ownForms) out = out.replace(form, redacted);
  for (const form of behind) out = out.replace(form, `$1${redacted}`);
  for (const form of namedValues)
    out = out.replace(form, (whole: string, before: string, name: string) =>
      isSecretName(name, 'variable') ? before + redacted : whole,
    );
  return out;
}

const ownForms = [
  /\bhf_(?=[A-Za-z]*\d)[A-Za-z0-9]{8,}\b|\bhf_[A-Za-z0-9]{30,}\b/g,
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}|\bglpat-[\w-]{16,}/g,
  /\bnvapi-[\w-]{20,}|\bxox[abprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\bAKIA[0-9A-Z]{16}\b/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
];

/** What the first group is followed by. */
const behind = [
  /\b(Bearer\s+)(?!\*{3})[\w.~+/-]{8,}=*/g,
  // A password; a token in place of a user's name.
  /(:\/\/[^\s/:@]{0,64}:)[^\s/@]{1,256}(?=@)/g,
  /(\bhttps?:\/\/)[^\s/:@"'<>*]{16,256}(?=@)/g,
  // A signed URL, as of an object store, opens it to anybody.
  /([?&](?:sig|signature|x-(?:amz|goog)-signature)=)(?!\*{3})[^\s&"'<>\\]+/gi,
  // The working folder is `PWD` and `OLDPWD`.
  /\b((?!OLDPWD\b)[A-Z][A-Z0-9_]{0,48}PWD["']?[=:][ \t]?["']?)(?!\*{3})[^\s"',;)}\]&|]+/g,
  /\b(sshpass[ \t]+-p[ \t]*)(?!\*{3})\S+/g,
];

/** `{"name": "HF_TOKEN", "value": "…"}`; `setenv HF_TOKEN …` and `set -x HF_TOKEN …` of csh and fish. */
const namedValues = [
  /(\bname\\?["']?[ \t]?[:=][ \t]?\\?["']([A-Za-z_][\w.-]{0,63})\\?["'][ \t]?,[ \t]?\\?["']?value\\?["']?[ \t]?[:=][ \t]?\\?["'])[^"'\\]+/g,
  /(\b(?:setenv|set[ \t]+-\w+)[ \t]+([A-Z_][A-Z0-9_]{0,63})[ \t]+["']?)[^\s"';&|]+/g,
];
