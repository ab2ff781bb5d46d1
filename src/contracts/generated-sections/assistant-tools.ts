import { TOOLS } from '../../http/mcp/tools.ts';
import { code, table } from './markdown.ts';

/** The tools of assistants. */
export function assistantTools(): string {
  return table(
    ['Tool', 'Scope', 'What it does'],
    TOOLS.map(({ name, scope, description }) => [code(name), code(scope), description]),
  );
}
