import { render } from 'ink-testing-library';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import type { GpuRow } from '../../src/core/view-models/gpus.js';
import type { PhaseRow } from '../../src/core/view-models/screen.js';
import { redact } from '../../src/ingest/redact.js';
import { sanitize } from '../../src/ingest/sanitize.js';
import { asciiGlyphs, unicodeGlyphs } from '../../src/tui/glyphs.js';
import { inputLine } from '../../src/tui/input-line.js';
import type { Framed } from '../../src/tui/layout.js';
import { createPainter } from '../../src/tui/painter.js';
import { dialogRows } from '../../src/tui/panes/dialog.js';
import { Footer } from '../../src/tui/panes/footer.js';
import { Gpus } from '../../src/tui/panes/gpus.js';
import { Header } from '../../src/tui/panes/header.js';
import { Phases } from '../../src/tui/panes/phases.js';
import { Status } from '../../src/tui/panes/status.js';
import { allOfIt, triageRows } from '../../src/tui/panes/triage.js';
import { paneTriageRows } from '../../src/tui/panes/triage-fit.js';
import { type Surface, SurfaceContext } from '../../src/tui/surface.js';
import {
  killDialogModel,
  loadingModel,
  readyModel,
  relaunchRunningModel,
  stalledModel,
  triageCard,
} from '../support/screen-fixtures.js';
import { themes } from './open-fixture.js';

const painter = createPainter({ theme: themes[0], depth: 'none', glyphs: unicodeGlyphs, sanitize });

const box = (width: number, height: number, frame: Framed['frame'] = 'box'): Framed => ({
  left: 0,
  top: 0,
  width,
  height,
  frame,
});

