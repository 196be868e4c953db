#!/usr/bin/env node
import { existsSync } from 'node:fs';

if (existsSync(new URL('../dist/main.js', import.meta.url))) {
  await import('../dist/main.js');
} else {
  process.stderr.write('firedup: This clone is not built.\n  Run `npm ci`, or `npm run build`.\n');
  process.exitCode = 2;
}
