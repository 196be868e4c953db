import { keyLabel, keyLabels } from './key-labels.js';
import { keyGroups, keymap } from './keymap.js';
import { pickerKeys } from './picker-keys.js';

/** The table of keys as Markdown, for docs/keys.md. */
export function keysPage(): string {
  const sections = keyGroups.map((group) => {
    const rows = keymap.filter((row) => row.group === group);
    const lines = rows.map((row) => {
      const keys = keyLabels(row)
        .map((label) => `\`${label}\``)
        .join(' ');
      return `| ${keys} | ${row.help} | ${row.contexts.join(', ')} |`;
    });
    return [`## ${group}`, '', '| key | does | where |', '| --- | --- | --- |', ...lines, ''].join('\n');
  });
  return `# Keys\n\n${[...sections, filterSection, mouseSection, copySection, pickerSection()].join('\n')}`;
}

const filterSection = `## What the filter takes

| typed | shows |
| --- | --- |
| \`load.*end\` | lines that match the regular expression; without a capital letter in it, either case |
| \`weight !draft !shard\` | … but none that match one of those behind a \`!\` |
| \`@TP3\`, \`@3\`, \`@TP1 @TP2\` | … of these ranks only, with their tracebacks |
| \`\\!\`, \`\\@\` | the characters themselves |

Blanks belong to a pattern. The lines of a traceback that name no rank are of the one whose line began it; where several
ranks' tracebacks are mixed up, of none. What cannot be read yet is said on the line, and what was found before stays. \`e\` and \`o\`
apply besides; both at once show errors and milestones. \`↑\` brings earlier filters back, also what Esc has cleared.
\`n\` and \`N\` go round at the ends. All lines that are kept are looked through, a million and more, the newest first; the title counts them.

A pattern may take longer on a line than one likes to wait, some for ever: \`(a+)+$\`. The keys answer all the same. A
line that takes more than 40 ms is left out, a search that takes more than 5 s and a tenth of a millisecond a line is
stopped, and the title says first how many lines were not searched. A pattern has at most 2,000 characters.

## What is folded

Copies of a line by several ranks are one row with \`×8\`, a progress bar that ends its frames with line ends is its newest
frame, a traceback is its exception; the same exception of several ranks is one row. Enter opens the lowest of them in
sight, the one whose sign is lit, and closes it again; \`[\` and \`]\` choose another; \`x\` shows every line. A filter finds single lines, folded or not;
the search opens what a match is in; dump, history and verdicts know nothing of folds.
`;

const mouseSection = `## The mouse

\`m\` turns it on. The wheel scrolls the pane under it; a click gives that pane the keys, opens or closes the folded row under
it, and points at any other line (\`M\` marks it then, \`y\` copies it). With Shift the terminal selects text as ever.
`;

const copySection = `## What is copied

\`y\` copies the overlay that is open (all of the card, the chosen attempt, the arguments), else the triage card, the phases
or the GPUs where they have the keys. Of the log it takes the marked lines, else the one that a search or \`v\` led to, else
the last forty down to the lowest in sight that pass the filter; lines are copied whole. \`D\` takes the last forty whatever
is shown.

It goes into a file that only you read, and: inside tmux into its buffer (\`load-buffer -w\`), else to the terminal by
OSC 52, in GNU screen wrapped for the terminal around it. A terminal never says whether it took it (a tmux around
ssh does with \`set-clipboard on\`); over 100 kB is not sent.
The key line says where it went.
`;

function pickerSection(): string {
  const lines = pickerKeys.map(
    ({ keys, help }) => `| ${keys.map((name) => `\`${keyLabel(name)}\``).join(' ')} | ${help} |`,
  );
  const head =
    '`firedup` alone shows the targets of the [config](config.md). `q` on a watch that was opened from it comes back to it;\n' +
    'so does one that cannot be reached, and says why. While all are asked again their last answers stand.';
  return ['## The list of targets', '', head, '', '| key | does |', '| --- | --- |', ...lines, ''].join('\n');
}
