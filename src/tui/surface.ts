import { createContext } from 'react';
import type { Layer } from './screen.js';

/**
 * Where finished rows go. Ink keeps the components and reads the keys, but draws nothing: it would put every cell of
 * the terminal into a grid and back into strings, 10 to 20 ms of CPU at 200x50 whatever has changed.
 */
export interface Surface {
  /** The rows of one owner, which replace those that it gave before; null takes them away. */
  setLayer(owner: object, layer: Layer | null): void;
}

export const SurfaceContext = createContext<Surface>({
  setLayer() {
    throw new Error('rows were drawn without a surface');
  },
});
