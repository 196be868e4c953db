import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One card of the simulated host, a line of `gpus/inventory`: `index uuid totalMiB name…`. */
export interface Card {
  readonly index: number;
  readonly uuid: string;
  readonly totalMiB: number;
  readonly name: string;
}

/** Memory that a process outside the engine holds, a line of `gpus/foreign`: `index pid usedMiB`. */
export interface ForeignUse {
  readonly index: number;
  readonly pid: number;
  readonly usedMiB: number;
}

/** What one scheduler does to its card, the one line of `gpus/use-INDEX`; counts only while that process lives. */
export interface CardUse {
  readonly pid: number;
  readonly startTicks: string;
  readonly usedMiB: number;
  readonly utilPercent: number;
  readonly powerW: number;
  readonly temperatureC: number;
}

export const inventoryText = (cards: readonly Card[]): string =>
  cards.map((card) => `${card.index} ${card.uuid} ${card.totalMiB} ${card.name}\n`).join('');

export const foreignText = (uses: readonly ForeignUse[]): string =>
  uses.map((use) => `${use.index} ${use.pid} ${use.usedMiB}\n`).join('');

/** Cards of the simulated host, as its files say now. */
export function readInventory(folder: string): Card[] {
  return rows(folder, 'inventory').map(([index, uuid, total, ...name]) => ({
    index: Number(index),
    uuid: uuid ?? '',
    totalMiB: Number(total),
    name: name.join(' '),
  }));
}

/** What other processes hold on the cards, as the files say now. */
export function readForeignUses(folder: string): ForeignUse[] {
  return rows(folder, 'foreign').map(([index, pid, used]) => ({
    index: Number(index),
    pid: Number(pid),
    usedMiB: Number(used),
  }));
}

/** Replaces a card's line in one step, so that a reader never sees half of it. */
export function writeCardUse(folder: string, index: number, use: CardUse): void {
  const path = join(folder, 'gpus', `use-${index}`);
  const fields = [
    use.pid,
    use.startTicks,
    use.usedMiB,
    use.utilPercent,
    use.powerW.toFixed(2),
    use.temperatureC,
  ];
  writeFileSync(`${path}.new`, `${fields.join(' ')}\n`);
  renameSync(`${path}.new`, path);
}

function rows(folder: string, file: string): string[][] {
  const text = readFileSync(join(folder, 'gpus', file), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
}
