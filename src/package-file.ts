import { fileURLToPath } from 'node:url';

/**
 * Absolute path of a file of the package, such as `themes`. Sources and built files both lie one folder below the
 * package's root, which is how this is found from either: the build makes no deeper folders.
 */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
