import { blocker, certain, ok, type Rule, sizeText, unchecked, warning } from '../rule.js';

/** Where the command runs, what it is, and where it writes. */
export const placeRules: readonly Rule[] = [
  {
    id: 'command',
    check(sight) {
      const { plan, report } = sight;
      if (plan.program === null) {
        return unchecked('command', 'a line for a shell, which only that shell can work out');
      }
      if (report.command === null) return null;
      const { word, found, how } = report.command;
      if (found !== '') return ok('command', found.startsWith('/') ? found : `${word} is known to the shell`);
      if (how === 'no-bash')
        return blocker('command', 'there is no bash to run the line with', 'Install bash.');
      if (how === 'no-venv') {
        return warning(
          'command',
          `there is no folder ${plan.venv} to activate`,
          'Make it, or correct the path.',
        );
      }
      if (how === 'not-executable') {
        return certain(sight)('command', `${word} is no program that may be run`, 'chmod +x it.');
      }
      if (plan.isUncertain) return unchecked('command', `${word} is not found without what stands before it`);
      const where = word.includes('/')
        ? 'there is no such file'
        : `not found in PATH${plan.byShell ? ' of a login shell' : ''}`;
      const [, variable] = /^([A-Za-z_]\w*)=/.exec(word) ?? [];
      if (!plan.byShell && variable !== undefined) {
        return blocker(
          'command',
          `${variable}=… is no program: only a shell takes a variable in front of a command`,
          `Give it with --env ${variable}=…, or the whole line as one word.`,
        );
      }
      const remedy = plan.byShell
        ? 'Install it, or activate its environment in the line.'
        : "Give its whole path, or a line for a shell: 'source venv/bin/activate && …'.";
      return blocker('command', `${word}: ${where}`, remedy);
    },
  },
  {
    id: 'cwd',
    check({ report, plan }) {
      if (report.cwd === null || (plan.cwd === null && report.cwd.kind === 'folder')) return null;
      const { path, kind } = report.cwd;
      switch (kind) {
        case 'folder':
          return ok('folder', path);
        case 'denied':
          return blocker('folder', `${path} cannot be entered`, 'Give another --cwd.');
        case 'file':
          return blocker('folder', `${path} is a file`, 'Give another --cwd.');
        default:
          // A `cd` within a line may follow a mkdir.
          return (plan.isUncertain ? warning : blocker)(
            'folder',
            `there is no ${path}`,
            'Make it, or give another --cwd.',
          );
      }
    },
  },
  {
    id: 'log',
    check({ report }) {
      if (report.logIsFolder !== null) {
        return blocker('log', `${report.logIsFolder} is a folder`, 'Give the path of a file to --log.');
      }
      if (report.logDenied !== null) {
        return blocker('log', `${report.logDenied} cannot be written`, 'Give another --log.');
      }
      if (report.log === null) return null;
      const { near, writable, freeKiB } = report.log;
      if (!writable) return blocker('log', `${near} cannot be written`, 'Give another --log.');
      if (freeKiB === null) return ok('log', `${near} can be written`);
      if (freeKiB < 1024)
        return blocker('log', `the disk of ${near} is full`, 'Free some, or give another --log.');
      if (freeKiB < 1024 ** 2) {
        return warning(
          'log',
          `only ${sizeText(freeKiB)} free in ${near}`,
          'Free some, or give another --log.',
        );
      }
      return ok('log', `${near} can be written, ${sizeText(freeKiB)} free`);
    },
  },
  {
    id: 'state-folder',
    check({ report }) {
      if (report.state === null) return null;
      const { path, near, writable, freeKiB } = report.state;
      if (!writable) return blocker('state folder', `${near} cannot be written`, 'Set XDG_STATE_HOME there.');
      if (freeKiB !== null && freeKiB < 1024) {
        return blocker(
          'state folder',
          `the disk of ${path} is full`,
          'Free some, or set XDG_STATE_HOME there.',
        );
      }
      return ok('state folder', freeKiB === null ? path : `${path}, ${sizeText(freeKiB)} free`);
    },
  },
  {
    id: 'setsid',
    check: ({ report }) =>
      report.tools.has('setsid') || report.unanswered.includes('host')
        ? null
        : blocker(
            'setsid',
            'there is none, and nothing can be started detached',
            'It is part of util-linux and of busybox.',
          ),
  },
];
