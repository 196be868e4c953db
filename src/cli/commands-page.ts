import type { Command, Option } from 'commander';
import { examples } from './program/examples.js';
import { defaultText, fullName, sentence, shownFlags, usageOf } from './program/help-style.js';
import { sshHeading } from './program/options.js';

/** The commands with their options and examples as Markdown, for docs/commands.md. */
export function commandsPage(program: Command): string {
  const head =
    'HOST is `local`, an alias of the ssh config, or `[user@]host[:port]`; TARGET is a name of the [config](config.md). ' +
    'Exit codes: [verdicts](verdicts.md).';
  const ssh = program.commands.flatMap(({ options }) => options.filter(isSsh));
  const once = ssh.filter((option, index) => ssh.findIndex(({ flags }) => flags === option.flags) === index);
  return [
    '# Commands',
    '',
    head,
    '',
    ...program.commands.flatMap((command) => section(command)),
    '## Reaching the host',
    '',
    'They mean what they mean to `ssh`: [ssh](ssh.md).',
    '',
    ...table(once),
  ].join('\n');
}

function section(command: Command): readonly string[] {
  const options = command.options.filter((option) => !option.hidden);
  const lines = examples[fullName(command)] ?? [];
  return [
    `## ${fullName(command)}`,
    '',
    sentence(command.description()),
    '',
    `    ${usageOf(command)}`,
    '',
    ...table(options.filter((option) => !isSsh(option))),
    ...(options.some(isSsh) ? ['And the options of [reaching the host](#reaching-the-host).', ''] : []),
    ...lines.flatMap(([what, line]) => [`    # ${what}`, `    ${line}`]),
    ...(lines.length > 0 ? [''] : []),
    ...command.commands.flatMap((child) => section(child)),
  ];
}

const isSsh = ({ helpGroupHeading }: Option): boolean => helpGroupHeading === sshHeading;

const table = (options: readonly Option[]): readonly string[] =>
  options.length === 0
    ? []
    : ['| option | meaning |', '| --- | --- |', ...options.map((option) => row(option)), ''];

const row = (option: Option): string =>
  `| \`${shownFlags(option)}\` | ${option.description}${defaultText(option)} |`;
