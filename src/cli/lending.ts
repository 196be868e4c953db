import type { Copied } from '../runtime/clipboard.js';
import type { Outside } from '../runtime/effect-context.js';

/** What the screen lends to the effects; it stands empty where there is no screen. */
export interface Lending extends Outside {
  leave: (back: boolean) => void;
  /** The user has gone back to where he came from, rather than left. */
  wentBack: boolean;
  copy: (text: string) => Copied;
  edit?: (text: string) => Promise<string>;
}

/** For `startWatch` before anything is shown: leaving and the clipboard come with the screen. */
export const lendNothing = (): Lending => ({
  leave: () => {},
  wentBack: false,
  copy: () => ({ to: 'nowhere', why: 'no-clipboard' }),
});
