import { render, Text } from 'ink';
import Spinner from 'ink-spinner';

/** The one line that shows that we are connecting, on stderr, before the full screen. */
export interface Connecting {
  /** Removes the line; called before anything else is written. */
  readonly hide: () => void;
}

/** `stderr`: where it is shown; it must be a terminal. */
export function showConnecting(
  text: string,
  stderr: NodeJS.WritableStream & { readonly columns?: number } = process.stderr,
): Connecting {
  const line = (
    <Text wrap="truncate-end">
      <Text color="cyan">
        <Spinner type="dots" />
      </Text>{' '}
      {text}
    </Text>
  );
  const instance = render(line, {
    stdout: stderr as NodeJS.WriteStream,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  const stop = (): void => {
    instance.clear();
    // Ink has hidden it, and the shell would not have it back.
    stderr.write(showCursor);
    process.kill(process.pid, 'SIGSTOP');
  };
  const goOn = (): void => void stderr.write(hideCursor);
  process.on('SIGTSTP', stop);
  process.on('SIGCONT', goOn);
  let isShown = true;
  return {
    hide() {
      if (!isShown) return;
      isShown = false;
      process.off('SIGTSTP', stop);
      process.off('SIGCONT', goOn);
      instance.clear();
      instance.unmount();
    },
  };
}

const showCursor = '\u001B[?25h';

const hideCursor = '\u001B[?25l';
