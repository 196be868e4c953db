import { changeText } from '../../core/relaunch-form.js';
import type { TriageCard } from '../../core/view-models/triage-card.js';
import { flowRows } from '../flow.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import { blanks, clipLines, expandTabs, textWidth, toWidth, wrapIndented, wrapWords } from '../text.js';
import type { StyleName } from '../theme.js';

/** How much of each part of the card is told; a number is the rows that it may take. */
export interface Fill {
  readonly headline: number;
  readonly cause: number;
  readonly where: number;
  /** Each thing that is known. */
  readonly known: number;
  /** `chosen`: of the remedies only the one that can be applied, else the first. */
  readonly remedies: 'all' | 'chosen';
  readonly changes: 'all' | 'chosen';
  /** Of so many remedies the reason, of the one that can be applied first. */
  readonly why: number;
  readonly urls: boolean;
  readonly followed: 'lines' | 'count' | 'none';
}

const many = Number.POSITIVE_INFINITY;

/** All of it, as the overlay tells it: nothing is cut. */
export const allOfIt: Fill = {
  headline: many,
  cause: many,
  where: many,
  known: many,
  remedies: 'all',
  changes: 'all',
  why: many,
  urls: true,
  followed: 'lines',
};

/** The card as rows of `width`: cause, where, remedies; then what is of less use when room is short. */
export function triageRows(card: TriageCard, width: number, painter: Painter, fill: Fill): readonly string[] {
  const draw: Draw = { card, width, painter, fill };
  const { cause } = card;
  return [
    ...(card.headline === cause?.text ? [] : wrapped([], 0, card.headline, 'strong', draw, fill.headline)),
    ...causeRows(draw),
    ...(cause === null ? knownRows(draw) : []),
    ...suspicionRows(draw),
    ...remedyRows(draw),
    ...followedRows(draw),
    ...(cause === null ? [] : knownRows(draw)),
  ].map((row) => painter.line(row, width));
}

interface Draw {
  readonly card: TriageCard;
  readonly width: number;
  readonly painter: Painter;
  readonly fill: Fill;
}

const labelWidth = 11;

/** Here a column of labels would take a third of the room: they stand before their text. */
const isNarrow = ({ width }: Draw): boolean => width < 56;

/** Where the second row of a text begins. */
const indentOf = (draw: Draw): number => (isNarrow(draw) ? 2 : labelWidth);

const labelSegment = (label: string, draw: Draw): Segment => [
  'dim',
  isNarrow(draw) ? (label === '' ? '  ' : `${label} `) : toWidth(label, labelWidth),
];

/** A label at the left, the text wrapped beside it. */
const labelled = (label: string, text: string, style: StyleName, draw: Draw, most: number): readonly Row[] =>
  wrapped([labelSegment(label, draw)], indentOf(draw), text, style, draw, most);

/** `head` and beside it `text` on at most `most` rows, the further ones `indent` from the left. */
function wrapped(
  head: Row,
  indent: number,
  text: string,
  style: StyleName,
  { painter, width }: Draw,
  most: number,
): readonly Row[] {
  const first = width - rowWidth(head, painter);
  const all = wrapWords(painter.clean(text), width - indent, first);
  const lines = clipLines(all, most, most === 1 ? first : width - indent, painter.glyphs.more);
  return lines.map((line, index) => [
    ...(index === 0 ? head : [['dim', blanks(indent)] as const]),
    [style, line],
  ]);
}

function causeRows(draw: Draw): readonly Row[] {
  const { fill } = draw;
  const { cause } = draw.card;
  if (cause === null) return [];
  return [...labelled('cause', cause.text, 'bad', draw, fill.cause), ...whereRows(draw, cause)];
}

/** Facts are kept whole: a row ends behind one of them. Where there is but one row it has those that fit. */
function whereRows(draw: Draw, cause: NonNullable<TriageCard['cause']>): readonly Row[] {
  const { fill, painter, width } = draw;
  const dot = ` ${painter.glyphs.dot} `;
  const facts = whereFacts(cause).map(painter.clean);
  const room = width - rowWidth([labelSegment('where', draw)], painter);
  const parts = facts.map((fact): Row => [['text', fact]]);
  const lines = flowRows(parts, ['text', dot], room, painter).map((row) =>
    row.map(([, text]) => text).join(''),
  );
  const rows = lines.flatMap((line, index) => labelled(index === 0 ? 'where' : '', line, 'text', draw, many));
  if (rows.length <= fill.where) return rows;
  if (fill.where === 0) return [];
  const shorter = [...facts.keys()].reverse().map((count) => facts.slice(0, count + 1).join(dot));
  const byFile = [rankWords(cause.rank), fileOf(cause.where)].filter(Boolean).join(dot);
  const shortest = [cause.rank, fileOf(cause.where)].filter(Boolean).join(dot);
  const fitting = [...shorter.filter((text) => text.includes(cause.where ?? '')), byFile].find(
    (text) => textWidth(text) <= room,
  );
  return [[labelSegment('where', draw), ['text', fitting ?? shortest]]];
}

/** `rank TP0`; PyTorch's own lines call it `rank6` already. */
const rankWords = (rank: string | null): string | null =>
  rank === null || /^rank\s*\d/i.test(rank) ? rank : `rank ${rank}`;

