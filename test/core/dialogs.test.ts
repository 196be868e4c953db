import { describe, expect, it } from 'vitest';
import type { DialogLook } from '../../src/core/dialog-look.js';
import { launchSpec } from '../../src/core/launch-spec.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { crashedRun, hostFacts, readyRun, Story } from './fold.js';

const running = (): Story =>
  new Story()
    .emptyLog()
    .alive(60)
    .write(...readyRun(0));

const listed = (pid: number, command: string) => ({
  pid,
  startTicks: String(pid * 100),
  owner: 'alice',
  ageMs: 600_000,
  command,
});

const look: DialogLook = {
  ends: [listed(4711, 'python -m sglang.launch_server'), listed(4712, 'sglang::scheduler')],
  foreign: [{ ...listed(50, 'helper'), owner: 'bob' }],
  near: [
    { ...listed(77, 'logger'), foreign: false, why: 'also writes the log' },
    { ...listed(78, 'python twin.py'), owner: 'bob', foreign: true, why: 'uses the same GPU (600 MiB)' },
  ],
  spec: launchSpec({
    command: ['python', '-m', 'sglang.launch_server', '--tp', '8', '--api-key', 'word-of-mouth'],
    env: { HF_TOKEN: 'hidden-value', STAGE: 'one' },
  }),
  notes: [],
};

const looked = (story: Story, found: DialogLook = look): Story =>
  story.event({ type: 'dialog-look', at: story.now, openedAt: story.now, look: found });

const lines = (story: Story): string => selectScreen(story.state).dialog?.lines.join('\n') ?? '';

describe('the kill dialog', () => {
  it('names all that ends with its age, who is left to others, and who is near and left alone', () => {
    const story = looked(running().key({ kind: 'ask-kill' }));
    expect(lines(story)).toContain('for 10 min');
    expect(lines(story)).toContain('ends     2 processes by SIGTERM');
    expect(lines(story)).toContain('50 of bob: helper');
    expect(lines(story)).toContain('also writes the log: 77, alice, logger — not killed');
    expect(lines(story)).toContain(
      'uses the same GPU (600 MiB): 78, bob, python twin.py — another user, not killed',
    );
  });

  it('ends one that is near only when it was chosen, and never one of another user', () => {
    const story = looked(running().key({ kind: 'ask-kill' }));
    story.key({ kind: 'toggle-near', number: 1 }).key({ kind: 'toggle-near', number: 2 });
    story.key({ kind: 'toggle-near', number: 3 });
    expect(lines(story)).toContain('77, alice, logger — ENDED TOO');
    expect(lines(story)).toContain('another user, not killed');
    expect(story.key({ kind: 'confirm' }).effects.at(-1)).toMatchObject({
      type: 'kill',
      also: [{ pid: 77, startTicks: '7700' }],
    });
    const none = looked(running().key({ kind: 'ask-kill' }));
    none.key({ kind: 'toggle-near', number: 1 }).key({ kind: 'toggle-near', number: 1 });
    expect(none.key({ kind: 'confirm' }).effects.at(-1)).toMatchObject({ also: [] });
  });

  it('sends the signal that was chosen', () => {
    const story = running()
      .key({ kind: 'ask-kill' })
      .key({ kind: 'next-signal' })
      .key({ kind: 'next-signal' });
    expect(lines(story)).toContain('SIGKILL');
    expect(selectScreen(story.state).dialog?.signal).toBe('KILL');
    expect(story.key({ kind: 'confirm' }).effects.at(-1)).toMatchObject({ type: 'kill', signal: 'KILL' });
  });

  it('takes no answer that was asked for an earlier dialog', () => {
    const story = running().key({ kind: 'ask-kill' });
    const openedAt = story.now;
    story.key({ kind: 'cancel' }).later(5).key({ kind: 'ask-kill' });
    story.event({ type: 'dialog-look', at: story.now, openedAt, look });
    expect(lines(story)).toContain('being looked up');
  });
});

