import { ENDPOINTS } from '../../http/rest/endpoints.ts';
import { SCOPES } from '../../platform/scopes.ts';
import { code, table } from './markdown.ts';

/** Every scope that a key can have, with the REST operations that need it. */
export function scopes(): string {
  const rows = Object.entries(SCOPES).map(([scope, purpose]) => {
    const operations = ENDPOINTS.filter(endpoint => endpoint.scope === scope).map(({ operation }) => operation);
    return [code(scope), purpose, operations.length > 0 ? operations.join(', ') : 'GraphQL only'];
  });
  return table(['Scope', 'Lets a key', 'REST operations'], rows);
}
