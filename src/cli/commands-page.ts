import type { Command } from 'commander';

/** The commands with their options as Markdown, for docs/commands.md. */
export function commandsPage(program: Command): string {
  const sections = program.commands.flatMap((command) => section(command, 'firedup'));
  const head =
    'HOST is a target of the [config](config.md), `local`, an alias of the ssh config, or `[user@]host[:port]`. ' +
    'Exit codes: [verdicts](verdicts.md).';
  return `# Commands\n\n${head}\n\n${sections.join('\n')}`;
}

function section(command: Command, parent: string): readonly string[] {
  const name = `${parent} ${command.name()}`;
  const usage = command.usage().replace('[options] ', '').replace('[options]', '').trim();
  const options = command.options.filter((option) => !option.hidden);
  const rows = options.map(
    (option) => `| \`${option.flags}\` | ${option.description}${given(option.defaultValue)} |`,
  );
  const table = rows.length === 0 ? [] : ['| option | meaning |', '| --- | --- |', ...rows, ''];
  const own = [`## ${`${name} ${usage}`.trim()}`, '', `${sentence(command.description())}`, '', ...table];
  return [own.join('\n'), ...command.commands.flatMap((child) => section(child, name))];
}

const given = (value: unknown): string => (value === undefined ? '' : ` (default ${String(value)})`);

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
