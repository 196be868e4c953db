import { fileURLToPath } from 'node:url';

const source = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Yoga would load its WebAssembly, which is in its own text, by `fetch`: that alone takes Node 40 ms to load. */
const withoutFetch = {
  name: 'yoga-without-fetch',
  transform: {
    filter: { id: /yoga-wasm-base64-esm\.js$/ },
    handler: (code) => `const fetch = undefined;\n${code}`,
  },
};

/**
 * Bundles `src` with its libraries into `dist`: hundreds of small modules cost Node half a second before the first
 * frame. What is imported only on demand stays apart, so that `--version` loads no screen.
 */
export default {
  input: {
    main: source('cli/main.ts'),
    'demo-engine': source('demo/engine/main.ts'),
    'demo-rank': source('demo/engine/scheduler-process.ts'),
  },
  platform: 'node',
  tsconfig: source('../tsconfig.json'),
  // ssh2 finds its optional native parts by itself; Ink asks for its devtools only in development.
  external: (id) => /^(?:ssh2|react-devtools-core)(?:\/|$)/.test(id),
  plugins: [withoutFetch],
  // Ink and React choose their production build by it.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: {
    dir: fileURLToPath(new URL('../dist', import.meta.url)),
    format: 'esm',
    cleanDir: true,
    sourcemap: true,
    // Flat, see package-file.ts.
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
};
