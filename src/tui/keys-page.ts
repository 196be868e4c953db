import { keyGroups, keyLabel, keyLabels, keymap } from './keymap.js';
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
  return `# Keys\n\n${[...sections, pickerSection()].join('\n')}`;
}

function pickerSection(): string {
  const lines = pickerKeys.map(
    ({ keys, help }) => `| ${keys.map((name) => `\`${keyLabel(name)}\``).join(' ')} | ${help} |`,
  );
  const head = '`firedup` alone shows the targets of the [config](config.md).';
  return ['## The list of targets', '', head, '', '| key | does |', '| --- | --- |', ...lines, ''].join('\n');
}
