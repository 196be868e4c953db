import type { DialogModel, DialogStep } from '../../core/view-models/dialog.js';
import { flowRows } from '../flow.js';
import { clock } from '../format.js';
import { graphemeCount, type InputLine } from '../input-line.js';
import type { Painter, Row } from '../painter.js';
import { blanks, cut, textWidth, toWidth, wrapWords } from '../text.js';
import type { StyleName } from '../theme.js';
import { inputSegments } from './footer.js';

/** `rows` scroll where they have no room, or give way to what `fit` makes of them; `foot` stays in sight below them. */
export interface DialogRows {
  readonly rows: readonly string[];
  readonly fit?: ((height: number) => readonly string[]) | undefined;
  readonly foot: readonly string[];
  /** The step under way. */
  readonly sight?: { readonly from: number; readonly to: number } | null;
}

/**
 * A question with its two answers, Cancel in focus; once it is answered, the checklist of its steps. `foot` is what must
 * stay in sight however little room there is: the answers, or the line being edited. `sight`: so must the step under way.
 */
export function dialogRows(
  dialog: DialogModel,
  input: InputLine,
  width: number,
  painter: Painter,
): DialogRows {
  const blank = ' '.repeat(width);
  const facts = dialog.lines.map((line) => factRows(painter.clean(line), width, painter));
  if (dialog.editing !== null) {
    const hint: Row = input.text === '' ? [['dim', ' NAME=value --flag value, to add']] : [];
    const line: Row = [['key', `${painter.glyphs.live} `], ...inputSegments(input, width - 3), ...hint];
    return { rows: facts.flat(), foot: [blank, painter.line(line, width)] };
  }
  if (dialog.answer !== null) {
    const shown = dialog.answer === 'shown' ? input : masked(input, painter);
    const line: Row = [['key', `${painter.glyphs.live} `], ...inputSegments(shown, width - 3)];
    // The question itself is the last that the host says, which may be long.
    const question = facts.at(-1)?.slice(-2) ?? [];
    const foot = [...question, painter.line(line, width), ...inRows(answerHints, width, painter)];
    return { rows: facts.slice(0, -1).flat(), foot };
  }
  const foot = [blank, ...inRows(answers(dialog), width, painter)];
  if (dialog.steps.length === 0) return { rows: facts.flat(), foot };
  const steps = dialog.steps.map((step) => [
    ...stepRows(step, width, painter),
    ...step.details.flatMap((line) => detailRows(painter.clean(line), width, painter)),
  ]);
  const active = dialog.steps.findIndex(({ status }) => status === 'active');
  const from = steps.slice(0, Math.max(0, active)).flat().length;
  const sight = active < 0 ? null : { from, to: from + (steps[active]?.length ?? 1) - 1 };
  return { rows: steps.flat(), fit: doneFolded(dialog, steps, width, painter), foot, sight };
}

/** Where all steps have no room, what is done is told by its count: so what asks, or has failed, is in sight. */
function doneFolded(
  { steps }: DialogModel,
  drawn: readonly (readonly string[])[],
  width: number,
  painter: Painter,
): DialogRows['fit'] {
  const over = steps.findIndex(({ status }) => status === 'asks' || status === 'failed');
  if (over < 2) return undefined;
  const done: Row = [
    ['good', painter.glyphs.done],
    ['dim', ` ${over} done`],
  ];
  return () => [painter.line(done, width), ...drawn.slice(over).flat()];
}

/** `label   text`: the label dim, the text wrapped beside it. A line without a label is wrapped as it is. */
function factRows(line: string, width: number, painter: Painter): readonly string[] {
  const label = /^(?=.{0,14} {2}) *\S+(?: \S+){0,2} {2,}|^ {4,}/.exec(line)?.[0] ?? '';
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

const labelWidth = 12;

/** The step behind its mark and label. What is done, or still to come, has one row: it is known, or can wait. */
function stepRows(step: DialogStep, width: number, painter: Painter): readonly string[] {
  const [mark, markStyle, style] = stepLooks(painter)[step.status];
  const label = step.label === '' ? '' : toWidth(step.label, labelWidth);
  const took = step.seconds === null ? '' : `  ${clock(step.seconds * 1000)}`;
  const room = width - 2 - label.length;
  const text = painter.clean(step.text);
  const isWhole = step.status === 'active' || step.status === 'failed' || step.status === 'asks';
  const lines = isWhole
    ? wrapWords(text + took, room)
    : [cut(text, room - took.length, painter.glyphs.more) + took];
  return lines.map((line, index) =>
    painter.line(
      [
        [markStyle, index === 0 ? `${mark} ` : '  '],
        ['dim', index === 0 ? label : ' '.repeat(label.length)],
        [style, line],
      ],
      width,
    ),
  );
}

const stepLooks = ({ glyphs }: Painter) =>
  ({
    done: [glyphs.done, 'good', 'text'],
    failed: [glyphs.failed, 'bad', 'bad'],
    asks: [glyphs.failed, 'bad', 'strong'],
    active: [glyphs.link, 'busy', 'strong'],
    pending: [glyphs.pending, 'dim', 'dim'],
    skipped: [glyphs.skipped, 'dim', 'dim'],
  }) as const satisfies Readonly<Record<DialogStep['status'], readonly [string, StyleName, StyleName]>>;

const inRows = (parts: readonly Row[], width: number, painter: Painter): readonly string[] =>
  flowRows(parts, ['dim', '   '], width, painter).map((row) => painter.line(row, width));

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
    ...(dialog.blocked ? [] : [hint('y', dialog.kind === 'kill' ? 'kill it' : 'relaunch it')]),
    ...(dialog.kind === 'relaunch' ? [hint('e', 'edit')] : []),
    ...(dialog.signal === null ? [] : [hint('s', `signal:${dialog.signal}`)]),
    ...(dialog.choices === 0 ? [] : [hint(dialog.choices === 1 ? '1' : `1-${dialog.choices}`, 'end it too')]),
  ];
}
