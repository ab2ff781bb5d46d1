import { ABOUT, SETTINGS } from './config.ts';

/** The table of settings as the README shows it. */
export function settingsTable(): string {
  const defaults = SETTINGS.parse({}) as Readonly<Record<string, unknown>>;
  const rows = Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const { purpose, allowed, unset, usedBy } = ABOUT.get(schema) as NonNullable<ReturnType<typeof ABOUT.get>>;
    return `| \`${name}\` | ${unset ?? shown(defaults[name])} | ${allowed} | ${purpose} | ${usedBy.join(', ')} |`;
  });
  return ['| Name | Default | Allowed | What for | Used by |', '|---|---|---|---|---|', ...rows].join('\n');
}

function shown(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '–' : `\`${value}\``;
}
