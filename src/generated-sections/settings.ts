import { ABOUT, SETTINGS } from '../config.ts';
import { code, table } from './markdown.ts';

/** The settings that a process reads from its environment. */
export function settings(): string {
  const defaults = SETTINGS.parse({}) as Readonly<Record<string, unknown>>;
  const rows = Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const { purpose, allowed, unset, usedBy } = ABOUT.get(schema) as NonNullable<ReturnType<typeof ABOUT.get>>;
    return [code(name), unset ?? shown(defaults[name]), allowed, purpose, usedBy.join(', ')];
  });
  return table(['Name', 'Default', 'Allowed', 'What for', 'Used by'], rows);
}

function shown(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '–' : `\`${value}\``;
}
