import type { DialogModel } from '../../core/view-models.js';
import { graphemeCount, type InputLine } from '../input-line.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import { blanks, textWidth, wrapWords } from '../text.js';
import { inputSegments } from './footer.js';

/**
 * A question with its two answers, Cancel in focus; while it runs, the checklist of its steps. `foot` is what must
 * stay in sight however little room there is: the answers, or the line being edited.
 */
export function dialogRows(
  dialog: DialogModel,
  input: InputLine,
  width: number,
  painter: Painter,
): { readonly rows: readonly string[]; readonly foot: readonly string[] } {
  const blank = ' '.repeat(width);
  const facts = dialog.lines.flatMap((line) => factRows(painter.clean(line), width, painter));
  const steps = dialog.steps.flatMap((step) => [
    ...stepRows(step, width, painter),
    ...step.details.flatMap((line) => detailRows(painter.clean(line), width, painter)),
  ]);
  if (dialog.editing !== null) {
    const line: Row = [['key', `${painter.glyphs.live} `], ...inputSegments(input, width - 3)];
    return { rows: facts, foot: [blank, painter.line(line, width)] };
  }
  if (dialog.answer !== null) {
    const shown = dialog.answer === 'shown' ? input : masked(input, painter);
    const line: Row = [['key', `${painter.glyphs.live} `], ...inputSegments(shown, width - 3)];
    // The question itself stands at the end of what the host says, which may be long.
    const foot = [...facts.slice(-2), painter.line(line, width), ...inRows(answerHints, width, painter)];
    return { rows: facts.slice(0, -2), foot };
  }
  return {
    // What goes on comes first: what was asked is known by now.
    rows: steps.length === 0 ? facts : [...steps, blank, ...facts],
    foot: [blank, ...inRows(answers(dialog), width, painter)],
  };
}

/** `label   text`: the label dim, the text wrapped beside it. A line without a label is wrapped as it is. */
function factRows(line: string, width: number, painter: Painter): readonly string[] {
  const label = /^(?: {4,}| *\S+ {2,})/.exec(line)?.[0] ?? '';
  const indent = textWidth(label);
  return wrapWords(line.slice(label.length), width - indent).map((text, index) =>
    painter.line(
      [
        ['dim', index === 0 ? label : blanks(indent)],
        ['text', text],
      ],
      width,
    ),
  );
}

/** The step behind its mark, wrapped beside it. */
function stepRows(step: DialogModel['steps'][number], width: number, painter: Painter): readonly string[] {
  const { glyphs } = painter;
  const [mark, markStyle, style] = (
    {
      done: [glyphs.done, 'good', 'text'],
      failed: [glyphs.failed, 'bad', 'bad'],
      asks: [glyphs.failed, 'bad', 'strong'],
      active: [glyphs.link, 'busy', 'strong'],
    } as const
  )[step.status];
  return wrapWords(painter.clean(step.text), width - 2).map((text, index) =>
    painter.line(
      [
        [markStyle, index === 0 ? `${mark} ` : '  '],
        [style, text],
      ],
      width,
    ),
  );
}

/** `parts` beside each other, each as a whole, in as few rows as they take. */
function inRows(parts: readonly Row[], width: number, painter: Painter): readonly string[] {
  const gap: Segment = ['dim', '   '];
  const rows: Row[] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    const joined = last === undefined ? part : [...last, gap, ...part];
    if (last === undefined || rowWidth(joined, painter) > width) rows.push(part);
    else rows[rows.length - 1] = joined;
  }
  return rows.map((row) => painter.line(row, width));
}

const hint = (label: string, words: string): Row => [
  ['key', label],
  ['dim', ` ${words}`],
];

const answerHints: readonly Row[] = [
  hint('Enter', 'answers'),
  hint('Esc', 'closes'),
  [['dim', 'it is kept nowhere']],
];

/** The line as dots, one for each character that was typed. */
function masked({ text, cursor }: InputLine, { glyphs }: Painter): InputLine {
  const dots = (part: string): string => glyphs.mask.repeat(graphemeCount(part));
  const before = dots(text.slice(0, cursor));
  return { text: before + dots(text.slice(cursor)), cursor: before.length };
}

/** A line below a step, wrapped; one that begins with blanks is what can be done about the line above. */
function detailRows(line: string, width: number, painter: Painter): readonly string[] {
  const isRemedy = line.startsWith('  ');
  const indent = isRemedy ? 6 : 4;
  return wrapWords(line.trim(), width - indent).map((text) =>
    painter.line(
      [
        ['text', ' '.repeat(indent)],
        [isRemedy ? 'dim' : 'text', text],
      ],
      width,
    ),
  );
}

/** The focused answer is the inverse one, and it is always the one that does nothing. */
function answers(dialog: DialogModel): readonly Row[] {
  const button = (label: string): Row => [['cursor', ` ${label} `]];
  if (dialog.kind === 'login') {
    return dialog.running
      ? [[['dim', 'Esc ends it']]]
      : [button('Close'), hint('Esc', 'closes'), hint('c', 'then tries again')];
  }
  if (dialog.asking) return [button('Stop here'), hint('y', 'start it all the same')];
  if (dialog.running) return [[['dim', 'Esc closes this; it goes on']]];
  if (dialog.finished) return [button('Close'), hint('Enter', 'closes')];
  return [
    button('Cancel'),
    hint('y', dialog.kind === 'kill' ? 'kill it' : 'relaunch it'),
    ...(dialog.kind === 'relaunch' ? [hint('e', 'edit')] : []),
    ...(dialog.signal === null ? [] : [hint('s', `SIG${dialog.signal}`)]),
    ...(dialog.choices === 0 ? [] : [hint(dialog.choices === 1 ? '1' : `1-${dialog.choices}`, 'end it too')]),
  ];
}
