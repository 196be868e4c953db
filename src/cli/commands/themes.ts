import { sanitize } from '../../ingest/sanitize.js';
import { themesPage } from '../../tui/theme-preview.js';
import { isDumb } from '../is-interactive.js';
import { jsonLine } from '../json-line.js';
import { screenLook } from '../screen-look.js';

/** `firedup themes`: each with the parts of the screen in its colours; into a pipe or on a dumb terminal the names alone. */
export function themes(options: { readonly json?: boolean }): void {
  const { themes: all, depth, glyphs } = screenLook(process.env, null);
  if (options.json) {
    process.stdout.write(`${jsonLine({ themes: all })}\n`);
    return;
  }
  if (!process.stdout.isTTY || isDumb(process.env)) {
    process.stdout.write(`${all.map(({ name }) => name).join('\n')}\n`);
    return;
  }
  const width = Math.min(100, process.stdout.columns || 80);
  process.stdout.write(`${themesPage(all, { depth, glyphs, sanitize }, width).join('\n')}\n`);
  process.stdout.write('`theme: NAME` in the config chooses one; T on the screen goes through them.\n');
}