/** What a pane gives to the screen, without colours. */
const draw = (element: ReactElement): readonly string[] => {
  let rows: readonly string[] = [];
  const surface: Surface = {
    setLayer: (_, layer) => {
      if (layer !== null) rows = layer.rows;
    },
  };
  render(<SurfaceContext.Provider value={surface}>{element}</SurfaceContext.Provider>).unmount();
  return rows.map((row) => row.replace(/\u001B\[[\d;]*m/g, '').trimEnd());
};

describe('a text', () => {
  it('goes through the redaction, of plain letters too', () => {
    const redacting = createPainter({
      theme: themes[0],
      depth: 'none',
      glyphs: unicodeGlyphs,
      sanitize: (text) => redact(sanitize(text)),
    });
    const row = redacting.line([['text', "api_key='plainword' and \u001B[31m--password plainword"]], 80);
    expect(row.trimEnd()).toBe("api_key='***' and --password ***");
  });
});

describe('phases', () => {
  it('show what they took in an earlier attempt, in a column or where there is nothing else to say', () => {
    const phases = loadingModel().phases.map((phase) => ({ ...phase, earlierSeconds: 61 }));
    for (const [width, count] of [
      [100, phases.length],
      [42, 8],
    ] as const) {
      const rows = draw(
        <Phases
          phases={phases}
          top={0}
          rect={box(width, 20)}
          focused={false}
          outcome="loading"
          beat={0}
          isOld={false}
          painter={painter}
        />,
      );
      expect(rows.every((row) => row.length <= width)).toBe(true);
      expect(rows.filter((row) => row.includes('was 1:01')).length).toBeGreaterThanOrEqual(count);
      expect(rows.join('\n')).toContain('29/64');
    }
  });

  const drawPhases = (
    rect: Framed,
    more: { phases?: readonly PhaseRow[]; top?: number | null; outcome?: 'stalled' | 'unknown' } = {},
  ): readonly string[] =>
    draw(
      <Phases
        phases={loadingModel().phases}
        top={null}
        focused={false}
        outcome="loading"
        beat={0}
        isOld={false}
        rect={rect}
        painter={painter}
        {...more}
      />,
    );

  it('shows each with its mark, model, bar, detail and time', () => {
    const rows = drawPhases(box(60, 15));
    expect(rows[0]).toMatch(/^╭─ Phases ─+ 4\/13 ─╮$/);
    expect(rows[1]).toMatch(/│ ✓ Process started +0\.4s │/);
    expect(rows[5]).toMatch(/│ ⠋ Load weights +█+[▉-▏]?·+ 29\/64 shards +1:12 │/);
    expect(rows[6]).toMatch(/│ ○ KV cache +│/);
    expect(rows[8]).toMatch(/│ ○ Load weights +draft +│/);
    expect(rows).toHaveLength(15);
  });

  it('windows on the active one and folds what is done to a count', () => {
    const rows = drawPhases(box(60, 5, 'rule'));
    expect(rows).toHaveLength(5);
    expect(rows[1]).toMatch(/✓ 4 done +28s/);
    expect(rows[2]).toMatch(/Load weights/);
    expect(rows[4]).toMatch(/○ 7 more ahead/);
  });

  it.each([1, 2, 3, 4, 5, 8, 12, 13, 20])(
    'accounts for every phase in %i rows, wherever the active one is',
    (height) => {
      const base = loadingModel().phases;
      for (let active = 0; active < base.length; active++) {
        const phases = base.map((phase, index) => ({
          ...phase,
          status:
            index < active
              ? ('done' as const)
              : index === active
                ? ('active' as const)
                : ('pending' as const),
        }));
        const rows = drawPhases(box(60, height, 'bare'), { phases });
        expect(rows).toHaveLength(height);
        const text = rows.join('\n');
        expect(text).toContain('⠋');
        if (height < 3) continue;
        const done = Number(/✓ (\d+) done/.exec(text)?.[1] ?? 0);
        const ahead = Number(/○ (\d+) more ahead/.exec(text)?.[1] ?? 0);
        const shown = rows.filter((row) => row.trim() !== '' && !/ \d+ (done|more ahead)/.test(row)).length;
        expect(done + ahead + shown).toBe(base.length);
      }
    },
  );

  it('turns no mark of a phase that hangs, or of which nobody knows', () => {
    expect(drawPhases(box(60, 15), { outcome: 'stalled' })[5]).toContain('▲ Load weights');
    expect(drawPhases(box(60, 15), { outcome: 'unknown' })[5]).toContain('? Load weights');
  });

  it('scrolls when told where to begin', () => {
    expect(drawPhases(box(60, 5, 'rule'), { top: 2 })[1]).toContain('Engine and tokenizer');
    expect(drawPhases(box(60, 5, 'rule'), { top: 999 }).at(-1)).toContain('Ready');
  });

  it('says a failed and a skipped phase by a mark', () => {
    const phases = loadingModel().phases.map((phase, index) =>
      index === 4
        ? { ...phase, status: 'failed' as const }
        : index === 5
          ? { ...phase, status: 'skipped' as const }
          : phase,
    );
    const rows = drawPhases(box(60, 15), { phases });
    expect(rows[5]).toContain('✗ Load weights');
    expect(rows[6]).toContain('– KV cache');
  });
});

describe('GPUs', () => {
  const drawGpus = (rect: Framed, change: (row: GpuRow) => GpuRow = (row) => row): readonly string[] => {
    const { gpus } = loadingModel();
    return draw(
      <Gpus gpus={{ ...gpus, rows: gpus.rows.map(change) }} focused={false} rect={rect} painter={painter} />,
    );
  };

  it('shows memory, utilisation, power, temperature, pid and history where there is room', () => {
    const rows = drawGpus(box(98, 12));
    expect(rows[0]).toMatch(/GPUs {2}8 × H200 ─+ 506 \/ 1123 GiB ─╮/);
    expect(rows[1]).toMatch(/# memory +MiB +util +W +°C +rank +pid/);
    expect(rows[2]).toMatch(/│ 0 █+[▉-▏]?·+ +62,310\/143,771 +4% +118W +38° +TP0 +41201 +[▁-█]+ │/);
  });

  it('drops what it has no room for, the bar and MiB last', () => {
    const rows = drawGpus(box(40, 9, 'rule'));
    expect(rows[1]).toMatch(/^ 0 █+[▉-▏]?·+ +62310\/143771 +4% /);
  });

  it('names a lost GPU in place of its figures', () => {
    const rows = drawGpus(box(60, 12), (row) => (row.index === 3 ? { ...row, fault: 'GPU is lost' } : row));
    expect(rows[5]).toMatch(/│ 3 ✗ GPU is lost · TP3 +│/);
  });

  it('shows what the kernel said of a GPU at its row, also of a lost one', () => {
    const xid = 'Xid 79: GPU has fallen off the bus.';
    const rows = drawGpus(box(80, 10, 'rule'), (row) => ({
      ...row,
      fault: row.index === 2 ? 'GPU is lost' : null,
      kernel: row.index === 1 || row.index === 2 ? xid : null,
    }));
    expect(rows[3]).toMatch(/^ 1 █+.* 17% +▲ TP1 · Xid 79: GPU has fallen o…$/);
    expect(rows[4]).toMatch(/^ 2 ✗ GPU is lost · TP2 · Xid 79: GPU has fallen off the bus\. *$/);
    expect(rows[5]).toMatch(/^ 3 █+.* TP3 /);
    const wide = drawGpus(box(112, 12), (row) => ({ ...row, kernel: row.index === 1 ? xid : null }));
    expect(wide[3]).toContain(`▲ TP1 · ${xid}`);
    const bare = drawGpus(box(80, 1, 'bare'), (row) => ({ ...row, kernel: row.index === 1 ? xid : null }));
    expect(bare[0]).toMatch(/▲ GPU 1 Xid 79: /);
  });

  it('names MIG instances in place of a utilisation', () => {
    const rows = drawGpus(box(80, 10, 'rule'), (row) => ({
      ...row,
      utilPercent: null,
      mig: 'MIG 2x3g.71gb',
    }));
    expect(rows[2]).toMatch(/62,310\/143,771 +MIG 2x3g\.71gb +/);
  });

  it('gives sixteen a row each where there are so many, and sums up the rest where not', () => {
    const { gpus } = loadingModel();
    const sixteen = [0, 8].flatMap((from) => gpus.rows.map((row) => ({ ...row, index: row.index + from })));
    const drawn = (height: number): readonly string[] =>
      draw(
        <Gpus
          gpus={{ ...gpus, rows: sixteen }}
          focused={false}
          rect={box(80, height, 'rule')}
          painter={painter}
        />,
      );
    expect(
      drawn(17)
        .slice(1)
        .map((row) => Number(row.slice(1, 3))),
    ).toEqual([...sixteen.keys()]);
    const few = drawn(9);
    expect(few[0]).toContain('GPUs  16 × H200');
    expect(few.slice(1, 8).map((row) => Number(row.slice(1, 3)))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(few[8]).toMatch(/^ 9 more, all: ▄{16} 1013\/2246 GiB/);
  });

  it('leaves out what the tool did not say, and never shows it as zero', () => {
    const rows = drawGpus(box(60, 12), (row) => ({
      ...row,
      powerW: null,
      utilPercent: null,
      memUsedMiB: null,
    }));
    expect(rows.join('\n')).not.toMatch(/\b0%|\b0W|null|NaN/);
  });

  it('marks the share that is expected, until it is reached', () => {
    const at = (memUsedMiB: number) =>
      drawGpus(box(112, 12), (row) => ({ ...row, memUsedMiB, expectedShare: 0.85 })).slice(1, 3);
    expect(at(40_000)[0]).toContain('# memory, ┊ expected');
    expect(at(40_000)[1]).toMatch(/│ 0 █+[▉-▏]?·+┊·+ /);
    expect(at(140_000)[1]).not.toContain('┊');
    expect(drawGpus(box(112, 12)).join('')).not.toContain('┊');
  });

  it('sums them up in one row', () => {
    expect(drawGpus(box(60, 1, 'bare'))[0]).toMatch(/^ GPU ▄{8} 506\/1123 GiB 45% util 4-82%$/);
  });

  it('counts those for which there is no row', () => {
    expect(drawGpus(box(60, 6, 'rule')).at(-1)).toMatch(/4 more, all: /);
  });

  it('marks a hot one by a sign', () => {
    expect(drawGpus(box(80, 12), (row) => ({ ...row, temperatureC: 91 }))[2]).toContain('!91°');
  });
});

describe('header', () => {
  const drawHeader = (width: number): string =>
    draw(
      <Header
        header={loadingModel().header}
        status={loadingModel().status}
        rect={box(width, 1)}
        painter={painter}
      />,
    )[0] ?? '';

  it('names target, engine, attempt, link, process and HTTP where there is room', () => {
    for (const words of [
      'firedup',
      'gpu-17',
      '(h200-rack3-17)',
      'SGLang 0.5.9',
      'attempt 2',
      '● connected',
      '/health 503',
      '⠼ LOADING',
      '2:34',
      '≈ 4–5 min left',
    ]) {
      expect(drawHeader(240)).toContain(words);
    }
  });

  it('gives way from the least to the most important', () => {
    expect(drawHeader(80)).toMatch(/gpu-17 .*attempt 2 .*● connected .*LOADING/);
    expect(drawHeader(40)).toMatch(/gpu-17 .*● connected .*LOADING/);
    expect(drawHeader(40)).not.toContain('SGLang');
  });
});

describe('status line', () => {
  const drawStatus = (model = loadingModel(), width = 160, height = 1): readonly string[] =>
    draw(<Status notice={null} status={model.status} rect={box(width, height)} painter={painter} />);

  it('has word and mark, summary, what moves, elapsed and ETA', () => {
    expect(drawStatus()[0]).toMatch(
      /LOADING +Load weights, 29 of 64 shards .*disk 1\.2 GB\/s · CPU 7\.8 cores .*≈ 4–5 min left +2:34$/,
    );
    expect(drawStatus(readyModel())[0]).toContain('✓ READY');
    expect(drawStatus(stalledModel())[0]).toMatch(/▲ STALLED .*log quiet 2:11/);
  });

  it('gives up the bar and the reason of the estimate before what moves', () => {
    const model = loadingModel();
    const eta = '≈ 4:00–5:00 left in this phase, at its present rate';
    const status = {
      ...model.status,
      summary: 'Load weights',
      activity: 'disk 1.2 GB/s · GPU memory +2.1 GB/s over 8 · CPU 7.8 cores',
      eta,
    };
    const drawn = (width: number): string => drawStatus({ ...model, status }, width)[0] ?? '';
    const gpu = 'GPU memory \\+2\\.1 GB/s over 8';
    expect(drawn(210)).toMatch(
      new RegExp(`disk 1\\.2 GB/s · ${gpu} · CPU 7\\.8 cores +phases █.* 31% .*at its present rate +2:34$`),
    );
    expect(drawn(140)).toMatch(/disk .* CPU 7\.8 cores +≈ 4:00–5:00 left in this phase +2:34$/);
    expect(drawn(112)).toMatch(/disk .* CPU 7\.8 cores +≈ 4:00–5:00 left +2:34$/);
    expect(drawn(98)).toMatch(new RegExp(`disk 1\\.2 GB/s · ${gpu} +≈ 4:00–5:00 left +2:34$`));
    expect(drawn(80)).toMatch(/disk 1\.2 GB\/s +≈ 4:00–5:00 left +2:34$/);
    expect(drawn(60)).toMatch(/disk 1\.2 GB\/s +2:34$/);
  });

  it('keeps the elapsed time to the last', () => {
    expect(drawStatus(loadingModel(), 40)[0]).toMatch(/LOADING .*2:34$/);
  });

  it('says that a verdict is provisional', () => {
    const model = readyModel();
    expect(drawStatus({ ...model, status: { ...model.status, provisional: true } })[0]).toContain(
      'READY  (provisional)',
    );
  });

  it('tells a notice in its second row, so that the keys stay', () => {
    const notice = { level: 'warning', text: 'read-only' } as const;
    const rows = draw(
      <Status notice={notice} status={loadingModel().status} rect={box(160, 2)} painter={painter} />,
    );
    expect(rows[0]).toContain('LOADING');
    expect(rows[1]?.trim()).toMatch(/^\S read-only$/);
  });

  it('shows the evidence with its lines below, where it has two rows', () => {
    expect(drawStatus(loadingModel(), 160, 2)[1]).toContain('log Load weight begin (line 41) · http :30000');
  });
});

describe('key line', () => {
  const drawFooter = (
    context: Parameters<typeof Footer>[0]['context'],
    width = 100,
    more: Partial<Parameters<typeof Footer>[0]> = {},
  ): string =>
    draw(
      <Footer
        context={context}
        notice={null}
        input={inputLine('a|b')}
        inputError={null}
        rect={box(width, 1)}
        painter={painter}
        {...more}
      />,
    )[0] ?? '';

  it('shows the keys of the moment and always the way to help', () => {
    expect(drawFooter('main')).toMatch(/^ K kill {2}R relaunch {2}D dump .* \? help$/);
    expect(drawFooter('main', 40)).toMatch(/^ K kill .* \? help$/);
    expect(drawFooter('kill')).toBe(' y do it  Enter cancel');
    expect(drawFooter('relaunch')).toContain('e edit');
  });

  it('keeps the first keys and the way out beside a notice that is short, and lends a long one its line', () => {
    const drawNotice = (text: string, width: number): string =>
      drawFooter('main', width, { notice: { level: 'info', text } });
    expect(drawNotice('long lines are wrapped', 80)).toMatch(
      /^ K kill {2}R relaunch {2}D dump {2}.*long lines are wrapped +q leave {2}\? help/,
    );
    expect(drawNotice('40 lines copied, and in ~/dumps/big.log', 80)).toMatch(
      /^ \S 40 lines copied, and in ~\/dumps\/big\.log +q leave {2}\? help/,
    );
    expect(drawNotice('long lines are wrapped', 40)).toMatch(/^ \S long lines are wrapped$/);
  });

  it('is the input line while a filter is typed, with what is wrong with it', () => {
    expect(drawFooter('filter')).toMatch(/^ \/ a\|b .*Enter keep {2}Esc clear$/);
    expect(drawFooter('filter', 80, { inputError: 'missing )' })).toMatch(/missing \)$/);
  });
});

describe('dialogs', () => {
  const text = (model = killDialogModel()): string => {
    if (model.dialog === null) throw new Error('no dialog');
    const { rows, foot } = dialogRows(model.dialog, inputLine(model.dialog.editing ?? ''), 70, painter);
    return [...rows, ...foot].map((row) => row.replace(/\u001B\[0m/g, '')).join('\n');
  };

  it('names what will happen to what, with Cancel in focus', () => {
    expect(text()).toContain('pid 41170 and 12 processes');
    expect(text()).toContain('\u001B[7m Cancel ');
    expect(text()).toMatch(/y.* kill it/);
  });

  it('is a checklist while it runs, and offers no answer then', () => {
    expect(text(relaunchRunningModel())).toMatch(/✓ .*kill .*Every process has gone/);
    expect(text(relaunchRunningModel())).not.toContain('Cancel');
  });

  it('has an input line while it is edited', () => {
    const { dialog } = killDialogModel();
    if (dialog === null) throw new Error('no dialog');
    const model = {
      ...killDialogModel(),
      dialog: { ...dialog, kind: 'relaunch' as const, editing: '--tp 4' },
    };
    expect(text(model)).toContain('--tp 4');
    expect(text({ ...model, dialog: { ...model.dialog, editing: '' } })).toContain('NAME=value --flag value');
    expect(text(model)).not.toContain('Cancel');
  });
});

describe('triage card', () => {
  const plain = (rows: readonly string[]): readonly string[] =>
    rows.map((row) => row.replace(/\u001B\[[\d;]*m/g, '').trimEnd());

  it('says cause, rank, where, consequences and remedies, the chosen one marked', () => {
    const text = plain(paneTriageRows(triageCard, 96, painter)).join('\n');
    expect(text).toMatch(/cause +AttributeError/);
    expect(text).toMatch(/where +rank TP0 · srt\/model_executor\/model_runner\.py:412/);
    const cause = triageCard.cause && { ...triageCard.cause, rank: 'rank6' };
    expect(plain(paneTriageRows({ ...triageCard, cause }, 96, painter)).join('\n')).toMatch(/where +rank6 ·/);
    expect(text).toMatch(/followed +46 lines are consequences/);
    expect(text).toMatch(/▸ Allow the longer context/);
    expect(text).toMatch(/SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1 --context-length 131072 {3}a apply/);
  });

  const long = {
    ...triageCard,
    cause: triageCard.cause && { ...triageCard.cause, text: `ValueError: ${'word '.repeat(120)}end` },
  };

  it('tells all of it on `t`: no word is cut, none left out', () => {
    const all = plain(triageRows(long, 60, painter, allOfIt));
    expect(all.join('\n')).toContain('word end');
    expect(all.join('\n')).not.toContain('…');
    expect(all.filter((row) => /^ *1\d\d\d /.test(row))).toHaveLength(46);
    for (const { line } of triageCard.consequences) {
      const words = all.join(' ').replace(/\s+/g, ' ');
      expect(words).toContain(line.slice(0, 40));
    }
  });

  it('fits any room, and of the least keeps the cause and the remedy that can be applied', () => {
    for (const width of [36, 56, 76, 116]) {
      let before = 0;
      for (let height = 4; height <= 30; height++) {
        const rows = plain(paneTriageRows(long, width, painter, height));
        expect(rows.length).toBeGreaterThanOrEqual(Math.min(before, height));
        before = rows.length;
        expect(rows.join('\n')).toMatch(/cause +ValueError: word/);
        // Of a cause that is longer than its room the last word is whole.
        expect(rows.join('\n')).not.toMatch(/w[ord]{0,2}…/);
        if (height >= 7) {
          expect(rows.length).toBeLessThanOrEqual(height);
          expect(rows.join(' ').replace(/\s+/g, '')).toContain('SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1');
          expect(rows.join('\n')).toMatch(/ a (apply|put it)/);
        }
      }
      expect(plain(paneTriageRows(long, width, painter)).join('\n')).toContain('46 lines');
    }
  });

  it('shows suspicions only where no cause is known', () => {
    const suspicions = [{ lineNumber: 7, line: 'NCCL WARN something' }];
    const without = paneTriageRows({ ...triageCard, cause: null, suspicions }, 96, painter).join('\n');
    expect(without).toMatch(/suspect.*7: .*NCCL WARN/);
    expect(paneTriageRows({ ...triageCard, suspicions }, 96, painter).join('\n')).not.toContain('NCCL WARN');
  });
});

describe('without UTF-8', () => {
  it('draws in ASCII alone, whatever the texts hold', () => {
    const ascii = createPainter({ theme: themes[0], depth: 'none', glyphs: asciiGlyphs, sanitize });
    const model = loadingModel();
    const rows = [
      ...draw(
        <Phases
          isOld={false}
          phases={model.phases}
          top={0}
          focused
          outcome="loading"
          beat={3}
          rect={box(60, 15)}
          painter={ascii}
        />,
      ),
      ...draw(<Gpus gpus={model.gpus} focused={false} rect={box(98, 12)} painter={ascii} />),
      ...draw(<Header header={model.header} status={model.status} rect={box(160, 1)} painter={ascii} />),
      ...draw(<Status notice={null} status={model.status} rect={box(160, 2)} painter={ascii} />),
    ];
    expect(rows.join('')).toMatch(/^[\x20-\x7e]*$/);
  });
});
