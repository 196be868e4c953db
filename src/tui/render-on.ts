import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import { KeyStream } from './key-stream.js';
import type { Screen } from './screen.js';

/**
 * Lets Ink draw on `screen` and read keys from `stdin`: every frame at once (`debug`), and nothing else of the terminal
 * is Ink's. `failed` hears what a component threw.
 */
export function renderOn(
  screen: Screen,
  stdin: NodeJS.ReadStream,
  element: ReactNode,
  failed: (error: unknown) => void,
): Instance {
  const instance = render(element, {
    stdout: screen as unknown as NodeJS.WriteStream,
    stdin: new KeyStream(stdin) as unknown as NodeJS.ReadStream,
    debug: true,
    patchConsole: false,
    exitOnCtrlC: false,
    isScreenReaderEnabled: false,
  });
  instance.waitUntilExit().catch(failed);
  return instance;
}
