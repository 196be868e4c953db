import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The user's editor, as git and others choose it; null where none is set. */
export const editorOf = (env: Readonly<Record<string, string | undefined>>): string | null =>
  env.VISUAL || env.EDITOR || null;

/**
 * Lets the user edit a text in `editor` (a line for a shell, as `code --wait` is one) on the terminal, which must be
 * free. Resolves with the text afterwards; rejects when the editor fails. The text may hold secrets: it lies in a file of
 * mode 0600 in a folder of its own, and is gone afterwards, also when this process exits meanwhile. Only a signal that
 * nothing here catches (SIGKILL) leaves it behind.
 */
export async function editText(text: string, editor: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'firedup-edit-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const file = join(folder, 'relaunch.yaml');
    writeFileSync(file, text, { mode: 0o600 });
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    // When the terminal goes away, an editor that stays must not keep this process, and with it the file.
    child.unref();
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        if (code === 0) resolve();
        else
          reject(
            new Error(
              `The editor (${editor}) ended with ${signal ?? `status ${code}`}; nothing was changed.`,
            ),
          );
      });
    });
    return readFileSync(file, 'utf8');
  } finally {
    process.off('exit', remove);
    remove();
  }
}
