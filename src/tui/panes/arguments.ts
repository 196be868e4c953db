import type { Painter } from '../painter.js';
import { textWidth, toWidth, wrapWords } from '../text.js';

/** Server arguments, one name and value a row; long values are wrapped. */
export function argumentRows(
  rows: readonly (readonly [string, string])[],
  width: number,
  painter: Painter,
): readonly string[] {
  if (rows.length === 0) return [painter.line([['dim', 'the log has not told its arguments yet']], width)];
  const widest = Math.max(...rows.map(([name]) => textWidth(painter.clean(name))));
  const nameWidth = Math.min(widest, Math.floor(width * 0.45)) + 2;
  return rows.flatMap(([name, value]) =>
    wrapWords(painter.clean(value), width - nameWidth).map((line, index) =>
      painter.line(
        [
          ['dim', toWidth(index === 0 ? painter.clean(name) : '', nameWidth)],
          ['text', line],
        ],
        width,
      ),
    ),
  );
}
