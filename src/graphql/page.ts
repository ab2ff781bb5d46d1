import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { invalid } from '../platform/fault.ts';
import type { IdPage } from '../platform/page.ts';

const DEFAULT_SIZE = 50;
const MAX_SIZE = 250;

interface PageArgs {
  first?: number | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

/** What a connection costs: its selection for each record of the page. */
export function pageCost({ first, last }: Pick<PageArgs, 'first' | 'last'>) {
  return { multiplier: Math.min(first ?? last ?? DEFAULT_SIZE, MAX_SIZE) };
}

/** A Relay connection over rows with ascending ids, newest first; cursors hide the id. */
export function connectionById<Row extends { id: number }>(args: PageArgs, read: (page: IdPage) => Promise<Row[]>) {
  for (const name of ['first', 'last'] as const) {
    const size = args[name];
    if (size != null && (size < 1 || size > MAX_SIZE)) {
      throw invalid([{ path: [name], code: 'out_of_range', message: `must be from 1 to ${MAX_SIZE}` }]);
    }
  }
  const before = idOf('before', args.before);
  const after = idOf('after', args.after);
  return resolveCursorConnection(
    {
      args,
      defaultSize: DEFAULT_SIZE,
      maxSize: MAX_SIZE,
      toCursor: (row: Row) => Buffer.from(`id:${row.id}`).toString('base64url'),
    },
    ({ limit, inverted }: ResolveCursorConnectionArgs) => read({ before, after, limit, inverted }),
  );
}

function idOf(name: 'before' | 'after', cursor: string | null | undefined): number | null {
  if (cursor == null) return null;
  const [, id] = /^id:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined) {
    throw invalid([{ path: [name], code: 'invalid_cursor', message: 'must be a cursor that an earlier page gave' }]);
  }
  return Number(id);
}
