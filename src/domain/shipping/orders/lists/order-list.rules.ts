import type { Direction } from '../../../../platform/database/lists/index-scan.ts';
import { invalid } from '../../../../platform/fault.ts';
import {
  type DateRange,
  givenIn,
  inWords,
  isShort,
  NO_RANGE,
  rangeSince,
  rejectCostly,
  SHORT,
  withoutEmptyRanges,
} from '../../../common/list-plan.rules.ts';
import type { OrderFilter } from './order-filter.input.ts';

/** The index that serves a list of orders; `shipment-list.rules.ts` explains the method. */

const ORDER_ORDERS = ['created_desc', 'created_asc', 'updated_desc', 'updated_asc'] as const;
export type OrderOrder = (typeof ORDER_ORDERS)[number];

/** The index scans of lists, by their keys; the repository has their columns. */
export const ORDER_SCANS = [
  'id',
  'marketplace',
  'created',
  'updated',
  'number',
  'marketplace_number',
  'tracking_numbers',
  'text',
] as const;
export type OrderScan = (typeof ORDER_SCANS)[number];

type Condition = keyof OrderFilter;

interface OrderPlan {
  readonly scan: OrderScan;
  readonly direction: Direction;
  /** The range of times, for a scan that is sorted by a time. */
  readonly range: DateRange;
  /** Conditions that are checked on rows; none if the scan serves the whole filter. */
  readonly checked: readonly Condition[];
}

/** Conditions that find few orders, the most selective first. */
const FINDERS: readonly (readonly [Condition, OrderScan])[] = [
  ['orderNumber', 'number'],
  ['trackingNumbers', 'tracking_numbers'],
  ['marketplaceOrderNumber', 'marketplace_number'],
  ['text', 'text'],
];

/** Conditions with few values, so that many scanned rows match. */
const COARSE: ReadonlySet<Condition> = new Set(['marketplaces', 'marketplace', 'provinces']);

/** @throws Fault `validation_failed`: `too_costly` names each condition without an index that needs another one */
export function orderPlan(asked: OrderFilter, order: OrderOrder | null, now: Date): OrderPlan {
  const filter = withoutEmptyRanges(asked);
  const finder = FINDERS.find(([condition]) => filter[condition] != null);
  if (finder) {
    const [condition, scan] = finder;
    if (order?.startsWith('updated')) {
      const message = `must be left out, or be CREATED_DESC or CREATED_ASC, beside \`${condition}\`, which finds few orders`;
      throw invalid([{ path: ['orderBy'], code: 'not_allowed', message }]);
    }
    return planned(scan, order === 'created_asc' ? 'asc' : 'desc', filter, [condition]);
  }
  const isByUpdate = filter.updatedAt != null || filter.updatedSince != null;
  const chosen = order ?? (isByUpdate ? 'updated_desc' : 'created_desc');
  const plan = planOf(chosen, filter);
  const fine = plan.checked.filter(condition => !COARSE.has(condition));
  if (!isShort(plan.range, now)) {
    const [order, remedy] = chosen.startsWith('updated') ? ['the last change', 'updatedAt'] : ['creation', 'createdAt'];
    rejectCostly(
      fine,
      `takes too long in a list in the order of ${order}, ${inWords(plan.direction)}. Add a condition that leaves few orders: \`${remedy}\` with ${SHORT}`,
    );
  }
  return plan;
}

/** The marketplaces of a filter, under both names; null for any. */
export function marketplacesOf({ marketplaces, marketplace }: OrderFilter): readonly string[] | null {
  if (marketplace == null) return marketplaces ? [...new Set(marketplaces)] : null;
  return marketplaces == null || marketplaces.includes(marketplace) ? [marketplace] : [];
}

function planOf(order: OrderOrder, filter: OrderFilter): OrderPlan {
  const direction = order.endsWith('_asc') ? 'asc' : 'desc';
  const { createdAt: created } = filter;
  if (order.startsWith('updated')) {
    return {
      ...planned('updated', direction, filter, ['updatedAt', 'updatedSince']),
      range: rangeSince(filter.updatedAt, filter.updatedSince),
    };
  }
  if (created != null) return { ...planned('created', direction, filter, ['createdAt']), range: created };
  if (marketplacesOf(filter) !== null)
    return planned('marketplace', direction, filter, ['marketplaces', 'marketplace']);
  return planned('id', direction, filter, []);
}

function planned(scan: OrderScan, direction: Direction, filter: OrderFilter, served: readonly Condition[]): OrderPlan {
  return { scan, direction, range: NO_RANGE, checked: givenIn(filter).filter(one => !served.includes(one)) };
}
