import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { compileProgram } from '../support/compile.js';
import { report } from './figures.js';

interface Figures {
  readonly charactersALine: number;
  readonly oneMillion: Readonly<Record<string, number>>;
  readonly afterFilters: number;
  readonly filters: readonly (Readonly<Record<string, number>> & { readonly text: string })[];
  readonly tenMillion: Readonly<Record<string, number>>;
}

describe('the log that is kept', () => {
  it('a million lines, filters over them, ten million lines', () => {
    const program = compileProgram('test/bench/log-memory.ts');
    try {
      const { stdout, stderr } = spawnSync(process.execPath, [program.path], { encoding: 'utf8' });
      expect(stderr).toBe('');
      const figures = JSON.parse(stdout) as Figures;
      report('lines', { characters: figures.charactersALine });
      report('1,000,000 lines kept', figures.oneMillion);
      for (const { text, ...cost } of figures.filters) report(`filter ${text}`, cost);
      report('after the filters', { rssMiB: figures.afterFilters });
      report('10,000,000 lines fed', figures.tenMillion);
    } finally {
      program.remove();
    }
  });
});
