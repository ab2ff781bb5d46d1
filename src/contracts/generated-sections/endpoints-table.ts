import { BASE_PATH, ENDPOINTS } from '../../http/rest/endpoints.ts';
import { code, table } from './markdown.ts';

/** The REST endpoints, in the order of the table that makes them. */
export function endpoints(): string {
  return table(
    ['Method', 'Path', 'Scope', 'Operation', 'Status', 'What for'],
    ENDPOINTS.map(({ method, path, scope, operation, status, summary }) => [
      method,
      code(BASE_PATH + path),
      code(scope),
      operation,
      String(status),
      summary,
    ]),
  );
}
