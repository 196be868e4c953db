import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/cli/load-config.js';
import { missingValues } from '../../src/cli/target-env.js';

const folder = mkdtempSync(join(tmpdir(), 'firedup-env-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('names what a right config refers to and is not to be had here, once and with its place', async () => {
  const file = join(folder, 'firedup.yaml');
  writeFileSync(
    file,
    [
      'defaults: { env: { SHARED: { from-env: FIREDUP_TEST_UNSET } } }',
      'targets:',
      '  one: { host: local, command: serve, env: { TOKEN: { file: gone }, HERE: text } }',
      '  two: { host: local, command: serve, env: { HOME_TOO: { from-env: HOME } } }',
    ].join('\n'),
  );
  const config = await loadConfig(file);
  const missing = config === null ? [] : await missingValues(config);
  expect(missing).toHaveLength(2);
  expect(missing.join('\n')).toMatch(
    /:1:\d+: .*defaults\.env\.SHARED.*FIREDUP_TEST_UNSET, which is not set here/,
  );
  expect(missing.join('\n')).toMatch(/:3:\d+: .*targets\.one\.env\.TOKEN/);
});
