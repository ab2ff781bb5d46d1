import { directionOf, stretchOf, totalOf, walkedPageOf } from '../../../platform/database/lists/index-walk.ts';
import { MAX_COUNT } from '../../../platform/database/lists/page.ts';
import type { WalkedList } from '../../../platform/database/lists/walked-lists.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { LOOKED_THROUGH, NO_RANGE } from '../../common/list-plan.rules.ts';
import type { CarrierCallFilter } from './carrier-call-filter.input.ts';
import {
  type CallConditions,
  type CallWalk,
  type CarrierCallRow,
  countWalkedCalls,
  walkedCalls,
} from './carrier-calls.repository.ts';

/** The calls to carriers that a filter asks for, newest first. */
export function callList(tenant: Tenant, filter: CarrierCallFilter): WalkedList<CarrierCallRow> {
  const { walk, served } = planOf(filter);
  const conditions = conditionsOf(filter);
  const range = walk === 'request' ? NO_RANGE : (filter.at ?? NO_RANGE);
  const isChecked = Object.entries(filter).some(([name, value]) => value != null && !served.includes(name));
  return {
    sortedBy: walk === 'request' ? null : 'at',
    read: async page => {
      const stretch = stretchOf('desc', range, page);
      const window = isChecked ? Math.max(page.limit, LOOKED_THROUGH) : page.limit;
      const asked = { walk, stretch, window, conditions };
      return walkedPageOf(await walkedCalls(tenant, asked, directionOf('desc', page), page.limit));
    },
    count: async () => {
      const window = MAX_COUNT + 1;
      const stretch = stretchOf('desc', range, { after: null, before: null });
      return totalOf(await countWalkedCalls(tenant, { walk, stretch, window, conditions }), window, MAX_COUNT);
    },
  };
}

/** The index that leaves the fewest calls to be looked through, and the conditions that it serves. */
function planOf({ requestId, carrierCompanyId, outcomes }: CarrierCallFilter): {
  readonly walk: CallWalk;
  readonly served: readonly string[];
} {
  if (requestId != null) return { walk: 'request', served: ['requestId'] };
  if (carrierCompanyId != null) return { walk: 'connection', served: ['carrierCompanyId', 'at'] };
  if (outcomes != null) return { walk: 'outcome', served: ['outcomes', 'at'] };
  return { walk: 'time', served: ['at'] };
}

function conditionsOf({ requestId, carrierCompanyId, outcomes, at }: CarrierCallFilter): CallConditions {
  return {
    requestId: requestId ?? null,
    carrierCompanyId: carrierCompanyId ?? null,
    outcomes: outcomes == null ? null : [...new Set(outcomes)],
    from: at?.from?.toISOString() ?? null,
    to: at?.to?.toISOString() ?? null,
  };
}

/** A call as an operator sees it in a table. */
export type CarrierCallSummary = Omit<CarrierCallRow, 'at'> & { readonly at: string };

/** The newest calls of a company that meet a filter. */
export async function newestCalls(
  tenant: Tenant,
  filter: CarrierCallFilter,
  max: number,
): Promise<CarrierCallSummary[]> {
  const list = callList(tenant, filter);
  const found: CarrierCallSummary[] = [];
  let after: { readonly key: number | null; readonly id: number } | null = null;
  do {
    const limit = max - found.length;
    const { rows, reached }: Awaited<ReturnType<typeof list.read>> = await list.read({
      after,
      before: null,
      limit,
      inverted: false,
    });
    for (const {
      listKey: _key,
      reachedKey: _reachedKey,
      reachedId: _reachedId,
      ...row
    } of rows as readonly ReadRow[]) {
      found.push({ ...row, at: new Date(row.at).toISOString() });
    }
    after = reached;
  } while (after !== null && found.length < max);
  return found;
}

/** What a page has beside the call. */
type ReadRow = CarrierCallRow & {
  readonly listKey: number | null;
  readonly reachedKey?: unknown;
  readonly reachedId?: unknown;
};
