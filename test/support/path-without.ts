import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Fills `folder` with links to all programs of PATH and of the sbin folders but those named, and returns it: a PATH. */
export function pathWithout(folder: string, ...names: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const taken = new Set(names);
  for (const from of `${process.env.PATH}:/usr/bin:/bin:/usr/sbin:/sbin`.split(':')) {
    for (const name of programsIn(from)) {
      if (taken.has(name)) continue;
      taken.add(name);
      symlinkSync(join(from, name), join(folder, name));
    }
  }
  return folder;
}

function programsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
