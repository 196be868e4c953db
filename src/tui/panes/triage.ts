import type { TriageCard } from '../../core/view-models.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import { blanks, expandTabs, toWidth, wrapColumns, wrapWords } from '../text.js';
import type { StyleName } from '../theme.js';

/** How much of the card is told: `all` of it, what a pane has room for, and less of that down to `tight`. */
export type Detail = 'all' | 'pane' | 'brief' | 'tight';

/** The triage card as rows of `width`: cause, where, remedies; then what is of less use when room is short. */
export function triageRows(
  card: TriageCard,
  width: number,
  painter: Painter,
  detail: Detail = 'pane',
): readonly string[] {
  const draw: Draw = { card, width, painter, detail };
  const { cause } = card;
  return [
    ...(card.headline === cause?.line
      ? []
      : wrapped([], card.headline, 'strong', draw, detail === 'all' ? many : 2)),
    ...causeRows(draw),
    ...(cause === null ? knownRows(draw) : []),
    ...suspicionRows(draw),
    ...remedyRows(draw),
    ...(detail === 'all' ? allConsequenceRows(draw) : consequenceRows(draw)),
    ...(cause === null ? [] : knownRows(draw)),
  ];
}

interface Draw {
  readonly card: TriageCard;
  readonly width: number;
  readonly painter: Painter;
  readonly detail: Detail;
}

const labelWidth = 10;

const many = Number.POSITIVE_INFINITY;

/** A label at the left, the text wrapped beside it. */
const labelled = (label: string, text: string, style: StyleName, draw: Draw, most: number) =>
  wrapped([['dim', toWidth(label, labelWidth)]], text, style, draw, most);

/** `head` and beside it `text` on at most `most` rows; the last of them says by its mark that there is more. */
function wrapped(
  head: readonly Segment[],
  text: string,
  style: StyleName,
  { painter, width }: Draw,
  most: number,
): readonly string[] {
  const indent = head.reduce((sum, [, part]) => sum + part.length, 0);
  const all = wrapWords(painter.clean(text), width - indent);
  const lines = all.length <= most ? all : [...all.slice(0, most - 1), all.slice(most - 1).join(' ')];
  return lines.map((line, index) =>
    painter.line([...(index === 0 ? head : [['dim', ' '.repeat(indent)] as const]), [style, line]], width),
  );
}

const rowsOfCause: Readonly<Record<Detail, number>> = { all: many, pane: 4, brief: 4, tight: 2 };

function causeRows(draw: Draw): readonly string[] {
  const { card, painter, detail } = draw;
  const { cause } = card;
  if (cause === null) return [];
  const facts = [
    cause.rank === null ? null : `rank ${cause.rank}`,
    cause.where,
    cause.lineNumber === null ? null : `line ${cause.lineNumber}`,
    cause.category,
    `${Math.round(cause.confidence * 100)}% sure`,
  ].filter((fact) => fact !== null);
  return [
    ...labelled('cause', cause.line, 'bad', draw, rowsOfCause[detail]),
    ...labelled('where', facts.join(` ${painter.glyphs.dot} `), 'text', draw, detail === 'tight' ? 1 : many),
  ];
}

function knownRows(draw: Draw): readonly string[] {
  const most = draw.detail === 'all' ? many : draw.detail === 'tight' ? 1 : 2;
  return draw.card.known.flatMap(({ label, text }) => labelled(label, text, 'text', draw, most));
}

function consequenceRows(draw: Draw): readonly string[] {
  const count = draw.card.consequences.length;
  if (count === 0) return [];
  const text = `${count} ${count === 1 ? 'line is a consequence' : 'lines are consequences'} of it`;
  return labelled('followed', text, 'dim', draw, 1);
}

function allConsequenceRows(draw: Draw): readonly string[] {
  const { card, painter, width } = draw;
  if (card.consequences.length === 0) return [];
  const numbers = Math.max(...card.consequences.map(({ lineNumber }) => String(lineNumber ?? '').length));
  const lines = card.consequences.flatMap(({ lineNumber, line }) => {
    const number = numbers === 0 ? '' : `${String(lineNumber ?? '').padStart(numbers)} `;
    return wrapColumns(painter.clean(expandTabs(line)), width - number.length).map((slice, index) =>
      painter.line(
        [
          ['logNumber', index === 0 ? number : ' '.repeat(number.length)],
          ['text', slice.text],
        ],
        width,
      ),
    );
  });
  const title: Row = [
    ['title', 'What followed from it'],
    ['dim', ` ${painter.glyphs.dot} ${card.consequences.length} lines`],
  ];
  return [' '.repeat(width), painter.line(title, width), ...lines];
}

/** Suspicions matter only where no cause is known. */
function suspicionRows({ card, width, painter }: Draw): readonly string[] {
  if (card.cause !== null) return [];
  return card.suspicions.slice(-4).map(({ lineNumber, line }) =>
    painter.line(
      [
        ['dim', toWidth('suspect', labelWidth)],
        ['dim', lineNumber === null ? '' : `${lineNumber}: `],
        ['warn', line],
      ],
      width,
    ),
  );
}

function remedyRows(draw: Draw): readonly string[] {
  const { card, painter, detail, width } = draw;
  return card.remedies.flatMap((remedy, index) => {
    const mark = remedy.chosen ? `${painter.glyphs.chosen} ` : '  ';
    const head: readonly Segment[] = [
      ['dim', toWidth(index === 0 ? 'remedy' : '', labelWidth)],
      ['chosen', mark],
    ];
    const style: StyleName = remedy.chosen ? 'chosen' : 'text';
    const change = remedy.change === null ? [] : changeRows(remedy.change, draw);
    if (detail === 'tight') {
      const title: Row = [...head, [style, remedy.title]];
      if (!remedy.chosen) return [painter.line(title, width)];
      const fits = rowWidth(title, painter) + rowWidth(applyKey, painter) < width;
      return [painter.spread(title, fits ? applyKey : applyShort, width), ...change];
    }
    const why: readonly Segment[] = [['dim', blanks(labelWidth + 2)]];
    return [
      ...wrapped(head, remedy.title, style, draw, many),
      ...(detail === 'brief' && !remedy.chosen ? [] : wrapped(why, remedy.why, 'dim', draw, many)),
      ...(detail === 'all' && remedy.url !== null ? wrapped(why, remedy.url, 'note', draw, many) : []),
      ...(remedy.chosen ? withKey(remedy.change, change, draw) : change),
    ];
  });
}

type Change = NonNullable<TriageCard['remedies'][number]['change']>;

const applyKey: Row = [
  ['key', 'a'],
  ['dim', ' put it into the relaunch'],
];

const applyShort: Row = [
  ['key', 'a'],
  ['dim', ' apply'],
];

const changeIndent: Segment = ['dim', blanks(labelWidth + 2)];

function changeText({ env, args }: Change): string {
  const assignments = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`);
  return [...assignments, ...(args ?? [])].join(' ');
}

function changeRows(change: Change, draw: Draw): readonly string[] {
  return wrapped([changeIndent], changeText(change), 'good', draw, draw.detail === 'tight' ? 1 : many);
}

/** The key that takes a change stands behind it, or where there is no room below it. */
function withKey(
  change: Change | null,
  rows: readonly string[],
  { painter, width }: Draw,
): readonly string[] {
  if (change === null) return rows;
  const text: Row = [changeIndent, ['good', changeText(change)], ['dim', '   '], ...applyKey];
  if (rowWidth(text, painter) <= width) return [painter.line(text, width)];
  return [...rows, painter.line([changeIndent, ...applyKey], width)];
}
