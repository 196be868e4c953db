import type { ForeignUse } from './gpu-files.js';

/** One play of the demo, as data: what lies on the simulated host, what is started there, what cures it. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** Files below the demo's folder, beside those that every scenario has. Later ones replace earlier ones. */
  readonly files: readonly DemoFile[];
  /** What stands after `sglang serve`; `{folder}` and `{port}` are filled in. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** True where the log file comes only after the watch has begun, by the wrapper `serve-later`. */
  readonly lateLog: boolean;
  readonly foreign: readonly ForeignUse[];
  /** How the first attempt ends. */
  readonly ends: 'ready' | 'crashed' | 'stalled';
  /** What makes the next attempt get further. */
  readonly relaunch: RelaunchHint;
}

export interface DemoFile {
  /** Relative to the demo's folder. */
  readonly path: string;
  readonly text: string;
  /** The file is made that long without taking room on the disk. */
  readonly sparseBytes?: number;
}

export interface RelaunchHint {
  /** Shell commands that run before the relaunch; `{folder}` is filled in. */
  readonly before: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Arguments that replace the scenario's own, or null for the same. */
  readonly args: readonly string[] | null;
}
