import { keyGroups, keyLabel, keymap } from './keymap.js';

/** The table of keys as Markdown, for docs/keys.md. */
export function keysPage(): string {
  const sections = keyGroups.map((group) => {
    const rows = keymap.filter((row) => row.group === group);
    const lines = rows.map((row) => {
      const keys = row.keys.map((name) => `\`${keyLabel(name)}\``).join(' ');
      return `| ${keys} | ${row.help} | ${row.contexts.join(', ')} |`;
    });
    return [`## ${group}`, '', '| key | does | where |', '| --- | --- | --- |', ...lines, ''].join('\n');
  });
  return `# Keys\n\n${sections.join('\n')}`;
}
