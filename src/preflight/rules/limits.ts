import { gpusWanted, needsGpu } from '../ranks.js';
import { ok, type Rule, sizeText, warning } from '../rule.js';

/** What the host gives the processes, and what it did not say in time. */
export const limitRules: readonly Rule[] = [
  {
    id: 'shm',
    check(sight) {
      const { shm } = sight.report;
      const ranks = gpusWanted(sight) ?? 1;
      if (shm === null || shm.totalKiB === null || !needsGpu(sight)) return null;
      const free = shm.freeKiB ?? shm.totalKiB;
      const text = `${sizeText(shm.totalKiB)}, ${sizeText(free)} free`;
      if (ranks < 2 || free >= 1024 ** 2) return ok('/dev/shm', text);
      return warning(
        '/dev/shm',
        `${text}: NCCL of ${ranks} ranks may not find room`,
        'In a container: --shm-size 32g or --ipc=host; else: mount -o remount,size=50% /dev/shm.',
      );
    },
  },
  {
    id: 'no-answer',
    check: ({ report, limitSeconds }) =>
      report.unanswered
        // nvidia-smi has its own finding.
        .filter((section) => section !== 'gpus' && section !== 'gpu-use')
        .map((section) =>
          warning(
            sections[section] ?? section,
            `did not answer within ${limitSeconds} s`,
            'A disk (NFS) or a login shell there may hang.',
          ),
        ),
  },
];

/** The script's sections in the words of the findings. */
const sections: Readonly<Record<string, string>> = {
  target: 'model',
  draft: 'draft model',
  cwd: 'folder',
  state: 'state folder',
  shm: '/dev/shm',
  package: 'package',
  login: 'profile of the login shell',
};
