import { describe, expect, it } from 'vitest';
import { chromeOf, keepEqual } from '../../src/tui/chrome.js';
import { loadingModel, logPane, logRow } from '../support/screen-fixtures.js';

describe('what Ink draws', () => {
  it('is the same object while nothing in it has changed', () => {
    const first = chromeOf(loadingModel(), null);
    expect(chromeOf(loadingModel(), first)).toBe(first);
  });

  it('does not know of new log lines', () => {
    const model = loadingModel();
    const first = chromeOf(model, null);
    expect(chromeOf({ ...model, log: logPane([logRow(1, 'new')]) }, first)).toBe(first);
  });

  it('changes with the clock once a second, not oftener', () => {
    const model = loadingModel();
    const at = (elapsedMs: number) => ({ ...model, status: { ...model.status, elapsedMs } });
    const first = chromeOf(at(5000), null);
    expect(chromeOf(at(5900), first)).toBe(first);
    expect(chromeOf(at(6000), first)).not.toBe(first);
  });

  it('keeps the parts that have not changed, so that their panes are not drawn again', () => {
    const model = loadingModel();
    const first = chromeOf(model, null);
    const next = chromeOf({ ...model, status: { ...model.status, summary: 'else' } }, first);
    expect(next.status).not.toBe(first.status);
    expect(next.phases).toBe(first.phases);
    expect(next.gpus).toBe(first.gpus);
  });
});

describe('keepEqual', () => {
  it.each([
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [[1, 2], [1, 2, 3], false],
    [{ p: /a/i }, { p: /a/i }, true],
    [{ p: /a/i }, { p: /a/ }, false],
    [[], {}, false],
    [null, {}, false],
  ])('%j and %j', (previous, next, same) => {
    expect(keepEqual(previous, next) === previous).toBe(same);
    expect(keepEqual(previous, next)).toEqual(next);
  });
});
