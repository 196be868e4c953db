import { expect, it } from 'vitest';
import { LaunchStory } from '../support/screen-stories.js';
import { openStory } from './open-fixture.js';

/** The rows of the phases in a narrow screen, where four of them have room. */
const isPhases = (rows: readonly string[]): boolean => rows[1]?.includes('Phases') === true;

it('scrolls the phases from those in sight to the first, down again, and back to the one under way', async () => {
  const { terminal } = openStory(new LaunchStory().ready(), [80, 24]);
  const phases = async (...keys: readonly string[]): Promise<readonly string[]> => {
    await terminal.press(...keys);
    return (await terminal.waitFor(isPhases)).slice(2, 6);
  };
  const folded = await phases('1');
  expect(folded[0]).toMatch(/✓ \d+ done/);
  expect(folded[3]).toContain('Ready');
  const up = await phases('k');
  expect(up.join('\n')).not.toMatch(/\d+ done|Ready/);
  expect(await phases('j')).toMatchObject([expect.anything(), ...folded.slice(1)]);
  const top = await phases('g');
  expect(top[0]).toMatch(/✓ (?:Process started|Read arguments)/);
  expect(await phases('k')).toEqual(top);
  expect((await phases('j'))[0]).toBe(top[1]);
  expect(await phases('G')).toEqual(folded);
});

it('goes on from what is in sight, row by row', async () => {
  const { terminal } = openStory(new LaunchStory().weights(), [80, 24]);
  await terminal.press('1');
  const [, active = ''] = (await terminal.waitFor(isPhases)).slice(2, 6);
  expect(active).toContain('Load weights');
  await terminal.press('j');
  await terminal.waitFor((rows) => rows[2]?.includes('Load weights') === true);
});
