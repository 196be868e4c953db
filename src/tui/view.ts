import type { Intent } from '../core/intents.js';
import type { ScreenModel } from '../core/view-models/screen.js';
import { type Chrome, chromeOf, keepEqual } from './chrome.js';
import { type Glyphs, unicodeGlyphs } from './glyphs.js';
import { type InputLine, inputLine } from './input-line.js';
import type { KeyContext, PageSize } from './keymap.js';
import { type Layout, layout, type Rect } from './layout.js';
import { createLogLayer, type LogLayer } from './log-layer.js';
import { createPainter, type Painter } from './painter.js';
import { areIdle } from './panes/gpu-summary.js';
import { type Insert, insertFor, insertHeight } from './panes/insert.js';
import type { ColorDepth, Theme } from './theme.js';

/** How the screen looks: what the terminal and the user allow. */
export interface Look {
  /** At least one; `model.theme` counts through them. */
  readonly themes: readonly [Theme, ...Theme[]];
  readonly depth: ColorDepth;
  readonly glyphs?: Glyphs;
  /** Makes a text from the remote fit for a terminal. Control characters are dropped afterwards in any case. */
  readonly sanitize: (text: string) => string;
}

export interface ViewOptions extends Look {
  readonly columns: number;
  readonly rows: number;
}

/** All that one moment of the screen is drawn from. */
export interface View {
  readonly model: ScreenModel;
  readonly chrome: Chrome;
  readonly painter: Painter;
  readonly logLayer: LogLayer;
  readonly context: KeyContext;
  readonly input: InputLine;
  readonly inputText: string;
  readonly insert: Insert | null;
  /** First row shown of an insert whose scrolling is ours. */
  readonly insertTop: number;
  readonly layout: Layout | { readonly kind: 'too-small' };
  readonly page: PageSize;
}

/**
 * What to show of `model` on a terminal of this size. Whatever is the same as `before` is the same object;
 * `before` is null when nothing that was drawn can be used again.
 */
export function viewOf(
  before: View | null,
  model: ScreenModel,
  options: ViewOptions,
  typed: InputLine,
): View {
  const chrome = chromeOf(model, before?.chrome ?? null);
  const sameTheme = before !== null && before.model.theme === model.theme;
  const painter = sameTheme ? before.painter : painterFor(model.theme, options);
  const logLayer = sameTheme ? before.logLayer : createLogLayer(painter);
  const context = contextOf(model);
  const inputText = inputTextOf(model, context);
  const input = inputOf(inputText, context, before, typed);
  if (before !== null && sameTheme && chrome === before.chrome && input === before.input) {
    return { ...before, model };
  }
  const insert = insertFor(chrome, input, options.columns, painter);
  const placed = layout({
    columns: options.columns,
    rows: options.rows,
    phaseCount: model.phases.length,
    gpuCount: model.gpus.rows.length,
    gpusIdle: model.header.process.status !== 'alive' && areIdle(model.gpus),
    zoomed: model.zoom ? model.focus : null,
    insert:
      insert === null
        ? null
        : insert.place === 'body'
          ? { kind: 'body' }
          : { kind: insert.place, height: insertHeight(insert) },
  });
  return {
    model,
    chrome,
    painter,
    logLayer,
    context,
    input,
    inputText,
    insert,
    insertTop: before !== null && sameInsert(before.insert, insert) ? before.insertTop : 0,
    // The same rectangles again: a pane whose content has not changed is not drawn.
    layout: keepEqual(before?.layout, placed),
    page: pageOf(model, placed, options),
  };
}

function painterFor(index: number, options: ViewOptions): Painter {
  const theme = options.themes[index % options.themes.length] ?? options.themes[0];
  const { depth, sanitize } = options;
  return createPainter({ theme, depth, sanitize, glyphs: options.glyphs ?? unicodeGlyphs });
}

/** Which keys mean something now. */
export function contextOf(model: ScreenModel): KeyContext {
  const { dialog } = model;
  if (dialog !== null) {
    if (dialog.kind === 'login') return dialog.answer === null ? 'login' : 'answer';
    if (dialog.editing !== null) return 'edit';
    if (dialog.asking) return 'asked';
    return dialog.running || dialog.finished ? 'running' : dialog.kind;
  }
  if (model.log.filter.editing) return 'filter';
  return model.overlay === null ? 'main' : 'overlay';
}

/**
 * The fold holds the text, we the cursor. What was typed stands until the fold's text changes to something else:
 * its answer may come later than the next key.
 */
function inputOf(text: string, context: KeyContext, before: View | null, typed: InputLine): InputLine {
  const same = before !== null && before.context === context && before.inputText === text;
  return same || text === typed.text ? typed : inputLine(text);
}

/** The text of the input line as the model has it; empty where none is open. */
function inputTextOf(model: ScreenModel, context: KeyContext): string {
  if (context === 'filter') return model.log.filter.text;
  return context === 'edit' ? (model.dialog?.editing ?? '') : '';
}

function pageOf(model: ScreenModel, placed: View['layout'], options: ViewOptions): PageSize {
  if (placed.kind === 'too-small') return { rows: options.rows, columns: options.columns };
  const rect: Rect | null = placed.insert ?? placed[model.focus] ?? placed.log;
  return { rows: Math.max(1, (rect?.height ?? 3) - (rect === placed.log ? 1 : 2)), columns: options.columns };
}

/** `T` says which theme comes next: the fold only counts them. */
export function withThemeName(action: Intent, current: number, themes: readonly Theme[]): Intent {
  if (action.kind !== 'next-theme') return action;
  const next = themes[(current + 1) % themes.length];
  return next === undefined ? action : { ...action, name: next.name };
}

const sameInsert = (a: Insert | null, b: Insert | null): boolean =>
  JSON.stringify(a?.title) === JSON.stringify(b?.title);

/** Whether Ink would draw the same frame again. */
export const sameFrame = (a: View, b: View): boolean =>
  a.chrome === b.chrome &&
  a.input === b.input &&
  a.layout === b.layout &&
  a.painter === b.painter &&
  a.insertTop === b.insertTop;
