import {
  type Count,
  directionOf,
  groupsOf,
  keyRangeOf,
  type PositionPage,
  type ScannedPage,
  scannedPageOf,
  totalOf,
} from '../../../../platform/database/lists/index-scan.ts';
import { MAX_COUNT } from '../../../../platform/database/lists/page.ts';
import type { ScannedList } from '../../../../platform/database/lists/scanned-lists.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { COUNTED_THROUGH, LOOKED_THROUGH } from '../../../common/list-plan.rules.ts';
import { provinceCode } from '../../../common/places/italy.rules.ts';
import { type WarehouseRow, warehouseById } from '../../warehouses/warehouses.service.ts';
import { type ListedShipmentRow, type ShipmentRow, shipmentCount, shipmentPage } from '../tracking.repository.ts';
import { conditionsOf } from './shipment-conditions.rules.ts';
import type { ShipmentFilter } from './shipment-filter.input.ts';
import { countScanned, scannedShipments } from './shipment-list.repository.ts';
import {
  countsPlan,
  type ShipmentGroup,
  type ShipmentOrder,
  type ShipmentPlan,
  shipmentPlan,
} from './shipment-list.rules.ts';

/**
 * The list of shipments for a filter and an order.
 *
 * @param shown the parts that are read with them
 * @throws Fault `validation_failed` if no index serves it
 */
export function shipmentList(
  tenant: Tenant,
  filter: ShipmentFilter,
  order: ShipmentOrder | null,
  shown: ListedParts,
): ScannedList<ShipmentRow> {
  const now = new Date();
  const plan = shipmentPlan(filter, order, now);
  const isOfAll = plan.scan === 'id' && plan.checked.length === 0;
  return {
    sortedBy: SORTED.has(plan.scan) ? plan.scan : null,
    read: async asked => {
      const page = { ...asked, ...shown };
      const found = await (isOfAll ? pageOfAll(tenant, plan, page) : pageOf(tenant, plan, filter, page, now));
      if (shown.hasWarehouses) await readWarehouses(tenant, found.rows);
      return found;
    },
    count: async () => {
      if (isOfAll) return counted(await shipmentCount(tenant));
      const window = countWindow(plan, MAX_COUNT + 1);
      return totalOf(await countScanned(tenant, scanned(plan, filter, window, now), null), window, MAX_COUNT);
    },
  };
}

/** Parts that a list reads with its shipments if it shows them: otherwise each shipment asks for its own. */
export interface ListedParts {
  readonly hasTimelines: boolean;
  readonly hasWarehouses: boolean;
}

/** A shipment of a list, with its warehouse if the list shows warehouses. */
export type ShownShipment = ListedShipmentRow & { warehouse?: WarehouseRow | null };

/** Reads each warehouse of a page once: a load for each shipment took a fifth of a page's CPU time. */
async function readWarehouses(tenant: Tenant, rows: readonly ShownShipment[]): Promise<void> {
  const ids = [...new Set(rows.map(({ warehouseId }) => warehouseId))];
  const found = await Promise.all(ids.map(id => (id === null ? undefined : warehouseById(tenant, id))));
  for (const row of rows) row.warehouse = found[ids.indexOf(row.warehouseId)] ?? null;
}

const SORTED: ReadonlySet<ShipmentPlan['scan']> = new Set(['created', 'updated', 'delivered', 'expected', 'silent']);

const counted = (count: number): Count => ({ count, isExact: count < MAX_COUNT });

async function pageOfAll(
  tenant: Tenant,
  plan: ShipmentPlan,
  page: PositionPage & ListedParts,
): Promise<ScannedPage<ListedShipmentRow>> {
  const { low, high } = keyRangeOf(plan.direction, {}, page);
  const bounds = { low: low?.id ?? null, high: high?.id ?? null };
  return { rows: await shipmentPage(tenant, directionOf(plan.direction, page), bounds, page), reached: null };
}

async function pageOf(
  tenant: Tenant,
  plan: ShipmentPlan,
  filter: ShipmentFilter,
  page: PositionPage & ListedParts,
  now: Date,
): Promise<ScannedPage<ListedShipmentRow>> {
  const keyRange = keyRangeOf(plan.direction, plan.range, page);
  const asked = { ...scanned(plan, filter, pageWindow(plan, page.limit), now), keyRange };
  return scannedPageOf(await scannedShipments(tenant, asked, directionOf(plan.direction, page), page));
}

/** Rows of a range that a page looks through: its length if the scan serves the whole filter. */
function pageWindow({ checked, ...plan }: ShipmentPlan, limit: number): number {
  return checked.length === 0 ? limit : Math.max(limit, Math.ceil(LOOKED_THROUGH / rangesOf(plan)));
}

function countWindow(plan: ShipmentPlan, most: number): number {
  return Math.min(most, Math.ceil(COUNTED_THROUGH / rangesOf(plan)));
}

/** The usual limit on the connections of a company, whose number is unknown before the scan. */
const CONNECTIONS = 16;

/** How many ranges of its index a scan has. */
function rangesOf({ scan, statuses }: Pick<ShipmentPlan, 'scan' | 'statuses'>): number {
  if (scan === 'status') return Math.max(1, statuses.length);
  if (scan === 'silent') return Math.max(1, statuses.length * 2);
  if (scan === 'connection') return CONNECTIONS;
  return scan === 'expected' ? 2 : 1;
}

function scanned(plan: ShipmentPlan, filter: ShipmentFilter, window: number, now: Date) {
  const { scan, statuses, direction, range } = plan;
  const keyRange = keyRangeOf(direction, range, { after: null, before: null });
  return { scan, keyRange, window, conditions: { ...conditionsOf(filter, now), statuses } };
}

export interface GroupCount extends Count {
  /** A status, the code of a carrier, or a province; null for shipments without one. */
  readonly group: string | null;
}

/** The number of shipments by group. @throws Fault `validation_failed` if too many rows would be looked through */
export async function shipmentCounts(tenant: Tenant, filter: ShipmentFilter, by: ShipmentGroup): Promise<GroupCount[]> {
  const now = new Date();
  const plan = countsPlan(filter, by, now);
  const window = countWindow(plan, MAX_COUNT);
  const rows = await countScanned(tenant, scanned(plan, filter, window, now), by);
  const named = by === 'province' ? rows.map(row => ({ ...row, group: provinceNamed(row.group) })) : rows;
  const groups = [...groupsOf(named, window)].map(([group, count]) => ({ group, ...count }));
  return groups
    .filter(({ count, isExact }) => count > 0 || !isExact)
    .toSorted((one, other) => other.count - one.count || String(one.group).localeCompare(String(other.group)));
}

/** An Italian province by its abbreviation; others unchanged, in upper case. */
function provinceNamed(province: string | null): string | null {
  return province === null ? null : (provinceCode(province) ?? province.toUpperCase());
}
