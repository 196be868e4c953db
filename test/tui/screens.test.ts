import { expect, test } from 'vitest';
import { screenFixtures } from '../support/screen-fixtures.js';
import { openFixture } from './open-fixture.js';

test('look', async () => {
  const [name = 'loading', size = '100x30'] = (process.env.LOOK ?? '').split(' ');
  const [c = 100, r = 30] = size.split('x').map(Number);
  const fixture = screenFixtures[name];
  if (!fixture) throw new Error('?');
  const { terminal, handle } = openFixture(fixture(), [c, r]);
  handle.closed.then((end) => console.log(end));
  const rows = await terminal.waitFor((shown) => shown.some((row) => row !== ''));
  handle.close();
  console.log(`\n${rows.join('\n')}`);
  expect(rows.length).toBe(r);
});
