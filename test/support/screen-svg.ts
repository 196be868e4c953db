import type { IBufferCell, Terminal } from '@xterm/headless';

/** What a terminal makes of the colours that a program leaves to it. */
export interface TerminalColors {
  readonly ground: string;
  readonly ink: string;
}

const dark: TerminalColors = { ground: '#16181d', ink: '#d5d8df' };

/** The terminal's screen as an SVG picture, with the colours of a common dark terminal, or with others. */
export function screenSvg(terminal: Terminal, colors: TerminalColors = dark): string {
  const width = terminal.cols * cellWidth + 2 * margin;
  const height = terminal.rows * cellHeight + 2 * margin;
  const rows = Array.from({ length: terminal.rows }, (_, y) => rowSvg(terminal, y, colors));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${fonts}" font-size="${fontSize}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${colors.ground}"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

const cellWidth = 8.43;
const cellHeight = 18;
const fontSize = 14;
const fonts = 'DejaVu Sans Mono, Menlo, Consolas, monospace';
const margin = 12;
const palette =
  '#16181d #f0717a #8fce7c #e5c07b #6aa9f4 #c792ea #5fc9d4 #d5d8df #6b7280 #ff8b92 #a8e395 #f5d491 #8bc0ff #ddb0ff #85e2ea #ffffff'.split(
    ' ',
  );

interface Look {
  readonly color: string;
  readonly ground: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  /** From another font in most places: it must not take its neighbours there. */
  readonly isBraille: boolean;
}

function rowSvg(terminal: Terminal, y: number, colors: TerminalColors): string {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + y);
  const out: string[] = [];
  let run = { start: 0, text: '', look: null as Look | null, width: 0 };
  const flush = (): void => {
    if (run.look !== null && (run.text.trim() !== '' || run.look.ground !== null))
      out.push(runSvg(run, run.look, y));
  };
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line?.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOf(cell, colors);
    if (run.look === null || JSON.stringify(look) !== JSON.stringify(run.look)) {
      flush();
      run = { start: x, text: '', look, width: 0 };
    }
    run.text += cell.getChars() || ' ';
    run.width += cell.getWidth();
  }
  flush();
  return out.join('');
}

/** Blanks at the ends are left out and those between are no-break ones: renderers fold the others. */
function runSvg(run: { start: number; text: string; width: number }, look: Look, y: number): string {
  const x = margin + run.start * cellWidth;
  const top = margin + y * cellHeight;
  const back =
    look.ground === null
      ? ''
      : `<rect x="${x.toFixed(1)}" y="${top}" width="${(run.width * cellWidth).toFixed(1)}" height="${cellHeight}" fill="${look.ground}"/>`;
  const weight = look.bold ? ' font-weight="bold"' : '';
  const opacity = look.dim ? ' opacity="0.6"' : '';
  const word = run.text.trimEnd();
  const text = word.trimStart();
  const textX = x + (word.length - text.length) * cellWidth;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0');
  return `${back}<text x="${textX.toFixed(1)}" y="${top + 13.5}" fill="${look.color}"${weight}${opacity}>${escaped}</text>`;
}

function lookOf(cell: IBufferCell, { ground, ink }: TerminalColors): Look {
  const front = cell.isFgDefault() ? ink : colorOf(cell.getFgColor(), cell.isFgRGB(), ink);
  const back = cell.isBgDefault() ? null : colorOf(cell.getBgColor(), cell.isBgRGB(), ink);
  const inverse = cell.isInverse() !== 0;
  return {
    color: inverse ? (back ?? ground) : front,
    ground: inverse ? front : back,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    isBraille: /[\u2800-\u28ff]/.test(cell.getChars()),
  };
}

const colorOf = (color: number, isRgb: boolean, ink: string): string =>
  isRgb ? `#${color.toString(16).padStart(6, '0')}` : (palette[color] ?? ink);
