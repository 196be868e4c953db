import type { Screen } from './screen.js';
import { giveTitleBack, keepTitle, setTitle } from './title.js';

export type SessionEnd =
  | { readonly reason: 'closed' }
  /** The process was asked to end; the terminal has been given back. */
  | { readonly reason: 'signal'; readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' }
  /** A fault of ours: a throw in render, in a key handler, in a timer, in a promise. */
  | { readonly reason: 'failed'; readonly error: unknown };

export interface Session {
  /** Settles once, after the terminal has been given back. Never rejects. */
  readonly closed: Promise<SessionEnd>;
  end(end: SessionEnd): void;
  suspend(): void;
  /** Gives the terminal to another program until `work` has settled, and takes it back. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  setMouse(on: boolean): void;
  /** Names the window; what it was called before comes back with the terminal. `title` must be clean. */
  setTitle(title: string): void;
  /** A sequence that draws nothing (clipboard, bell); false: dropped, for the terminal is not ours now. */
  send(sequence: string): boolean;
}

export interface TerminalOut {
  readonly columns: number;
  readonly rows: number;
  write(data: string): unknown;
  on(event: 'resize' | 'error', listener: (...args: readonly unknown[]) => void): unknown;
  off(event: 'resize' | 'error', listener: (...args: readonly unknown[]) => void): unknown;
}

/** What the session starts and stops with the terminal. */
export interface SessionApp {
  mount(): void;
  unmount(): void;
  /** The size changed, or nothing on the terminal can be trusted any more. */
  repaint(): void;
}

/**
 * Alternate screen, cleared once; cursor off; no wrapping at the edge; bracketed paste; the wheel as arrow keys. That one
 * is on by default in some terminals and off in others, so it is put by and taken back rather than turned off.
 */
const enter = '\u001B[?1049h\u001B[2J\u001B[?25l\u001B[?7l\u001B[?2004h\u001B[?1007s\u001B[?1007h';

const mouseOn = '\u001B[?1000h\u001B[?1006h';

const mouseOff = '\u001B[?1006l\u001B[?1000l';

const leave = `${mouseOff}\u001B[?1007r\u001B[?2004l\u001B[?7h\u001B[?25h\u001B[0m\u001B[?1049l`;

/**
 * Owns the terminal from here until `end`: no other file writes to it or takes signals. Whatever happens, it is
 * given back first; SIGKILL alone cannot be caught (`reset` helps then).
 */
export function openSession(options: {
  readonly stdout: TerminalOut;
  readonly screen: Screen;
  readonly app: SessionApp;
  /** Its end is that of the terminal, as a write that fails is. */
  readonly stdin?: Pick<NodeJS.ReadStream, 'on' | 'off'>;
  /** Stops the foreground process group, as the terminal's own Ctrl-Z would; tests put their own here. */
  readonly stop?: () => void;
}): Session {
  const { stdout, screen, app } = options;
  let active = false;
  let lent = false;
  let ended = false;
  let mouse = false;
  let title: string | null = null;
  let keepAlive: NodeJS.Timeout | undefined;
  let settle: NodeJS.Timeout | undefined;
  let settled: (end: SessionEnd) => void = () => {};
  const closed = new Promise<SessionEnd>((resolve) => {
    settled = resolve;
  });

  const put = (data: string): void => {
    try {
      stdout.write(data);
    } catch {
      // The terminal is gone (SIGHUP): there is nothing left to restore.
    }
  };

  const start = (): void => {
    if (active || ended || lent) return;
    active = true;
    put(enter + (mouse ? mouseOn : '') + (title === null ? '' : keepTitle + setTitle(title)));
    screen.open();
    app.mount();
  };

  const stop = (): void => {
    if (!active) return;
    active = false;
    // Ink first: its unmount writes, and must not do so on the user's own screen.
    app.unmount();
    screen.close();
    put((title === null ? '' : giveTitleBack) + leave);
  };

  const end = (how: SessionEnd): void => {
    if (ended) return;
    ended = true;
    try {
      stop();
    } finally {
      const finish = (): void => {
        release();
        settled(how);
      };
      // Later after a signal: Ink's signal-exit ends the process by it when it finds itself the only listener.
      if (how.reason === 'signal') setImmediate(finish);
      else finish();
    }
  };

  const suspend = (): void => {
    stop();
    // An empty event loop would end the process before SIGCONT is delivered.
    keepAlive = setInterval(() => {}, 2 ** 30);
    (options.stop ?? stopForeground)();
  };

  const resume = (): void => {
    clearInterval(keepAlive);
    // After a plain SIGSTOP we still believe to be active, but the shell has reset the terminal.
    stop();
    start();
    // A resize while we were stopped is not delivered: Node asks for the size when it gets SIGWINCH.
    process.kill(process.pid, 'SIGWINCH');
  };

  const resized = (): void => {
    clearTimeout(settle);
    settle = setTimeout(() => {
      if (!active) return;
      screen.invalidate();
      app.repaint();
    }, 40);
  };

  const fail = (error: unknown): void => end({ reason: 'failed', error });
  const gone = (): void => end({ reason: 'signal', signal: 'SIGHUP' });
  const onExit = (): void => stop();
  const signals = (['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const).map(
    (signal) =>
      [
        signal,
        (): void => {
          // Ctrl-C and Ctrl-\ go to the whole group; they are meant for the program that has the terminal.
          if (lent && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
          end({ reason: 'signal', signal });
        },
      ] as const,
  );

  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', resume);
  for (const [signal, listener] of signals) process.on(signal, listener);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('exit', onExit);
  stdout.on('resize', resized);
  stdout.on('error', gone);
  for (const event of ['end', 'error'] as const) options.stdin?.on(event, gone);

  const release = (): void => {
    clearInterval(keepAlive);
    clearTimeout(settle);
    process.off('SIGTSTP', suspend);
    process.off('SIGCONT', resume);
    for (const [signal, listener] of signals) process.off(signal, listener);
    process.off('uncaughtException', fail);
    process.off('unhandledRejection', fail);
    process.off('exit', onExit);
    stdout.off('resize', resized);
    stdout.off('error', gone);
    for (const event of ['end', 'error'] as const) options.stdin?.off(event, gone);
  };

  try {
    start();
  } catch (error) {
    fail(error);
  }
  return {
    closed,
    end,
    suspend,
    async lend(work) {
      stop();
      lent = true;
      try {
        return await work();
      } finally {
        lent = false;
        start();
        // A resize meanwhile went to whoever had the terminal; Node asks for the size when it gets SIGWINCH.
        if (!ended) process.kill(process.pid, 'SIGWINCH');
      }
    },
    setMouse(on) {
      if (on === mouse) return;
      mouse = on;
      if (active) put(on ? mouseOn : mouseOff);
    },
    setTitle(next) {
      if (next === title) return;
      const first = title === null;
      title = next;
      if (active) put((first ? keepTitle : '') + setTitle(next));
    },
    send(sequence) {
      if (active) put(sequence);
      return active;
    },
  };
}

/** The whole group, so that `npm run demo` stops with us and the shell comes back. */
const stopForeground = (): void => {
  process.kill(0, 'SIGSTOP');
};
