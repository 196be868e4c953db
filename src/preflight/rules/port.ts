import type { HostReport, Listener } from '../host-report.js';
import { processText } from '../people.js';
import { type LaunchPlan, numberFlag } from '../plan.js';
import { certain, ok, type Rule, warning } from '../rule.js';

/** The HTTP port that the command will listen on, as far as it can be told; `given` where the command says nothing. */
export function portOf(plan: LaunchPlan, given: number | null): number | null {
  const { engine } = plan;
  // Nodes other than the first listen on none.
  if ((numberFlag(plan, 'nodeRank', 0) ?? 0) > 0) return null;
  const own =
    engine === null || engine.flags.port === undefined ? null : numberFlag(plan, 'port', engine.port);
  const isPort = own !== null && own > 0 && own < 65_536;
  return isPort ? own : given;
}

/** The ports to look at: the one, and some beside it of which a remedy may take the first free one. */
export function portsToSee(plan: LaunchPlan, given: number | null): readonly number[] {
  const port = portOf(plan, given);
  if (port === null) return given === null ? [] : [given];
  return [port, port + 1, port + 2, port + 10].filter((one) => one < 65_536);
}

export const portRules: readonly Rule[] = [
  {
    id: 'port',
    check(sight) {
      const { plan, report, givenPort } = sight;
      const port = portOf(plan, givenPort);
      if (port === null || report.unanswered.includes('ports')) return null;
      const subject = `port ${port}`;
      const wanted = plan.flags.get('address') ?? plan.engine?.address ?? '0.0.0.0';
      const inTheWay = (certainty: Conflict): Listener | undefined =>
        report.listeners.find((one) => one.port === port && conflictWith(one, wanted) === certainty);
      const sure = inTheWay('yes');
      const holder = sure ?? inTheWay('maybe');
      if (holder === undefined) {
        if (givenPort === null || givenPort === port) return ok(subject, 'free');
        return warning(
          subject,
          `free, but firedup was told to wait for port ${givenPort}`,
          `Give --port ${port} to firedup, or ${givenPort} to the command.`,
        );
      }
      const who = holderText(report, holder);
      const free = portsToSee(plan, givenPort).find(
        (one) => !report.listeners.some((other) => other.port === one),
      );
      const flag = plan.engine?.portFlag;
      const tell = sure === undefined ? warning : certain(sight);
      const text = `taken by ${who}${sure === undefined ? ', perhaps on another address' : ''}`;
      if (free === undefined || flag === undefined)
        return tell(subject, text, 'End it, or take another port.');
      return tell(subject, text, `End it, or take another port: ${flag} ${free}.`, {
        args: [flag, String(free)],
      });
    },
  },
];

/** Who listens, for people. */
export const holderText = (report: HostReport, { pid, uid }: Listener): string =>
  pid === null ? `a process of uid ${uid} that cannot be seen` : processText(report, pid);

type Conflict = 'yes' | 'maybe' | 'no';

/**
 * Two sockets cannot listen on one port when their addresses are the same, or one of them is any address; those of IPv6 and
 * of IPv4 do not meet, but for `::`, which is any address of both where it was not told otherwise. `maybe`: the
 * command's address is a name.
 */
export function conflictWith({ addressHex }: Listener, wanted: string): Conflict {
  const held = addressHex.startsWith(mappedPrefix) ? addressHex.slice(mappedPrefix.length) : addressHex;
  const isSix = held.length !== 8;
  if (isAny(held)) return 'yes';
  const hex = hexOf(wanted);
  if (hex !== null) return !isSix && (isAny(hex) || hex === held) ? 'yes' : 'no';
  if (wanted === '::') return 'yes';
  if (!wanted.includes(':')) return 'maybe';
  return isSix ? 'maybe' : 'no';
}

/** Of an IPv4 address within IPv6, `::ffff:…`. */
const mappedPrefix = '0000000000000000FFFF0000';

const isAny = (hex: string): boolean => /^0+$/.test(hex);

/** An IPv4 address as the kernel prints it; null for what is a name or IPv6. */
function hexOf(address: string): string | null {
  const bytes = (address === 'localhost' ? '127.0.0.1' : address).split('.');
  if (bytes.length !== 4 || !bytes.every((byte) => /^\d{1,3}$/.test(byte))) return null;
  return bytes
    .reverse()
    .map((byte) => Number(byte).toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}
