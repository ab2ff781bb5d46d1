import { directionOf, keyRangeOf, scannedPageOf, totalOf } from '../../../../platform/database/lists/index-scan.ts';
import { MAX_COUNT } from '../../../../platform/database/lists/page.ts';
import type { ScannedList } from '../../../../platform/database/lists/scanned-lists.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { LOOKED_THROUGH, NO_RANGE } from '../../../common/list-plan.rules.ts';
import type { CarrierCallFilter } from './carrier-call-filter.input.ts';
import {
  type CallConditions,
  type CallScan,
  type CarrierCallRow,
  countScannedCalls,
  scannedCalls,
} from './carrier-calls.repository.ts';

/** The calls to carriers that match a filter, newest first. */
export function callList(tenant: Tenant, filter: CarrierCallFilter): ScannedList<CarrierCallRow> {
  const { scan, served } = planOf(filter);
  const conditions = conditionsOf(filter);
  const range = scan === 'request' ? NO_RANGE : (filter.startedAt ?? NO_RANGE);
  const isChecked = Object.entries(filter).some(([name, value]) => value != null && !served.includes(name));
  return {
    sortedBy: scan === 'request' ? null : 'at',
    read: async page => {
      const keyRange = keyRangeOf('desc', range, page);
      const window = isChecked ? Math.max(page.limit, LOOKED_THROUGH) : page.limit;
      const asked = { scan, keyRange, window, conditions };
      return scannedPageOf(await scannedCalls(tenant, asked, directionOf('desc', page), page.limit));
    },
    count: async () => {
      const window = MAX_COUNT + 1;
      const keyRange = keyRangeOf('desc', range, { after: null, before: null });
      return totalOf(await countScannedCalls(tenant, { scan, keyRange, window, conditions }), window, MAX_COUNT);
    },
  };
}

/** The most selective index for a filter, and the conditions that it serves. */
function planOf({ requestId, carrierConnectionId, outcomes }: CarrierCallFilter): {
  readonly scan: CallScan;
  readonly served: readonly string[];
} {
  if (requestId != null) return { scan: 'request', served: ['requestId'] };
  if (carrierConnectionId != null) return { scan: 'connection', served: ['carrierConnectionId', 'startedAt'] };
  if (outcomes != null) return { scan: 'outcome', served: ['outcomes', 'startedAt'] };
  return { scan: 'time', served: ['startedAt'] };
}

function conditionsOf({ requestId, carrierConnectionId, outcomes, startedAt }: CarrierCallFilter): CallConditions {
  return {
    requestId: requestId ?? null,
    carrierConnectionId: carrierConnectionId ?? null,
    outcomes: outcomes == null ? null : [...new Set(outcomes)],
    from: startedAt?.from?.toISOString() ?? null,
    to: startedAt?.to?.toISOString() ?? null,
  };
}
