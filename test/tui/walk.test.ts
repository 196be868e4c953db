import { describe, expect, it } from 'vitest';
import { LaunchStory, looked } from '../support/screen-stories.js';
import { openFixture } from './open-fixture.js';

/** Keys of one sitting after a crash, each with what it is for. */
const keys: readonly (readonly [key: string, sent: string, why: string])[] = [
  ['t', 't', 'all of the card'],
  ['j', 'j', 'a line down in it'],
  ['G', 'G', 'to its end'],
  ['t', 't', 'the standing card again'],
  ['h', 'h', 'the attempts'],
  ['j', 'j', 'the one before'],
  ['Enter', '\r', 'opened'],
  ['q', 'q', 'the list again'],
  ['s', 's', 'the arguments from there'],
  ['Right', '\u001B[C', 'beside the last good one, if there is one'],
  ['Esc', '\u001B', 'back to the card'],
  ['?', '?', 'the keys'],
  ['Esc', '\u001B', 'and back'],
  ['a', 'a', 'the remedy in the relaunch dialog'],
  ['s', 's', 'nothing is to be ended: no other signal'],
  ['Esc', '\u001B', 'cancelled'],
  ['R', 'R', 'what was put in is still there'],
  ['n', 'n', 'cancelled again'],
  ['K', 'K', 'nothing runs, so nothing is asked'],
  ['Esc', '\u001B', 'the card put away'],
  ['Enter', '\r', 'and back'],
  ['e', 'e', 'the errors alone'],
  ['k', 'k', 'held, a line up'],
  ['G', 'G', 'following again'],
  ['e', 'e', 'all lines'],
  ['/', '/', 'a filter'],
  ['t', 't', 'letters are letters in it'],
  ['p', 'p', ''],
  ['3', '3', ''],
  ['Enter', '\r', 'kept'],
  ['&', '&', 'only highlighted'],
  ['N', 'N', 'the match before'],
  ['Esc', '\u001B', 'cleared'],
  ['2', '2', 'the GPUs in focus'],
  ['z', 'z', 'alone'],
  ['q', 'q', 'and together again'],
  ['T', 'T', 'another theme'],
];

describe('a sitting key by key', () => {
  it('changes on the screen what each key is for, and nothing else', async () => {
    const story = new LaunchStory().crashed();
    const { terminal, handle } = openFixture(story.model, [80, 24], (intent) => {
      story.key(intent);
      if (story.effects.some(({ type }) => type === 'look-up')) looked(story);
      story.effects = [];
      return story.model;
    });
    let before: readonly string[] = await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    const record = [`the screen after the crash\n${before.join('\n')}\n`];
    for (const [key, sent, why] of keys) {
      await terminal.press(sent);
      const after = await settled(terminal.screen);
      const changed = after.flatMap((row, y) =>
        row === before[y] ? [] : [`${String(y + 1).padStart(2)} ${row}`.trimEnd()],
      );
      record.push(
        `=== ${key}${why === '' ? '' : `: ${why}`}\n${changed.join('\n') || '   (nothing changes)'}\n`,
      );
      before = after;
    }
    handle.close();
    await expect(record.join('\n')).toMatchFileSnapshot('golden/walk.txt');
  });
});

/** The rows once they stay as they are: the log is drawn a moment after the rest. */
async function settled(screen: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let last = await screen();
  for (let same = 0; same < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    const next = await screen();
    same = next.join('\n') === last.join('\n') ? same + 1 : 0;
    last = next;
  }
  return last;
}
