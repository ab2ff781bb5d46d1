import { fileVariableOf } from '../../secret-files.ts';
import { SETTINGS } from '../../service-settings.ts';
import { ABOUT } from '../../setting-kinds.ts';
import { code, table } from './markdown.ts';

/** The settings that a process reads from its environment. */
export function settings(): string {
  const defaults = SETTINGS.parse({}) as Readonly<Record<string, unknown>>;
  const rows = Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const { purpose, allowed, unset, usedBy, isSecret } = ABOUT.get(schema) as NonNullable<
      ReturnType<typeof ABOUT.get>
    >;
    const file = isSecret ? ` Can be a file: ${code(fileVariableOf(name))}.` : '';
    return [code(name), unset ?? shown(defaults[name]), allowed, `${purpose}${file}`, usedBy.join(', ')];
  });
  return table(['Name', 'Default', 'Allowed', 'What for', 'Used by'], rows);
}

function shown(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '–' : `\`${value}\``;
}

/** All settings as a file `.env`, each commented out: a copied line changes nothing until a value is given. */
export function envExample(): string {
  const defaults = SETTINGS.parse({}) as Readonly<Record<string, unknown>>;
  const blocks = Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const { purpose, allowed, unset, isSecret } = ABOUT.get(schema) as NonNullable<ReturnType<typeof ABOUT.get>>;
    const file = isSecret ? ` ${fileVariableOf(name)} names a file with it.` : '';
    const whenUnset = unset === undefined ? '' : ` Not set: ${unset}.`;
    const value = unset === undefined ? (defaults[name] ?? '') : '';
    return `# ${purpose} Allowed: ${allowed}.${whenUnset}${file}\n#${name}=${value}\n`.replaceAll('`', '');
  });
  const head = '# Settings of the service. Copy this file to .env, and remove the # before those that you set.\n';
  return [head, ...blocks].join('\n');
}
