import {
  type Count,
  directionOf,
  groupsOf,
  type PositionPage,
  stretchOf,
  totalOf,
  type WalkedPage,
  walkedPageOf,
} from '../../../platform/database/lists/index-walk.ts';
import { MAX_COUNT } from '../../../platform/database/lists/page.ts';
import type { WalkedList } from '../../../platform/database/lists/walked-lists.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { COUNTED_THROUGH, LOOKED_THROUGH } from '../../common/list-plan.rules.ts';
import { provinceCode } from '../../places/italy.rules.ts';
import { type ShipmentRow, shipmentCount, shipmentPage } from '../tracking.repository.ts';
import { conditionsOf } from './shipment-conditions.rules.ts';
import type { ShipmentFilter } from './shipment-filter.input.ts';
import { countWalked, walkedShipments } from './shipment-list.repository.ts';
import {
  countsPlan,
  type ShipmentGroup,
  type ShipmentOrder,
  type ShipmentPlan,
  shipmentPlan,
} from './shipment-list.rules.ts';

/** The list of shipments that a filter and an order ask for. @throws Fault `validation_failed` for what no index serves */
export function shipmentList(
  tenant: Tenant,
  filter: ShipmentFilter,
  order: ShipmentOrder | null,
): WalkedList<ShipmentRow> {
  const now = new Date();
  const plan = shipmentPlan(filter, order, now);
  const isOfAll = plan.walk === 'id' && plan.checked.length === 0;
  return {
    sortedBy: SORTED.has(plan.walk) ? plan.walk : null,
    read: page => (isOfAll ? pageOfAll(tenant, plan, page) : pageOf(tenant, plan, filter, page, now)),
    count: async () => {
      if (isOfAll) return counted(await shipmentCount(tenant));
      const window = countWindow(plan, MAX_COUNT + 1);
      return totalOf(await countWalked(tenant, walked(plan, filter, window, now), null), window, MAX_COUNT);
    },
  };
}

const SORTED: ReadonlySet<ShipmentPlan['walk']> = new Set(['created', 'updated', 'delivered', 'expected', 'silent']);

const counted = (count: number): Count => ({ count, isExact: count < MAX_COUNT });

async function pageOfAll(tenant: Tenant, plan: ShipmentPlan, page: PositionPage): Promise<WalkedPage<ShipmentRow>> {
  const { low, high } = stretchOf(plan.direction, {}, page);
  const bounds = { low: low?.id ?? null, high: high?.id ?? null };
  const rows = await shipmentPage(tenant, directionOf(plan.direction, page), bounds, page.limit);
  return { rows: rows.map(row => ({ ...row, listKey: null })), reached: null };
}

async function pageOf(
  tenant: Tenant,
  plan: ShipmentPlan,
  filter: ShipmentFilter,
  page: PositionPage,
  now: Date,
): Promise<WalkedPage<ShipmentRow>> {
  const stretch = stretchOf(plan.direction, plan.range, page);
  const asked = { ...walked(plan, filter, pageWindow(plan, page.limit), now), stretch };
  return walkedPageOf(await walkedShipments(tenant, asked, directionOf(plan.direction, page), page.limit));
}

/** Rows of a stretch that a page looks through: no more than it may have where each of them is wanted. */
function pageWindow({ checked, ...plan }: ShipmentPlan, limit: number): number {
  return checked.length === 0 ? limit : Math.max(limit, Math.ceil(LOOKED_THROUGH / stretches(plan)));
}

function countWindow(plan: ShipmentPlan, most: number): number {
  return Math.min(most, Math.ceil(COUNTED_THROUGH / stretches(plan)));
}

/** What a company has at most of connections, as a rule; how many it has is not known before the walk. */
const CONNECTIONS = 16;

/** How many stretches of its index a walk has. */
function stretches({ walk, statuses }: Pick<ShipmentPlan, 'walk' | 'statuses'>): number {
  if (walk === 'status') return Math.max(1, statuses.length);
  if (walk === 'silent') return Math.max(1, statuses.length * 2);
  if (walk === 'connection') return CONNECTIONS;
  return walk === 'expected' ? 2 : 1;
}

function walked(plan: ShipmentPlan, filter: ShipmentFilter, window: number, now: Date) {
  const { walk, statuses, direction, range } = plan;
  const stretch = stretchOf(direction, range, { after: null, before: null });
  return { walk, stretch, window, conditions: { ...conditionsOf(filter, now), statuses } };
}

/** How many shipments a group has. */
export interface GroupCount extends Count {
  /** A status, the code of a carrier, or a province; null for shipments without one. */
  readonly group: string | null;
}

/** How many shipments each group has; @throws Fault `validation_failed` for what would have too many looked through */
export async function shipmentCounts(tenant: Tenant, filter: ShipmentFilter, by: ShipmentGroup): Promise<GroupCount[]> {
  const now = new Date();
  const plan = countsPlan(filter, by, now);
  const window = countWindow(plan, MAX_COUNT);
  const rows = await countWalked(tenant, walked(plan, filter, window, now), by);
  const named = by === 'province' ? rows.map(row => ({ ...row, group: provinceNamed(row.group) })) : rows;
  const groups = [...groupsOf(named, window)].map(([group, count]) => ({ group, ...count }));
  return groups
    .filter(({ count, isExact }) => count > 0 || !isExact)
    .toSorted((one, other) => other.count - one.count || String(one.group).localeCompare(String(other.group)));
}

/** An Italian province by its abbreviation; others as they are, in upper case. */
function provinceNamed(province: string | null): string | null {
  return province === null ? null : (provinceCode(province) ?? province.toUpperCase());
}
