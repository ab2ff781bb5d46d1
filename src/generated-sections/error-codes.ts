import { FAULTS } from '../platform/fault.ts';
import { code, table } from './markdown.ts';

/** Every code of an error, by its HTTP status. */
export function errorCodes(): string {
  const rows = Object.entries(FAULTS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([name, { status, help }]) => [String(status), code(name), help]);
  return table(['Status', 'Code', 'What it means, and what to do'], rows);
}
