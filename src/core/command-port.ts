import { commandLines } from '../engines/command-lines.js';
import type { EngineId } from '../engines/ids.js';
import type { ProcessFact, TreeMember } from './process-fact.js';

/** What the command line of a server says of it. */
export interface CommandPort {
  readonly engine: EngineId;
  /** Null where it names none, and takes the engine's own. */
  readonly port: number | null;
}

type Alive = Extract<ProcessFact, { status: 'alive' }>;

/**
 * Engine and port by the command lines of the tree: by that nearest to its root which starts an engine. A shell's line is
 * none of these; what it runs is below it. Null where there is none, or where several that are equally near do not agree:
 * then it cannot be told which of them is the server.
 */
export function commandPort(fact: Alive): CommandPort | null {
  const known = found.get(fact.tree);
  if (known !== undefined) return known;
  const port = nearest(fact);
  found.set(fact.tree, port);
  return port;
}

/** It is asked for after every event, and a tree changes seldom. */
const found = new WeakMap<readonly TreeMember[], CommandPort | null>();

function nearest({ pid, tree }: Alive): CommandPort | null {
  const below = new Map<number, TreeMember[]>();
  for (const member of tree) {
    // What has lost its parent within the tree is as near to its root as the root.
    const isTop = member.pid === pid || !tree.some((other) => other.pid === member.parent);
    const parent = isTop ? 0 : member.parent;
    below.set(parent, [...(below.get(parent) ?? []), member]);
  }
  let level = below.get(0) ?? [];
  while (level.length > 0) {
    const [first, ...others] = level.flatMap(({ command }) => readCommand(command) ?? []);
    if (first !== undefined) return others.every((other) => isSame(first, other)) ? first : null;
    level = level.flatMap((member) => below.get(member.pid) ?? []);
  }
  return null;
}

const isSame = (one: CommandPort, other: CommandPort): boolean =>
  one.engine === other.engine && one.port === other.port;

/** Words joined by blanks: a blank within one of them cannot be told. */
function readCommand(command: string): CommandPort | null {
  const words = command.split(' ');
  if (/^(?:\S*\/)?(?:ba|da|z|k|c|tc|fi)?sh$/.test(words[0] ?? '')) return null;
  for (const { engine, starts, flags } of lines) {
    const at = words.findIndex((_, index) => {
      const text = words.slice(index).join(' ');
      return starts.some((start) => start.test(text));
    });
    if (at < 0) continue;
    return { engine, port: portIn(words.slice(at), flags) };
  }
  return null;
}

const lines = commandLines.map(({ engine, starts, flags }) => ({
  engine,
  starts: starts.map(({ pattern }) => new RegExp(pattern)),
  flags: flags.port ?? [],
}));

/** The last one counts, as argparse takes it. */
function portIn(words: readonly string[], flags: readonly string[]): number | null {
  const values = words.flatMap((word, index) => {
    if (flags.includes(word)) return [words[index + 1] ?? ''];
    const flag = flags.find((each) => word.startsWith(`${each}=`));
    return flag === undefined ? [] : [word.slice(flag.length + 1)];
  });
  const last = values.at(-1) ?? '';
  const port = /^\d{1,5}$/.test(last) ? Number(last) : 0;
  return port > 0 && port < 65_536 ? port : null;
}
