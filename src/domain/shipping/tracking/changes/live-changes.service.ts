import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../../platform/fault.ts';
import type { LiveRead } from '../../../../platform/live-read.ts';
import { type ShipmentRow, shipmentById } from '../tracking.repository.ts';
import { trackByNumber } from '../tracking.service.ts';
import { type ChangeFilter, changeLogState } from './changes.repository.ts';
import { type ChangeCursor, cursorText } from './changes.rules.ts';
import { type ChangePage, type CursorExpired, changesSince, endOf } from './changes.service.ts';

/** The change log as a source of events, one at a time. Each read uses the tenant of its call. */

type Door = () => Tenant;

/**
 * Pages of changes after a cursor, like the pages of `changesSince`. The first comes at once, so that the reader has a
 * cursor. After an expired cursor the source continues from the end of the log.
 */
export async function* liveChanges(
  tenant: Door,
  after: ChangeCursor | 'end' | null,
  first: number,
  filter: ChangeFilter,
): AsyncGenerator<LiveRead<ChangePage | CursorExpired>, void> {
  let position = after === 'end' ? await endOfLog(tenant()) : after;
  for (let isFirst = true; ; isFirst = false) {
    const page = await changesSince(tenant(), position, first, filter);
    const next = endOf(page);
    const [hasMore, isEmpty] = 'changes' in page ? [page.hasMore, page.changes.length === 0] : [false, false];
    if (!isFirst && isEmpty && next.number === position?.number) yield { hasMore };
    else yield { value: page, id: cursorText(next), isKeepAlive: !isFirst && isEmpty, hasMore };
    position = next;
  }
}

async function endOfLog(tenant: Tenant): Promise<ChangeCursor> {
  const { epoch, last } = await changeLogState(tenant);
  return { epoch, number: last };
}

/** The shipment with a number, now and again after each change. Null at the end if there is none, or none any more. */
export async function* liveShipment(
  tenant: Door,
  trackingNumber: string,
): AsyncGenerator<LiveRead<ShipmentRow | null>, void> {
  const found = await trackByNumber(tenant(), trackingNumber).catch(nullIfNone);
  if (found === null) return yield { value: null, hasMore: false };
  const { id } = found;
  const filter = { shipmentIds: [id] };
  for (;;) {
    // Read before the shipment, so that a change in between is shown twice and not missed.
    let { last: number } = await changeLogState(tenant());
    const value = await shipmentById(tenant(), id);
    if (value === undefined) return yield { value: null, hasMore: false };
    yield { value, hasMore: false };
    for (;;) {
      const page = await changesSince(tenant(), { number }, 1, filter);
      if (!('changes' in page) || page.changes.length > 0) break;
      number = page.upTo;
      yield { hasMore: page.hasMore };
    }
  }
}

function nullIfNone(thrown: unknown): null {
  if (thrown instanceof Fault && thrown.code === 'shipment_not_found') return null;
  throw thrown;
}
