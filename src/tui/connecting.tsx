import { Box, render, Text } from 'ink';
import Spinner from 'ink-spinner';

/** The one line that shows that we are connecting, on stderr, before the full screen. */
export interface Connecting {
  /** Removes the line; called before anything else is written. */
  readonly hide: () => void;
}

export function showConnecting(text: string): Connecting {
  const line = (
    <Box>
      <Text color="cyan">
        <Spinner type="dots" />
      </Text>
      <Text> {text}</Text>
    </Box>
  );
  const instance = render(line, {
    stdout: process.stderr as NodeJS.WriteStream,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  let isShown = true;
  return {
    hide() {
      if (!isShown) return;
      isShown = false;
      instance.clear();
      instance.unmount();
    },
  };
}