const whereFacts = ({ rank, where, lineNumber, category, confidence }: NonNullable<TriageCard['cause']>) =>
  [
    rankWords(rank),
    where,
    lineNumber === null ? null : `line ${lineNumber}`,
    category,
    `${Math.round(confidence * 100)}% sure`,
  ].filter((fact) => fact !== null);

/** Of `srt/configs/model_config.py:334 _derive_context_length` what tells most. */
const fileOf = (where: string | null): string => where?.split(' ')[0]?.split('/').at(-1) ?? '';

/** Of several that follow one another under one label the first has it. */
function knownRows(draw: Draw): readonly Row[] {
  const { known } = draw.card;
  return known.flatMap(({ label, text }, index) =>
    labelled(label === known[index - 1]?.label ? '' : label, text, 'text', draw, draw.fill.known),
  );
}

/** Suspicions matter only where no cause is known. */
function suspicionRows(draw: Draw): readonly Row[] {
  const { card, fill } = draw;
  if (card.cause !== null) return [];
  return card.suspicions.slice(-4).flatMap(({ lineNumber, line }, index) => {
    const number = lineNumber === null ? '' : `${lineNumber}: `;
    return labelled(index === 0 ? 'suspect' : '', number + expandTabs(line), 'warn', draw, fill.known);
  });
}

function remedyRows(draw: Draw): readonly Row[] {
  const { card, fill } = draw;
  const leading = card.remedies.find(({ chosen }) => chosen) ?? card.remedies[0];
  const inTurn = [...card.remedies].sort((one, other) => Number(other === leading) - Number(one === leading));
  return card.remedies
    .filter((remedy) => fill.remedies === 'all' || remedy === leading)
    .flatMap((remedy, index) => {
      const isLeading = remedy === leading;
      const told: Told = {
        why: inTurn.indexOf(remedy) < fill.why,
        change: isLeading || fill.changes === 'all',
      };
      return remedyRow(remedy, index, told, draw);
    });
}

type Remedy = TriageCard['remedies'][number];

/** What is told of a remedy besides its title. */
interface Told {
  readonly why: boolean;
  readonly change: boolean;
}

function remedyRow(remedy: Remedy, index: number, told: Told, draw: Draw): readonly Row[] {
  const { fill, painter } = draw;
  const indent = indentOf(draw) + (isNarrow(draw) ? 0 : 2);
  const label = index === 0 ? 'remedy' : isNarrow(draw) ? 'or' : '';
  const mark = remedy.chosen ? `${painter.glyphs.chosen} ` : isNarrow(draw) ? '' : '  ';
  const head: Row = [labelSegment(label, draw), ['chosen', mark]];
  const below = (text: string, style: StyleName): readonly Row[] =>
    wrapped([['dim', blanks(indent)]], indent, text, style, draw, many);
  const change = remedy.change === null ? '' : changeText(remedy.change);
  const changes = change === '' || !told.change ? [] : below(change, 'good');
  return [
    ...wrapped(head, indent, remedy.title, remedy.chosen ? 'chosen' : 'text', draw, many),
    ...(told.why ? below(remedy.why, 'dim') : []),
    ...(fill.urls && remedy.url !== null ? below(remedy.url, 'note') : []),
    ...(remedy.chosen ? withKey(changes, indent, draw) : changes),
  ];
}

/** The key that takes a change stands behind it, or where there is no room below it. */
function withKey(rows: readonly Row[], indent: number, { painter, width }: Draw): readonly Row[] {
  const last = rows.at(-1);
  if (last === undefined) return rows;
  const before = rows.slice(0, -1);
  for (const words of [' put it into the relaunch', ' apply']) {
    const row: Row = [...last, ['dim', '   '], ['key', 'a'], ['dim', words]];
    if (rowWidth(row, painter) <= width) return [...before, row];
  }
  return [
    ...rows,
    [
      ['dim', blanks(indent)],
      ['key', 'a'],
      ['dim', ' apply'],
    ],
  ];
}

function followedRows(draw: Draw): readonly Row[] {
  const { card, fill } = draw;
  const count = card.consequences.length;
  if (count === 0 || fill.followed === 'none') return [];
  if (fill.followed === 'lines') return consequenceRows(draw);
  const text = `${count} ${count === 1 ? 'line is a consequence' : 'lines are consequences'} of it`;
  return labelled('followed', text, 'dim', draw, 1);
}

function consequenceRows({ card, painter, width }: Draw): readonly Row[] {
  const count = card.consequences.length;
  const numbers = Math.max(...card.consequences.map(({ lineNumber }) => String(lineNumber ?? '').length));
  const lines = card.consequences.flatMap(({ lineNumber, line }) => {
    const number = numbers === 0 ? '' : `${String(lineNumber ?? '').padStart(numbers)} `;
    return wrapIndented(painter.clean(expandTabs(line)), width - number.length).map(
      (text, index): Row => [
        ['logNumber', index === 0 ? number : blanks(number.length)],
        ['text', text],
      ],
    );
  });
  const title: Row = [
    ['title', 'What followed from it'],
    ['dim', ` ${painter.glyphs.dot} ${count} ${count === 1 ? 'line' : 'lines'}`],
  ];
  return [[], title, ...lines];
}
