import type { Database } from '../../../../platform/database/database.ts';
import { type Batches, batchOf, inBatches } from '../../../../platform/database/statements/batches.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { companyByCompany, type Removal } from '../../../../platform/retention-rule.ts';
import type { MovedShipment } from '../tracking.announcements.ts';
import {
  appendChanges,
  beginEpoch,
  type ChangeFilter,
  type ChangeLogState,
  changesAfter,
  companiesWithChanges,
  deleteForgotten,
  forgetOldest,
} from './changes.repository.ts';
import type { ChangeCursor, ChangeRow, NewChange } from './changes.rules.ts';

export { type ChangeFilter, changeLogState } from './changes.repository.ts';

/**
 * The change log of a company: every change of its shipments has a number, without gaps and in the order of commits. A
 * consumer that has seen number 7 asks for later changes, and knows that it has missed none.
 */

/**
 * Numbers the changes of new events, and of earlier ones that a late event made steps of; returns the number of each, by
 * the event's id.
 */
export async function numberEventChanges(
  tx: TenantTransaction,
  recorded: readonly { readonly shipmentId: number; readonly eventId: number }[],
  moved: readonly MovedShipment[],
): Promise<ReadonlyMap<number, number>> {
  if (recorded.length === 0) return new Map();
  const steps = new Map(moved.flatMap(shipment => shipment.steps.map(step => [step.eventId, step])));
  const changes = recorded.map(({ shipmentId, eventId }): NewChange => {
    const step = steps.get(eventId);
    if (step === undefined) return { kind: 'event', shipmentId, eventId };
    const { statusCode, previousStatusCode } = step;
    return { kind: 'status', shipmentId, eventId, statusCode, previousStatusCode };
  });
  const first = (await appendChanges(tx, changes)) - changes.length + 1;
  return new Map(recorded.map(({ eventId }, i) => [eventId, first + i]));
}

/** Changes that one call looks through, so that a selective filter does not make it slow. */
const WINDOW = 10_000;

/** A part of the change log. */
export interface ChangePage {
  readonly epoch: number;
  readonly changes: readonly ChangeRow[];
  /** The number up to which the log was looked through, from which to continue even without results. */
  readonly upTo: number;
  readonly hasMore: boolean;
  /** Whether changes before the page are stored. */
  readonly hasEarlier: boolean;
}

/** The next changes are no longer stored: the consumer must list its shipments again. */
export interface CursorExpired {
  readonly because: 'deleted' | 'restored';
  /** The oldest stored number, or the next one if none is stored. */
  readonly oldest: number;
  /** The end of the log. */
  readonly end: ChangeCursor;
}

/** The position from which a reader of a page continues. */
export function endOf(page: ChangePage | CursorExpired): ChangeCursor {
  return 'changes' in page ? { epoch: page.epoch, number: page.upTo } : page.end;
}

/**
 * Changes after a cursor; from the oldest stored one if it is null.
 *
 * @param first the limit on the changes
 */
export async function changesSince(
  tenant: Tenant,
  after: ChangeCursor | null,
  first: number,
  filter: ChangeFilter,
): Promise<ChangePage | CursorExpired> {
  const { changes, ...log } = await changesAfter(tenant, after?.number ?? null, WINDOW, filter, first);
  const { epoch, forgotten, last } = log;
  const because = after && whyExpired(after, log);
  if (because) return { because, oldest: forgotten + 1, end: { epoch, number: last } };
  const start = after?.number ?? forgotten;
  const lookedThrough = changes.length === first ? changes.at(-1)?.number : Math.min(last, start + WINDOW);
  const upTo = Math.max(start, lookedThrough ?? start);
  return { epoch, changes, upTo, hasMore: upTo < last, hasEarlier: start > forgotten };
}

/** A log that ends before a cursor was restored from a backup, because committed changes are never lost otherwise. */
function whyExpired({ epoch, number }: ChangeCursor, log: ChangeLogState): CursorExpired['because'] | undefined {
  if (epoch !== undefined && (epoch !== log.epoch || number > log.last)) return 'restored';
  return number < log.forgotten ? 'deleted' : undefined;
}

/** Changes that are deleted at a time. */
const AT_ONCE = 5_000;

export async function deleteChanges(work: Removal): Promise<Batches> {
  const { database, before, signal } = work;
  return companyByCompany(work, await companiesWithChanges(database), async tenant => {
    let rows = 0;
    while (!signal?.aborted) {
      const upTo = await forgetOldest(tenant, before, AT_ONCE);
      if (upTo === null) return { rows, isComplete: true };
      const batches = await inBatches(
        tenant,
        async (tx, atMost) => batchOf(await deleteForgotten(tx, upTo, atMost), atMost),
        { signal },
      );
      rows += batches.rows;
    }
    return { rows, isComplete: false };
  });
}

/**
 * Invalidates every cursor: after the database was restored to an earlier time, because later numbers are assigned
 * again to other changes; and after an upgrade whose changelog says so.
 */
export async function expireCursors(database: Database, companyIds: readonly CompanyId[], now: Date): Promise<void> {
  for (const companyId of companyIds) {
    await new Tenant(companyId, database).transaction(tx => beginEpoch(tx, now.getTime()));
  }
}
