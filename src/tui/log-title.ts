import { slowWords } from '../core/slow-search.js';
import type { LogPaneModel } from '../core/view-models/log.js';
import { grouped } from './format.js';
import { type Painter, type Row, rowWidth, type Segment } from './painter.js';
import { cutStart } from './text.js';

export interface TitleLook {
  readonly width: number;
  readonly focused: boolean;
  /** To mark the matches took too long. */
  readonly unmarked: boolean;
  /** Rows of the pane are empty: all that passes is in sight. */
  readonly hasRoom: boolean;
}

/** What is shown and how; the path gives way first, from its beginning. */
export function titleLine(model: LogPaneModel, look: TitleLook, painter: Painter): string {
  const { width, focused } = look;
  const { horizontal } = painter.glyphs.border;
  const border = focused ? 'borderFocus' : 'border';
  const head: Row = [
    [border, horizontal.repeat(2)],
    ['chosen', focused ? painter.glyphs.chosen : ' '],
    ['title', 'Log '],
  ];
  const right: Row = [[border, horizontal]];
  const room = width - rowWidth([...head, ...right], painter) - 3;
  const { words, state } = titleWords(model, look, room, painter);
  const left = room - rowWidth([...words, ...state], painter);
  const path: Row =
    left < 8 ? [] : [['dim', `${cutStart(painter.clean(model.title), left, painter.glyphs.more)} `]];
  return painter.spread([...head, ...path, ...words], [...state, ...right], width, [border, horizontal]);
}

interface TitleWords {
  /** How the log is filtered, and what is wrong with it. */
  readonly words: Row;
  readonly state: Row;
}

/** Where all of it has no room, words go that say little, then the counts: rather than the end of what is left. */
function titleWords(
  model: LogPaneModel,
  { width, unmarked, hasRoom }: TitleLook,
  room: number,
  painter: Painter,
): TitleWords {
  const { dot } = painter.glyphs;
  const length = width >= longFrom ? 'long' : 'medium';
  const wordsBy = (filterLength: Length): Row => [
    ...filterWords(model, length, filterLength, painter),
    ...(unmarked ? [['warn', `${dot} matches not marked: too slow `] as const] : []),
    // An empty pane says it in its middle.
    ...(model.note !== null && !model.isEmpty ? [['warn', `${dot} ${model.note} `] as const] : []),
  ];
  const all: TitleWords = { words: wordsBy(length), state: stateWords(model, length, hasRoom, painter) };
  const short: TitleWords = { words: wordsBy('short'), state: all.state };
  const least: TitleWords = { words: short.words, state: followWords(model, hasRoom, painter) };
  const fits = ({ words, state }: TitleWords): boolean => rowWidth([...words, ...state], painter) <= room;
  return [all, short].find(fits) ?? least;
}

/** How much is said of each thing. */
type Length = 'long' | 'medium' | 'short';

/** Columns from which on whole sentences have room. */
const longFrom = 120;

function filterWords(
  model: LogPaneModel,
  slowLength: Length,
  length: Length,
  painter: Painter,
): readonly Segment[] {
  const isShort = length === 'short';
  const words: Segment[] = [];
  const { dot } = painter.glyphs;
  const { slow } = model;
  // What is shown is not all: that comes first.
  if (slow !== null) words.push(['bad', `${dot} ${slowWords(slow, slowLength === 'long')} `]);
  const { text, mode, editing, error } = model.filter;
  // What is being typed stands in the input line, and what is wrong with it, too.
  if (isShort && editing) words.push(['strong', `${dot} filter `]);
  else if (text !== '') {
    words.push(['dim', `${dot} `], ['strong', `/${text}/`]);
    words.push(['dim', isShort ? ' ' : mode === 'filter' ? ' only ' : ' highlighted ']);
  }
  if (error !== null && !(isShort && editing)) words.push(['bad', `${dot} ${error} `]);
  const kinds = [model.errorsOnly ? 'errors' : '', model.milestonesOnly ? 'milestones' : ''].filter(Boolean);
  if (kinds.length > 0) words.push(['strong', `${dot} ${kinds.join(' and ')}${isShort ? '' : ' only'} `]);
  return words;
}

function stateWords(
  model: LogPaneModel,
  length: Length,
  hasRoom: boolean,
  painter: Painter,
): readonly Segment[] {
  const words: Segment[] = [...countWords(model, length)];
  if (model.wrap) words.push(['dim', `${painter.glyphs.dot} wrap `]);
  if (model.column > 0) words.push(['dim', `${painter.glyphs.dot} col ${model.column + 1} `]);
  return [...words, ...followWords(model, hasRoom, painter)];
}

function countWords({ matched, total, slow }: LogPaneModel, length: Length): readonly Segment[] {
  if (matched === null) return [['dim', ` ${grouped(total)} ${total === 1 ? 'line' : 'lines'} `]];
  const { count, of, earlier, share } = matched;
  // Of a search that was given up it is said how many lines are left.
  const so = share < 1 && slow?.isStopped !== true ? `, ${Math.floor(share * 100)} % looked at` : '';
  const before =
    earlier === 0 ? '' : `, ${grouped(earlier)} ${length === 'long' ? 'in earlier attempts' : 'earlier'}`;
  return [
    ['strong', ` ${grouped(count)}`],
    ['dim', ` of ${grouped(of)}${before}${so} `],
  ];
}

function followWords(model: LogPaneModel, hasRoom: boolean, painter: Painter): readonly Segment[] {
  const { down } = painter.glyphs;
  if (model.follow) return [['good', `${down} follow `]];
  if (model.newBelow === 0 || hasRoom) return [['warn', '= held ']];
  return [
    ['warn', '= held '],
    ['badgeLoading', ` ${down} ${grouped(model.newBelow)} new `],
    ['dim', ' '],
  ];
}
