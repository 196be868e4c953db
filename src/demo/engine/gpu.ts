import { readForeignUses, readInventory, writeCardUse } from '../gpu-files.js';
import { startTicksOf } from '../process-id.js';

/** Load of a card; the idle figures are those of a card with a CUDA context and nothing to do. */
export interface Load {
  readonly utilPercent: number;
  readonly powerW: number;
  readonly temperatureC: number;
}

export const idleLoad: Load = { utilPercent: 0, powerW: 118.4, temperatureC: 34 };

/** The card of one rank: what is allocated on it, and what `nvidia-smi` is told of it. Sizes in GiB. */
export class Gpu {
  readonly index: number;
  readonly totalGib: number;
  /** Held by others when this process came: pid and size. */
  readonly foreign: readonly { readonly pid: number; readonly gib: number }[];
  #usedGib = 0;
  #load: Load = idleLoad;
  #writtenAt = 0;
  #pending: NodeJS.Timeout | null = null;
  readonly #folder: string;
  readonly #startTicks = startTicksOf(process.pid) ?? '0';

  constructor(folder: string, index: number) {
    const card = readInventory(folder).find((entry) => entry.index === index);
    if (card === undefined) throw new RangeError(`no card ${index}`);
    this.index = index;
    this.totalGib = card.totalMiB / 1024;
    this.foreign = readForeignUses(folder)
      .filter((use) => use.index === index)
      .map((use) => ({ pid: use.pid, gib: use.usedMiB / 1024 }));
    this.#folder = folder;
  }

  get usedGib(): number {
    return this.#usedGib;
  }

  /** What is left beside this process and the others. */
  get freeGib(): number {
    return this.totalGib - this.#usedGib - this.foreign.reduce((sum, use) => sum + use.gib, 0);
  }

  /** Takes memory if there is enough; false means out of memory, and nothing was taken. */
  allocate(gib: number): boolean {
    if (gib > this.freeGib) return false;
    this.#usedGib += gib;
    this.#publish();
    return true;
  }

  setLoad(load: Load): void {
    this.#load = load;
    this.#publish();
  }

  /** At most ten times a second, and always the last state: at a high speed each step would be a write. */
  #publish(): void {
    if (this.#pending !== null) return;
    const wait = this.#writtenAt + 100 - performance.now();
    this.#pending = setTimeout(
      () => {
        this.#pending = null;
        this.#writtenAt = performance.now();
        const { utilPercent, powerW, temperatureC } = this.#load;
        const usedMiB = Math.round(this.#usedGib * 1024);
        const use = {
          pid: process.pid,
          startTicks: this.#startTicks,
          usedMiB,
          utilPercent,
          powerW,
          temperatureC,
        };
        writeCardUse(this.#folder, this.index, use);
      },
      Math.max(0, wait),
    );
  }
}
