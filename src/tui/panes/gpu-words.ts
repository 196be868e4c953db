import type { GpuPaneModel, GpuRow } from '../../core/view-models/gpus.js';
import type { Painter } from '../painter.js';
import { blanks, cut, textWidth, wrapWords } from '../text.js';

/**
 * What the kernel said of a GPU in full, below them all, where its own row has no room for that: `beside` its figures, or
 * `instead` of them where it is lost.
 */
export function wordsBelow(
  gpus: GpuPaneModel,
  columns: { readonly all: number; readonly beside: number; readonly instead: number },
  painter: Painter,
): readonly string[] {
  const { all } = columns;
  return gpus.rows.flatMap((row) => {
    const room = (row.fault === null ? columns.beside : columns.instead) - 2;
    const words = row.kernel === null ? '' : kernelWords(row, painter);
    if (textWidth(painter.clean(words)) <= room) return [];
    const head = `${painter.glyphs.warning} GPU ${row.index} `;
    return wrapWords(painter.clean(row.kernel ?? ''), all - head.length).map((line, index) =>
      painter.line(
        [
          ['bad', index === 0 ? head : blanks(head.length)],
          ['bad', line],
        ],
        all,
      ),
    );
  });
}

/** Whose GPU it is, and what the kernel said; what is wrong with it first. */
export const kernelWords = ({ fault, rank, kernel }: GpuRow, { glyphs }: Painter): string =>
  [fault, rank, kernel].filter((part) => part !== null).join(` ${glyphs.dot} `);

/** Of a long one the reason is cut, not how old the figures are. */
export function noteFor(note: string, width: number, { clean, glyphs }: Painter): string {
  const text = clean(note);
  const age = / [^ ] data [^·]* old$/u.exec(text)?.[0] ?? '';
  return textWidth(text) <= width
    ? text
    : cut(text.slice(0, text.length - age.length), width - textWidth(age), glyphs.more) + age;
}
