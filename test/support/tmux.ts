import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';

export interface TmuxPane {
  /** Names of keys as tmux knows them: `q`, `C-c`, `Enter`, `Up`. */
  keys(...names: readonly string[]): void;
  /** Text as it is, without key names. */
  type(text: string): void;
  /** Text as a paste, in brackets where the program asked for that. */
  paste(text: string): void;
  capture(): readonly string[];
  /** The screen with its colours, as escape sequences. */
  captureStyled(): string;
  /** The screen once `condition` is true of it; fails with what was there instead. */
  waitFor(condition: (rows: readonly string[]) => boolean, limitMs?: number): Promise<readonly string[]>;
  /** The same, once it has stayed as it is for a moment: a frame may reach the terminal in pieces. */
  settled(condition: (rows: readonly string[]) => boolean): Promise<readonly string[]>;
  resize(columns: number, rows: number): void;
  /** Another pane below it that runs `command`: pastes tmux's buffer there, and tells what it shows. */
  beside(command: string): { paste(): void; capture(): string; close(): void };
  /** What the terminal is in: alternate screen, cursor shown, wrapping at the edge. */
  flags(): { readonly alternate: boolean; readonly cursor: boolean; readonly wrap: boolean };
  /** Whether the program has asked for the mouse. */
  mouse(): boolean;
  /** What the program has called its window. */
  title(): string;
  /** What tmux's newest buffer holds. */
  buffer(): string;
  /** What `TMUX` is in the pane: its server's socket. */
  readonly socket: string;
  /** Settings of the terminal line, as `stty -a` of the pane's terminal says: raw or not. */
  isRaw(): boolean;
  /** Pid of the pane's own program. */
  readonly pid: number;
  close(): void;
}

/** For `waitFor`: whether each pattern is in a row. */
export const shows =
  (...patterns: readonly RegExp[]) =>
  (rows: readonly string[]): boolean =>
    patterns.every((pattern) => rows.some((row) => pattern.test(row)));

/** Runs `command` in a pane of its own tmux server, whose socket nobody else uses. */
export function openTmux(options: {
  readonly command: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The pane outlives its program: a dead one scrolls by a row and hides the cursor. */
  readonly lingers?: boolean;
}): TmuxPane {
  const socket = `firedup-${process.pid}-${randomUUID().slice(0, 8)}`;
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', CI: 'false', ...options.env, TMUX: '' },
    });
  const size = ['-x', String(options.columns ?? 80), '-y', String(options.rows ?? 24)];
  const command = options.lingers ? `${options.command}; exec sleep 1000` : options.command;
  tmux('new-session', '-d', ...size, command);
  tmux('set-option', '-g', 'remain-on-exit', 'on');
  const ask = (format: string): string => tmux('display-message', '-p', format).trim();
  const capture = (): readonly string[] =>
    tmux('capture-pane', '-p')
      .replace(/\n$/, '')
      .split('\n')
      .map((row) => row.trimEnd());

  const tty = ask('#{pane_tty}');
  let lastKeyAt = 0;
  /**
   * Nobody answers a question within milliseconds of the key before, and the program does not believe it either. What
   * it has not read yet would become one piece with what follows, and that is taken for a paste.
   */
  const atPace = (): void => {
    rest(60 - (Date.now() - lastKeyAt));
    for (const end = Date.now() + 10_000; unread(tty) > 0 && Date.now() < end; ) rest(20);
    lastKeyAt = Date.now();
  };
  const waitFor: TmuxPane['waitFor'] = async (condition, limitMs = 60_000) => {
    const until = Date.now() + limitMs;
    for (;;) {
      const rows = capture();
      if (condition(rows)) return rows;
      if (Date.now() > until) throw new Error(`the pane never came to that:\n${rows.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  return {
    keys: (...names) => {
      for (const name of names) {
        atPace();
        tmux('send-keys', name);
      }
    },
    type: (text) => {
      atPace();
      tmux('send-keys', '-l', text);
    },
    paste: (text) => {
      atPace();
      tmux('set-buffer', text);
      tmux('paste-buffer', '-p');
    },
    capture,
    captureStyled: () => tmux('capture-pane', '-p', '-e'),
    waitFor,
    async settled(condition) {
      for (;;) {
        const rows = await waitFor(condition);
        await new Promise((resolve) => setTimeout(resolve, 250));
        if (capture().join('\n') === rows.join('\n')) return rows;
      }
    },
    resize: (columns, rows) => {
      tmux('resize-window', '-x', String(columns), '-y', String(rows));
    },
    beside(command) {
      const id = tmux('split-window', '-d', '-v', '-l', '8', '-P', '-F', '#{pane_id}', command).trim();
      return {
        paste: () => void tmux('paste-buffer', '-t', id),
        capture: () => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', id),
        close: () => void tmux('kill-pane', '-t', id),
      };
    },
    flags() {
      const [alternate, cursor, wrap] = ask('#{alternate_on} #{cursor_flag} #{wrap_flag}').split(' ');
      return { alternate: alternate === '1', cursor: cursor === '1', wrap: wrap === '1' };
    },
    mouse: () => ask('#{mouse_any_flag}') === '1',
    title: () => ask('#{pane_title}'),
    buffer: () => tmux('show-buffer'),
    socket: ask('#{socket_path},#{pid},0'),
    isRaw: () => / -icanon/.test(execFileSync('stty', ['-a', '-F', tty], { encoding: 'utf8' })),
    pid: Number(ask('#{pane_pid}')),
    close() {
      try {
        tmux('kill-server');
      } catch {
        // It ended with its last pane.
      }
    },
  };
}

const rest = (ms: number): void => {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * Bytes of what was typed on a terminal line that its program has not read yet (FIONREAD; of a line being edited none).
 * Perl is on every Debian; where it is not, or the line is gone, that is not known: 0.
 */
function unread(tty: string): number {
  const text =
    'use Fcntl; sysopen(T, $ARGV[0], O_RDONLY | O_NOCTTY | O_NONBLOCK) or exit; my $n = pack "i", 0; ioctl(T, 0x541B, $n) and print unpack "i", $n';
  return Number(spawnSync('perl', ['-e', text, tty], { encoding: 'utf8' }).stdout || 0);
}
