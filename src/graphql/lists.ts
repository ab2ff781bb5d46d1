import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { type IdPage, type ListEnd, type ListPage, MAX_LIST } from '../platform/database/page.ts';
import { invalid } from '../platform/fault.ts';
import { builder } from './builder.ts';

const DEFAULT_SIZE = 50;
const MAX_SIZE = 250;
const DEFAULT_LIST_SIZE = 100;

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
export function connectionById<Row extends { id: number }>(
  args: PageArgs,
  read: (page: IdPage) => Promise<readonly Row[]>,
) {
  checkSize('first', args.first, MAX_SIZE);
  checkSize('last', args.last, MAX_SIZE);
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

/** Arguments of a plain list: a part of it, since the whole may be long. */
export const LIST_ARGS = builder.args(t => ({
  first: t.int({ defaultValue: DEFAULT_LIST_SIZE, description: `How many at most; 1 to ${MAX_LIST}.` }),
  after: t.id({ description: 'Only those after the one with this id.' }),
}));

/** Arguments of a list whose end is what matters most. */
export const LIST_END_ARGS = builder.args(t => ({
  last: t.int({ defaultValue: DEFAULT_LIST_SIZE, description: `How many at most, from the end; 1 to ${MAX_LIST}.` }),
  before: t.id({ description: 'Only those before the one with this id.' }),
}));

type ListArgs = Pick<PageArgs, 'first' | 'after'>;
type ListEndArgs = Pick<PageArgs, 'last' | 'before'>;

/** What a plain list costs: its selection for each entry that it may have. */
export function listCost({ first, last }: Pick<PageArgs, 'first' | 'last'>) {
  return { multiplier: Math.min(first ?? last ?? DEFAULT_LIST_SIZE, MAX_LIST) };
}

/** The part of a list with numbers for ids. @throws Fault `validation_failed` */
export function pageByNumber({ first, after }: ListArgs): ListPage<number> {
  return { after: numberOf('after', after), limit: sizeOf('first', first) };
}

/**
 * The part of a list with texts for keys.
 *
 * @param isKey whether a text may be a key
 * @throws Fault `validation_failed`
 */
export function pageByText(
  { first, after = null }: ListArgs,
  isKey: (text: string) => boolean = () => true,
): ListPage<string> {
  if (after !== null && !isKey(after)) throw notOfList('after');
  return { after, limit: sizeOf('first', first) };
}

/** The end of a list with numbers for ids. @throws Fault `validation_failed` */
export function listEnd({ last, before }: ListEndArgs): ListEnd {
  return { before: numberOf('before', before), limit: sizeOf('last', last) };
}

function sizeOf(name: 'first' | 'last', size: number | null | undefined): number {
  checkSize(name, size, MAX_LIST);
  return size ?? DEFAULT_LIST_SIZE;
}

function checkSize(name: 'first' | 'last', size: number | null | undefined, max: number): void {
  if (size == null || (size >= 1 && size <= max)) return;
  throw invalid([{ path: [name], code: 'out_of_range', message: `must be from 1 to ${max}` }]);
}

function numberOf(name: 'before' | 'after', id: string | null | undefined): number | null {
  if (id == null) return null;
  if (!/^\d{1,15}$/.test(id)) throw notOfList(name);
  return Number(id);
}

function notOfList(name: 'before' | 'after') {
  return invalid([{ path: [name], code: 'invalid_id', message: 'must name an entry of the list' }]);
}
