import { readFileSync } from 'node:fs';
import { packageFile } from '../package-file.js';

/** The version of the package, from its own `package.json`. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const version = (manifest as { readonly version?: unknown }).version;
  return typeof version === 'string' ? version : 'unknown';
}

export function printVersion(): void {
  process.stdout.write(`${packageVersion()}\n`);
}
