import type { TriageCard } from '../../core/view-models.js';
import type { Painter, Segment } from '../painter.js';
import { toWidth, wrapWords } from '../text.js';
import type { StyleName } from '../theme.js';

/** The triage card as rows of `width`: cause, where, remedies; then what is of less use when room is short. */
export function triageRows(card: TriageCard, width: number, painter: Painter): readonly string[] {
  return [
    ...(card.headline === card.cause?.line
      ? []
      : wrapped([['strong', '']], card.headline, 'strong', width, painter)),
    ...causeRows(card, width, painter),
    ...(card.cause === null ? knownRows(card, width, painter) : []),
    ...suspicionRows(card, width, painter),
    ...remedyRows(card, width, painter),
    ...consequenceRows(card, width, painter),
    ...(card.cause === null ? [] : knownRows(card, width, painter)),
  ];
}

const labelWidth = 10;

/** A label at the left, the text wrapped beside it. */
function labelled(
  label: string,
  text: string,
  style: StyleName,
  width: number,
  painter: Painter,
): readonly string[] {
  return wrapped([['dim', toWidth(label, labelWidth)]], text, style, width, painter);
}

function wrapped(
  head: readonly Segment[],
  text: string,
  style: StyleName,
  width: number,
  painter: Painter,
): readonly string[] {
  const indent = head.reduce((sum, [, part]) => sum + part.length, 0);
  return wrapWords(painter.clean(text), width - indent).map((line, index) =>
    painter.line([...(index === 0 ? head : [['dim', ' '.repeat(indent)] as const]), [style, line]], width),
  );
}

function causeRows(card: TriageCard, width: number, painter: Painter): readonly string[] {
  const { cause } = card;
  if (cause === null) return [];
  const { dot } = painter.glyphs;
  const facts = [
    cause.rank === null ? null : `rank ${cause.rank}`,
    cause.where,
    cause.lineNumber === null ? null : `line ${cause.lineNumber}`,
    cause.category,
    `${Math.round(cause.confidence * 100)}% sure`,
  ].filter((fact) => fact !== null);
  return [
    ...labelled('cause', cause.line, 'bad', width, painter),
    ...labelled('where', facts.join(` ${dot} `), 'text', width, painter),
  ];
}

function knownRows(card: TriageCard, width: number, painter: Painter): readonly string[] {
  return card.known.flatMap((text) => labelled('known', text, 'text', width, painter));
}

function consequenceRows({ consequences }: TriageCard, width: number, painter: Painter): readonly string[] {
  if (consequences === 0) return [];
  const text = `${consequences} ${consequences === 1 ? 'line is a consequence' : 'lines are consequences'} of it`;
  return labelled('followed', text, 'dim', width, painter);
}

/** Suspicions matter only where no cause is known. */
function suspicionRows(card: TriageCard, width: number, painter: Painter): readonly string[] {
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

function remedyRows(card: TriageCard, width: number, painter: Painter): readonly string[] {
  if (card.remedies.length === 0) return [];
  const rows = card.remedies.flatMap((remedy, index) => {
    const mark = remedy.chosen ? `${painter.glyphs.chosen} ` : '  ';
    const head: readonly Segment[] = [
      ['dim', toWidth(index === 0 ? 'remedy' : '', labelWidth)],
      ['chosen', mark],
    ];
    return [
      ...wrapped(head, remedy.title, remedy.chosen ? 'chosen' : 'text', width, painter),
      ...wrapped([['dim', ' '.repeat(labelWidth + 2)]], remedy.why, 'dim', width, painter),
      ...changeRows(remedy, width, painter),
    ];
  });
  return rows;
}

function changeRows(
  remedy: TriageCard['remedies'][number],
  width: number,
  painter: Painter,
): readonly string[] {
  if (remedy.change === null) return [];
  const env = Object.entries(remedy.change.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const text = [...env, ...(remedy.change.args ?? [])].join(' ');
  const keys: readonly Segment[] = remedy.chosen
    ? [
        ['dim', '   '],
        ['key', 'a'],
        ['dim', ' put it into the relaunch'],
      ]
    : [];
  return [painter.line([['dim', ' '.repeat(labelWidth + 2)], ['good', text], ...keys], width)];
}
