import { RETENTION_RULES } from '../../migrate.ts';
import { SETTINGS } from '../../service-settings.ts';
import { code, table } from './markdown.ts';

/** The rows that are deleted with age, and when. */
export function dataRetention(): string {
  const defaults = SETTINGS.parse({}) as Readonly<Record<string, unknown>>;
  const rows = RETENTION_RULES.map(({ table: of, what, how, kept }) => {
    const setting = typeof kept === 'number' ? undefined : kept.setting;
    const days = Number(setting === undefined ? kept : defaults[setting]);
    const time = days === 0 ? 'indefinitely' : days === 1 ? '24 hours' : `${days} days`;
    return [`${what[0]?.toUpperCase()}${what.slice(1)}`, time, setting ? code(setting) : '–', how, code(of)];
  });
  return table(['What', 'Kept', 'Setting', 'Then', 'Table'], rows);
}
