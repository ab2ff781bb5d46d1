import { FAULTS } from '../../platform/fault.ts';
import { ISSUE_CODES } from '../../platform/issue-codes.ts';
import { code, table } from './markdown.ts';

/** Every code of a rejected request, by its HTTP status. */
export function errorCodes(): string {
  const rows = Object.entries(FAULTS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([name, { status, help }]) => [String(status), code(name), help]);
  return table(['Status', 'Code', 'Meaning, and what to do'], rows);
}

/** Every code of an invalid field. */
export function issueCodes(): string {
  return table(
    ['Code', 'Meaning'],
    Object.entries(ISSUE_CODES).map(([name, meaning]) => [code(name), meaning]),
  );
}
