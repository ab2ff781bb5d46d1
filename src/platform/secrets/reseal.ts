import type { Database } from '../database/database.ts';
import type { SecretBox } from './secret-box.ts';

const AT_ONCE = 500;

interface SealedRow {
  readonly id: unknown;
  readonly box: Buffer;
}

/** Sealed boxes of one kind, in order of their ids. */
export interface SealedRows<Row extends SealedRow> {
  /** The rows after an id, or from the start after 0; fewer than `max` rows are the last ones. */
  after(id: Row['id'] | 0, max: number): Promise<readonly Row[]>;
  contextOf(row: Row): string;
  /** Replaces the box of a row; returns whether that box was still stored. */
  replace(row: Row, sealed: Buffer): Promise<boolean>;
  /** Whether the rows are deleted within a day, so that unreadable boxes may be left. */
  readonly areShortLived?: boolean;
}

/** A kind of secrets that are stored encrypted. */
export interface SecretKind {
  /** For operators. */
  readonly what: string;
  sealed(database: Database): SealedRows<SealedRow>;
}

export interface Resealed {
  readonly secrets: number;
  readonly resealed: number;
  /** Boxes that no key opens, and that were left as they are. */
  readonly unreadable: number;
}

/** How many boxes there are, and how many of them no key of `SECRETS_KEY` opens. */
export async function countUnreadable<Row extends SealedRow>(
  box: SecretBox,
  { after, contextOf }: Omit<SealedRows<Row>, 'replace'>,
): Promise<{ secrets: number; unreadable: number }> {
  let [secrets, unreadable] = [0, 0];
  for await (const row of everyRow(after)) {
    secrets++;
    if (!opens(box, row.box, contextOf(row))) unreadable++;
  }
  return { secrets, unreadable };
}

function opens(box: SecretBox, sealed: Buffer, context: string): boolean {
  try {
    box.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}

/**
 * Seals every box with the first key of `SECRETS_KEY`.
 *
 * @param leavesUnreadable whether a box that no key opens is left as it is
 * @throws UnknownKey if such a box is not left
 */
export async function reseal<Row extends SealedRow>(
  box: SecretBox,
  { after, contextOf, replace, areShortLived = false }: SealedRows<Row>,
  leavesUnreadable: boolean,
): Promise<Resealed> {
  let [secrets, resealed, unreadable] = [0, 0, 0];
  for await (const row of everyRow(after)) {
    secrets++;
    if (box.isCurrent(row.box)) continue;
    const context = contextOf(row);
    if ((areShortLived || leavesUnreadable) && !opens(box, row.box, context)) {
      unreadable++;
      continue;
    }
    if (await replace(row, box.seal(box.open(row.box, context), context))) resealed++;
  }
  return { secrets, resealed, unreadable };
}

async function* everyRow<Row extends SealedRow>(after: SealedRows<Row>['after']): AsyncGenerator<Row> {
  for (let last: Row['id'] | 0 = 0, rows: readonly Row[] = []; ; last = rows.at(-1)?.id ?? 0) {
    rows = await after(last, AT_ONCE);
    yield* rows;
    if (rows.length < AT_ONCE) return;
  }
}
