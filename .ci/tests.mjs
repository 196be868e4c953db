// Runs every test and ends with a line "N passed, N failed", counted from the runner's own result.
//
// The tests wait for processes, links and terminals, and a machine that does other things as well may let a wait run
// out. Later tests of a file may stand on the one that failed, so it is the whole file that gets a second run, from its
// start and with the others out of its way; it is named, so that nobody takes it for a sound one. A real fault fails
// there too.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** More files than that do not fail by accident. */
const mostAgain = 4;

const folder = mkdtempSync(join(tmpdir(), 'firedup-ci-'));
try {
  process.exitCode = main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function main() {
  const first = run('first', []);
  const again = first.files.filter((file) => file.failed > 0).map((file) => file.name);
  if (again.length === 0 || again.length > mostAgain) return verdict(first);
  console.log(`\nOnce more, alone: ${again.join(', ')}`);
  const second = run('second', ['--maxWorkers=1', ...again]);
  const names = new Set(second.files.map((file) => file.name));
  return verdict({
    files: [...first.files.filter((file) => !names.has(file.name)), ...second.files],
    unhandled: first.unhandled + second.unhandled,
  });
}

/** Prints the last line; returns the exit code. */
function verdict({ files, unhandled }) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  // Every part that the tests need is installed: a suite that skips itself has lost one, and that is a failure.
  const left = sum('left');
  if (left > 0) console.log(`${left} tests were skipped: here none may be`);
  if (unhandled > 0) console.log(`${unhandled} errors were caught by no test`);
  const passed = sum('passed');
  const failed = sum('failed') + left + unhandled;
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** What each file came to. A runner that left no result is an error that nobody caught. */
function run(name, words) {
  const path = join(folder, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=./.ci/reporter.mjs'];
  spawnSync('npx', ['vitest', 'run', '-c', 'test/vitest.config.ts', ...reporters, ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, FIREDUP_REQUIRE_ALL: '1', FIREDUP_RESULT: path },
  });
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { files: [], unhandled: 1 };
  }
}
