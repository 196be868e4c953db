import { durationText } from '../core/words.js';
import type { Finding } from './finding.js';
import { processText } from './people.js';
import { type Draft, ok, type Sight, sizeText, unchecked, warning } from './rule.js';

/** What `doctor` knows of the way to the host besides what the host said. */
export interface WayToHost {
  readonly label: string;
  /** `local`, or who speaks SSH. */
  readonly via: 'ssh2' | 'ssh' | 'local';
  readonly hostname: string | null;
  /** One answer there and back, the script's start among it. */
  readonly answerMs: number;
  /** The host's clock minus ours. */
  readonly clockSkewMs: number | null;
  readonly sessions: { readonly most: number; readonly refused: boolean } | null;
  readonly servers: readonly KnownServer[];
}

/** A server that firedup has launched there. */
export interface KnownServer {
  readonly name: string;
  readonly number: number;
  readonly life: string;
  readonly pid: number | null;
  readonly log: string;
}

/** One thing to tell of the host itself. */
export interface HostRule {
  readonly id: string;
  readonly check: (way: WayToHost, sight: Sight) => Draft | readonly Draft[] | null;
}

/** What can be reached, read and run there. */
export const hostRules: readonly HostRule[] = [
  {
    id: 'connection',
    check({ via, label, hostname, answerMs }, { report }) {
      const by = { local: 'this machine', ssh: "by the system's ssh", ssh2: 'by the ssh2 in here' }[via];
      const where = hostname === null || hostname === label ? '' : ` (${hostname})`;
      return ok('connection', `${label}${where} as ${report.user}, ${by}, ${Math.round(answerMs)} ms`);
    },
  },
  {
    id: 'sessions',
    check({ sessions }) {
      if (sessions === null) return null;
      if (!sessions.refused) return ok('sessions', `at least ${sessions.most} at once`);
      const text = `MaxSessions is ${sessions.most} as it seems; commands share them`;
      return sessions.most >= 4
        ? ok('sessions', text)
        : warning('sessions', text, 'MaxSessions 10 in its sshd_config is the default.');
    },
  },
  {
    id: 'system',
    check: (_, { report }) =>
      report.kernel === '' ? null : ok('system', memoryText(report.kernel, report.memAvailableKiB)),
  },
  {
    id: 'shell',
    check: (_, { report }) =>
      report.loginShell === ''
        ? null
        : ok('login shell', `${report.loginShell}, sh is ${report.sh || 'unknown'}`),
  },
  {
    id: 'base64',
    check: (_, { report }) =>
      report.tools.size === 0 || report.tools.has('base64')
        ? null
        : ok('base64', 'none: awk unpacks what we send'),
  },
  {
    id: 'proc',
    check(_, { report }) {
      if (report.unanswered.includes('host')) return null;
      if (!report.proc)
        return warning('/proc', 'cannot be read', 'firedup reads processes and ports from /proc.');
      if (report.hidepid > 0 && report.uid !== 0) {
        return warning(
          '/proc',
          'hides the processes of other users (hidepid)',
          'Servers of other users cannot be found, nor who holds a GPU or a port.',
        );
      }
      return ok(
        '/proc',
        report.uid === 0 ? 'readable, of every user' : 'readable, of your own processes in full',
      );
    },
  },
  {
    id: 'ptrace',
    check(_, { report }) {
      const isThere = report.tools.has('py-spy');
      const scope = report.ptraceScope;
      if (report.unanswered.includes('host')) return null;
      if (!isThere) return unchecked('py-spy', 'not there: no stack of a lagging rank (pip install py-spy)');
      if (report.uid === 0 || scope === null || scope === 0)
        return ok('py-spy', report.tools.get('py-spy') ?? '');
      return warning(
        'py-spy',
        `there, but kernel.yama.ptrace_scope is ${scope}`,
        'sysctl kernel.yama.ptrace_scope=0, or run as root.',
      );
    },
  },
  {
    id: 'dmesg',
    check(_, { report }) {
      if (report.dmesg === null) return null;
      return report.dmesg
        ? ok('dmesg', 'readable')
        : unchecked('dmesg', 'not readable: Xid and OOM kills are seen elsewhere only');
    },
  },
  {
    id: 'programs',
    check(_, { report }) {
      const words = ['python3', 'curl', 'docker'].map((name) =>
        report.tools.has(name) ? (name === 'python3' ? report.python || name : name) : `no ${name}`,
      );
      return report.unanswered.includes('host') ? null : ok('programs', words.join(', '));
    },
  },
  {
    id: 'clock',
    check({ clockSkewMs }) {
      if (clockSkewMs === null) return null;
      if (Math.abs(clockSkewMs) < 5000)
        return ok('clock', clockSkewMs === 0 ? 'as ours' : `${clockSkewMs} ms from ours`);
      const by = `${durationText(Math.abs(clockSkewMs))} ${clockSkewMs > 0 ? 'ahead of' : 'behind'} ours`;
      return warning('clock', by, 'Times are taken as the host has them; NTP would set them right.');
    },
  },
  {
    id: 'gpu',
    check(_, { report }) {
      const { gpus, apps } = report;
      if (gpus.status !== 'ok') return null;
      return gpus.cards.map((card) => {
        const users = apps
          .filter(({ uuid }) => uuid === card.uuid)
          .map(({ pid }) => processText(report, pid));
        const whose = users.length === 0 ? '' : ` by ${users.join(', ')}`;
        const size = card.totalMiB === null ? '' : ` of ${sizeText(card.totalMiB * 1024)}`;
        return ok(`GPU ${card.index}`, `${sizeText((card.usedMiB ?? 0) * 1024)}${size} in use${whose}`);
      });
    },
  },
  {
    id: 'gpu-tool',
    // With an engine that needs one the launch's own rule tells.
    check(_, { report: { gpus, amd, unanswered }, plan }) {
      if (plan.engine !== null || gpus.status !== 'absent' || unanswered.includes('gpus')) return null;
      if (amd.gpus > 0 || amd.tool !== null) return null;
      return warning('GPUs', 'none to be seen: no nvidia-smi, amd-smi or rocm-smi, and no card of AMD');
    },
  },
  {
    id: 'shm',
    check: (_, { report: { shm }, plan }) =>
      plan.engine !== null || shm?.totalKiB == null
        ? null
        : shm.totalKiB < 1024 ** 2
          ? warning(
              '/dev/shm',
              `only ${sizeText(shm.totalKiB)}`,
              'In a container: --shm-size 32g or --ipc=host.',
            )
          : ok('/dev/shm', `${sizeText(shm.totalKiB)}, ${sizeText(shm.freeKiB ?? 0)} free`),
  },
  {
    id: 'server',
    check: ({ servers }) =>
      servers.map(({ name, number, life, pid, log }) =>
        ok(`server ${name}`, `attempt ${number} ${life}${pid === null ? '' : ` as pid ${pid}`}, log ${log}`),
      ),
  },
];

/** The findings on the host itself. */
export function hostFindings(way: WayToHost, sight: Sight): readonly Finding[] {
  return hostRules.flatMap(({ id, check }) =>
    [check(way, sight) ?? []].flat().map(({ level, subject, text, remedy, change }) => ({
      id,
      level,
      subject,
      text,
      remedy: remedy === undefined ? null : { text: remedy, change: change ?? null },
    })),
  );
}

const memoryText = (kernel: string, availableKiB: number | null): string =>
  availableKiB === null ? kernel : `${kernel}, ${sizeText(availableKiB)} of memory available`;
