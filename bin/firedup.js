#!/usr/bin/env node
// React picks its production build when it is first imported, so this must come before everything else.
process.env.NODE_ENV ??= 'production';
await import('../dist/cli/main.js');