describe('the relaunch dialog', () => {
  it('shows what is different from the last attempt, without its secrets', () => {
    const story = looked(running().key({ kind: 'ask-relaunch' }));
    expect(lines(story)).toContain('changes  none');
    story.event({
      type: 'form',
      at: story.now,
      form: {
        env: {},
        args: [],
        before: ['make clean'],
        edited: {
          command: ['python', '-m', 'sglang.launch_server', '--tp', '4', '--api-key', 'other-word'],
          shell: false,
          env: { HF_TOKEN: 'new-value', STAGE: 'two' },
          cwd: '/srv',
        },
      },
      problem: null,
    });
    const text = lines(story);
    for (const line of ['- cwd ~', '+ cwd /srv', '- STAGE=one', '+ STAGE=two', '- --tp 8', '+ --tp 4'])
      expect(text).toContain(line);
    expect(text).toContain('+ HF_TOKEN=***');
    expect(text).toContain('+ --api-key ***');
    expect(text).toContain('+ before make clean');
    expect(text).not.toContain('before   make clean');
    expect(text).not.toMatch(/hidden-value|new-value|word-of-mouth|other-word/);
    expect(story.key({ kind: 'confirm' }).effects.at(-1)).toMatchObject({
      type: 'relaunch',
      form: { edited: { cwd: '/srv' } },
      signal: 'TERM',
    });
  });

  it('tells a step of several lines by its first, and once: as a change, or as what runs again', () => {
    const step = '# adds what is missing\ncd models &&\nmake patch';
    const story = running().key({ kind: 'ask-relaunch' });
    const told = (): string =>
      lines(looked(story.event({ type: 'form', at: story.now, form: formWith(step), problem: null })));
    const formWith = (...before: readonly string[]) => ({ ...story.state.form, before });
    expect(told()).toContain('+ before # adds what is missing (and 2 more lines)');
    expect(told()).not.toMatch(/before {3}#|make patch/);
    story.state = { ...story.state, ranBefore: [step], attempt: null };
    expect(told()).toContain('before   # adds what is missing (and 2 more lines)');
    expect(told()).not.toMatch(/\+ before|make patch/);
    // Where that does not tell one from the other, by all of them.
    const other = '# adds what is missing\ncd models &&\nmake other';
    story.state = { ...story.state, ranBefore: [other] };
    expect(told()).toContain('- before # adds what is missing↵cd models &&↵make other');
    expect(told()).toContain('+ before # adds what is missing↵cd models &&↵make patch');
  });

  it('names the host as it was typed, and by its own name where that differs', () => {
    const story = looked(running().key({ kind: 'ask-relaunch' }));
    expect(lines(story)).toContain('host     gpu-17\n');
    story.event({ type: 'host', at: story.now, host: { ...hostFacts, hostname: 'h200-rack3-17' } });
    expect(lines(story)).toContain('host     gpu-17 (h200-rack3-17)\n');
  });

  it('says none only where that is known: not while it is looked up, nor where a step before the start is new', () => {
    const story = running().key({ kind: 'ask-relaunch' });
    expect(lines(story)).toContain('changes  (the command is being looked up)');
    story.event({
      type: 'form',
      at: story.now,
      form: { ...story.state.form, env: { HF_TOKEN: 'new-value' }, args: ['--tp', '4'], before: ['patch'] },
      problem: null,
    });
    const known = ['+ HF_TOKEN=***', '+ --tp 4', '+ before patch (not known to have run last time)'];
    const pattern = (words: readonly string[]) => words.join('\n         ');
    expect(lines(story)).toContain(
      pattern([`changes  ${known[0]}`, ...known.slice(1), '(the command is being looked up)']),
    );
    expect(lines(looked(story, { ...look, spec: null }))).toContain(
      '(the command of the last start is not known)',
    );
    expect(lines(looked(story))).toContain('- --tp 8');
    // What is going to run, not what ran.
    expect(lines(story)).toContain('command  python -m sglang.launch_server --tp 4 --api-key ***');
    expect(lines(story)).not.toContain('looked up');
  });

  it('offers a signal only where there is something to end', () => {
    const story = running().process({ status: 'gone', pid: 4711, exit: null }).later(2);
    const attempt = {
      number: 3,
      name: 'big',
      folder: '/state',
      log: '/logs/server.log',
      logIsFresh: false,
      wasKilled: false,
      command: 'python',
      pid: 4711,
      startTicks: '471100',
      bootId: 'boot',
      startedAt: story.now,
    };
    story.event({ type: 'attempt', at: story.now, attempt, isNew: false, reading: story.state.reading });
    story.process({ status: 'gone', pid: 4711, exit: null }).key({ kind: 'ask-relaunch' });
    expect(selectScreen(story.state).dialog?.signal).toBeNull();
    expect(selectScreen(looked(story).state).dialog?.signal).toBe('TERM');
  });

  it('opens the editor where the command is known, and edits in place where it is not', () => {
    const known = looked(running().key({ kind: 'ask-relaunch' })).key({ kind: 'edit' });
    expect(known.effects.at(-1)).toMatchObject({
      type: 'edit-launch',
      spec: { command: look.spec?.command },
    });
    const unknown = looked(running().key({ kind: 'ask-relaunch' }), { ...look, spec: null });
    unknown.key({ kind: 'edit' });
    expect(selectScreen(unknown.state).dialog?.editing).toBe('');
    known.key({ kind: 'edit-in-place' });
    expect(selectScreen(known.state).dialog?.editing).toBe('');
  });

  it('says what is wrong with an edited text, and keeps the form', () => {
    const story = looked(running().key({ kind: 'ask-relaunch' }));
    const { form } = story.state;
    story.event({ type: 'form', at: story.now, form: null, problem: 'line 3: "comand" is not known here.' });
    expect(lines(story)).toContain('problem  line 3: "comand" is not known here.');
    expect(story.state.form).toEqual(form);
  });

  const piped: DialogLook = { ...look, spec: launchSpec({ command: ['vllm serve m --tp 8 | tee log'] }) };
  const withArgs = (story: Story): Story =>
    story.event({
      type: 'form',
      at: story.now,
      form: { ...story.state.form, args: ['--tp', '4'] },
      problem: null,
    });

  it('starts nothing while the form has no certain place in the command, or a fault, and says what to do', () => {
    const story = withArgs(looked(running().key({ kind: 'ask-relaunch' }), piped));
    expect(lines(story)).toContain('problem  Where --tp 4 belongs cannot be told for certain');
    expect(selectScreen(story.state).dialog?.blocked).toBe(true);
    expect(story.key({ kind: 'confirm' }).effects.some(({ type }) => type === 'relaunch')).toBe(false);
    const faulty = looked(running().key({ kind: 'ask-relaunch' }));
    faulty.event({ type: 'form', at: faulty.now, form: null, problem: 'line 3: no.' });
    expect(selectScreen(faulty.state).dialog?.blocked).toBe(true);
    expect(faulty.key({ kind: 'confirm' }).effects.some(({ type }) => type === 'relaunch')).toBe(false);
  });

  it('edits at once what a remedy cannot be put into, and relaunches what it can', () => {
    const apply = (command: string): Story => {
      const story = new Story().emptyLog().alive(60);
      const error = 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.';
      story.write(...crashedRun(0).map((line) => line.replace(/^KeyError.*/, error)));
      story.key({ kind: 'apply-remedy' });
      expect(story.state.form.args).not.toEqual([]);
      return looked(story, { ...look, spec: launchSpec({ command: [command] }) });
    };
    const unclear = apply('python -m sglang.launch_server --tp 8 | tee log');
    expect(unclear.effects.at(-1)).toMatchObject({ type: 'edit-launch', form: unclear.state.form });
    const clear = apply('source venv/bin/activate && python -m sglang.launch_server --tp 8');
    expect(clear.effects.at(-1)?.type).toBe('look-up');
    expect(lines(clear)).toContain(
      `+ source venv/bin/activate && python -m sglang.launch_server --tp 8 ${clear.state.form.args.join(' ')}`,
    );
    expect(clear.key({ kind: 'confirm' }).effects.at(-1)?.type).toBe('relaunch');
  });

  it('says who can do what no key puts in, and which step R has in store', () => {
    const crash = (): Story =>
      new Story()
        .emptyLog()
        .alive(60)
        .write(...crashedRun(0));
    const notice = (story: Story): string | undefined => {
      const after = story.key({ kind: 'apply-remedy' });
      expect(after.state.dialog).toBeNull();
      return selectScreen(after.state).notice?.text;
    };
    expect(notice(crash())).toBe('these are done by hand: R, then e, edits the command');
    const story = crash();
    story.state = { ...story.state, form: { ...story.state.form, before: ['# mends it\nmake patch'] } };
    expect(notice(story)).toBe('done by hand; R runs first: # mends it');
    expect(notice(new Story().emptyLog().alive(60))).toBe('no remedy is known that could be put in');
  });

  it('says what could not be read', () => {
    const note = 'Its environment cannot be read; it would start in that of the login.';
    expect(lines(looked(running().key({ kind: 'ask-relaunch' }), { ...look, notes: [note] }))).toContain(
      note,
    );
  });
});
