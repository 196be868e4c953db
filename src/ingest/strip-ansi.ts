const CSI = /\x1b\[[0-?]*[ -/]*[@-~]/g;

/** `text` without ANSI control sequences (ECMA-48 CSI: colours, cursor movement) and nothing else removed. */
export function stripAnsi(text: string): string {
  return text.includes('\x1b[') ? text.replace(CSI, '') : text;
}
