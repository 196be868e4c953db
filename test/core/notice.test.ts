import { describe, expect, it } from 'vitest';
import { selectScreen } from '../../src/core/select/screen.js';
import { Story } from './fold.js';

const shown = (story: Story): string | null => selectScreen(story.state).notice?.text ?? null;

describe('a notice', () => {
  it('that answers a key goes after four seconds, a refusal too', () => {
    const story = new Story().emptyLog().write('a line');
    story.key({ kind: 'toggle', what: 'wrap' });
    expect(shown(story.later(3.5))).toBe('long lines are wrapped');
    expect(shown(story.later(1))).toBeNull();
    story.key({ kind: 'ask-kill' });
    expect(shown(story.later(3.5))).toBe('there is no running process to kill');
    expect(shown(story.later(1))).toBeNull();
  });

  it('that has something to read stays as long as that takes: a path eight seconds, an error longer', () => {
    const story = new Story();
    const text = '40 lines copied, and in ~/.local/state/firedup/dumps/big.log';
    story.event({ type: 'notice', at: story.now, level: 'info', text });
    expect(shown(story.later(7.5))).toBe(text);
    expect(shown(story.later(1))).toBeNull();
    story.event({ type: 'notice', at: story.now, level: 'error', text: 'no dump: no space left' });
    expect(shown(story.later(11))).toBe('no dump: no space left');
    expect(shown(story.later(2))).toBeNull();
  });

  it('that holds until something changes stands as long as it is told again', () => {
    const story = new Story();
    const text = 'telemetry probe: it cannot work here';
    for (let again = 0; again < 4; again += 1) {
      story.event({ type: 'notice', at: story.now, level: 'warning', text, forMs: 20_000 });
      expect(shown(story.later(14))).toBe(text);
    }
    expect(shown(story.later(10))).toBeNull();
  });

  it('gives way to the next one, and waits behind a dialog', () => {
    const story = new Story().emptyLog().alive(60).key({ kind: 'toggle', what: 'mouse' });
    story.key({ kind: 'toggle', what: 'stamps' });
    expect(shown(story)).toBe('time stamps are shown without their date');
    expect(shown(story.key({ kind: 'ask-kill' }))).toBeNull();
    expect(shown(story.key({ kind: 'cancel' }))).toBe('time stamps are shown without their date');
  });
});
