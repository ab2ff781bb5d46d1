import fc from 'fast-check';
import type { Item } from '../support/platform-side.ts';

/** Common tools of the tests of filtered lists: random filters, and reading page after page. */

const DAY_MS = 24 * 3_600_000;

/** A time of few, so that many rows have the same. */
export const daysAgo = (days: number) =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS).toISOString();

/** At most so many of the conditions. */
export function someOf(conditions: Readonly<Record<string, fc.Arbitrary<unknown>>>, most: number): fc.Arbitrary<Item> {
  return fc
    .record(conditions, { requiredKeys: [] })
    .chain(filter =>
      fc
        .subarray(Object.entries(filter), { maxLength: Math.min(most, Object.keys(filter).length) })
        .map(entries => Object.fromEntries(entries) as Item),
    );
}

/** The conditions that a filter has: a range of times with neither end is none. */
export function conditionsIn(filter: Item): Item {
  const isEmpty = (value: unknown) => JSON.stringify(value) === '{}';
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => !isEmpty(value)));
}

/** How a list is refused whose filter or order no index serves. */
export const REFUSED = /^validation_failed: (\/\w+ too_costly(, )?|\/orderBy not_allowed)+$/;

export interface ListPage {
  readonly nodes: readonly { readonly id: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
  readonly isTotalCountExact: boolean;
}

export const PAGE_FIELDS =
  'nodes { id: databaseId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount isTotalCountExact';

/** Every page of a list, from its start. */
export async function pagesOf(
  read: (place: { readonly first: number; readonly after: string | null }) => Promise<ListPage>,
  first: number,
): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  for (let after: string | null = null; ; ) {
    const page: ListPage = await read({ first, after });
    pages.push(page);
    if (!page.pageInfo.hasNextPage) return pages;
    after = page.pageInfo.endCursor;
  }
}

/** Reads the list from its end, each page from its last row to its first. */
export async function pagesBackOf(
  read: (place: { readonly last: number; readonly before: string | null }) => Promise<ListPage>,
  last: number,
): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  for (let before: string | null = null; ; ) {
    const page: ListPage = await read({ last, before });
    pages.push({ ...page, nodes: page.nodes.toReversed() });
    if (!page.pageInfo.hasPreviousPage) return pages;
    before = page.pageInfo.startCursor;
  }
}

export const idsIn = (pages: readonly ListPage[]): number[] => pages.flatMap(({ nodes }) => nodes.map(({ id }) => id));
