import { BASE_PATH, ENDPOINTS } from '../rest/endpoints.ts';

/** The table of endpoints as the README shows it. */
export function endpointsTable(): string {
  const rows = ENDPOINTS.map(
    ({ method, path, scope, operation, status, summary }) =>
      `| ${method} | \`${BASE_PATH}${path}\` | \`${scope}\` | ${operation} | ${status} | ${summary} |`,
  );
  return ['| Method | Path | Scope | Operation | Status | What for |', '|---|---|---|---|---|---|', ...rows].join('\n');
}
