import { fileURLToPath } from 'node:url';

const place = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the judge for itself, so that the program's own bundle stays as it is. */
export default {
  input: place('main.ts'),
  platform: 'node',
  tsconfig: place('../../tsconfig.json'),
  output: { dir: place('../../dist/judge'), format: 'esm', sourcemap: true },
};
