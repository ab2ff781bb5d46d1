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
import { isOpenStatus } from '../events.rules.ts';
import { STATUS_CODES, type StatusCode } from '../status.rules.ts';
import type { ShipmentFilter } from './shipment-filter.input.ts';

/**
 * The index that serves a list of shipments. One index is scanned in its order; it serves some conditions of the
 * filter, and the others are checked on the scanned rows. A filter that would return thousands of empty pages is
 * rejected.
 */

export const SHIPMENT_ORDERS = [
  'created_desc',
  'created_asc',
  'updated_desc',
  'updated_asc',
  'delivered_desc',
  'delivered_asc',
  'expected_asc',
  'expected_desc',
  'status_changed_asc',
  'status_changed_desc',
] as const;
export type ShipmentOrder = (typeof SHIPMENT_ORDERS)[number];
type Sorted = 'created' | 'updated' | 'delivered' | 'expected' | 'status_changed';

/** The index scans of lists, by their keys; the repository has their columns. */
export const SHIPMENT_SCANS = [
  'id',
  'status',
  'connection',
  'created',
  'updated',
  'delivered',
  'expected',
  'silent',
  'tracking_numbers',
  'order_number',
  'text',
] as const;
export type ShipmentScan = (typeof SHIPMENT_SCANS)[number];

export interface ShipmentPlan {
  readonly scan: ShipmentScan;
  readonly direction: Direction;
  /** The range of times, for a scan that is sorted by a time. */
  readonly range: DateRange;
  /** The ranges of a scan by status. */
  readonly statuses: readonly StatusCode[];
  /** Conditions that are checked on rows; none if the scan serves the whole filter. */
  readonly checked: readonly Condition[];
}

type Condition = keyof ShipmentFilter;

const OPEN: readonly StatusCode[] = STATUS_CODES.filter(isOpenStatus);

/** Conditions with few values, so that many scanned rows match. */
const COARSE: ReadonlySet<Condition> = new Set([
  'statusCodes',
  'isOpen',
  'carrierConnectionId',
  'carriers',
  'marketplaces',
  'provinces',
  'wasLate',
  'wasLateAgainst',
]);

const ORDERS_IN_WORDS: Readonly<Record<Sorted, string>> = {
  created: 'creation',
  updated: 'the last change',
  delivered: 'delivery',
  expected: 'the expected delivery',
  status_changed: 'the last news',
};

/** The condition that bounds each scan, for the message that rejects others. */
const REMEDIES: Readonly<Record<Sorted, string>> = {
  created: `\`createdAt\` with ${SHORT}, \`isOpen: true\`, or states without final ones`,
  updated: `\`updatedAt\` with ${SHORT}`,
  delivered: `\`deliveredAt\` with ${SHORT}`,
  expected: `\`isLate: true\`, \`isOpen: true\`, states without final ones, or \`expectedDeliveryAt\` with ${SHORT}`,
  status_changed: '`stalledForDays`, `isOpen: true`, or states without final ones',
};

/** Beside `createdAt`, only a shorter one helps. */
const remedyOf = (sorted: Sorted, { createdAt }: ShipmentFilter) =>
  sorted === 'created' && createdAt != null ? `\`createdAt\` with ${SHORT}` : REMEDIES[sorted];

/**
 * The plan of a page.
 *
 * @throws Fault `validation_failed`: `too_costly` names each condition without an index that needs another one
 */
export function shipmentPlan(asked: ShipmentFilter, order: ShipmentOrder | null, now: Date): ShipmentPlan {
  const filter = withoutEmptyRanges(asked);
  const found = finderOf(filter);
  if (found) {
    if (order !== null && sortedBy(order) !== 'created') throw orderBeside(found.condition);
    return planned(found.scan, order === 'created_asc' ? 'asc' : 'desc', filter, [found.condition]);
  }
  const chosen = order ?? orderOf(filter);
  const sorted = sortedBy(chosen);
  const plan = planOf(sorted, chosen.endsWith('_asc') ? 'asc' : 'desc', filter, now);
  const fine = plan.checked.filter(condition => !COARSE.has(condition) && !(condition === 'isLate' && !filter.isLate));
  if (fine.length > 0 && !isBounded(plan, filter, now)) {
    const order = `${ORDERS_IN_WORDS[sorted]}, ${inWords(plan.direction)}`;
    rejectCostly(
      fine,
      `takes too long in a list in the order of ${order}. Add a condition that leaves few shipments: ${remedyOf(sorted, filter)}`,
    );
  }
  return plan;
}

const SHIPMENT_GROUPS = ['status', 'carrier', 'province'] as const;
export type ShipmentGroup = (typeof SHIPMENT_GROUPS)[number];

/**
 * The plan of counts by group: for a selective filter, the plan of its list; otherwise each status, or each connection,
 * is counted in its own range.
 *
 * @throws Fault `validation_failed` as for a list, and for provinces of all shipments
 */
export function countsPlan(asked: ShipmentFilter, by: ShipmentGroup, now: Date): ShipmentPlan {
  const filter = withoutEmptyRanges(asked);
  const plan = shipmentPlan(filter, null, now);
  if (isFound(plan) || isBounded(plan, filter, now)) return plan;
  if (by === 'province') {
    throw invalid([
      {
        path: ['by'],
        code: 'too_costly',
        message: `must not be PROVINCE without a condition that leaves few shipments: ${remedyOf(sortedBy(orderOf(filter)), filter)}`,
      },
    ]);
  }
  // A scan by a time is bounded less well than the others, but by the caller's condition.
  if (plan.scan !== 'id' && plan.scan !== 'status' && plan.scan !== 'connection') return plan;
  if (by === 'carrier') return planned('connection', 'desc', filter, ['carrierConnectionId', 'carriers']);
  return { ...planned('status', 'desc', filter, ['statusCodes', 'isOpen']), statuses: statusesOf(filter) };
}

const isFound = ({ scan }: ShipmentPlan) => ['tracking_numbers', 'order_number', 'text'].includes(scan);

function finderOf(filter: ShipmentFilter): { scan: ShipmentScan; condition: Condition } | undefined {
  if (filter.trackingNumbers != null) return { scan: 'tracking_numbers', condition: 'trackingNumbers' };
  if (filter.orderNumber != null) return { scan: 'order_number', condition: 'orderNumber' };
  return filter.text == null ? undefined : { scan: 'text', condition: 'text' };
}

function orderBeside(condition: Condition) {
  const message = `must be left out, or be CREATED_DESC or CREATED_ASC, beside \`${condition}\`, which finds few shipments`;
  return invalid([{ path: ['orderBy'], code: 'not_allowed', message }]);
}

const sortedBy = (order: ShipmentOrder) => order.replace(/_(asc|desc)$/, '') as Sorted;

/** The default order: by the time that the filter restricts. */
function orderOf(filter: ShipmentFilter): ShipmentOrder {
  if (filter.stalledForDays != null) return 'status_changed_asc';
  if (filter.isLate === true) return 'expected_asc';
  if (filter.deliveredAt != null || filter.wasLate != null) return 'delivered_desc';
  if (filter.updatedAt != null || filter.updatedSince != null) return 'updated_desc';
  if (filter.createdAt != null) return 'created_desc';
  if (filter.expectedDeliveryAt != null && isUndelivered(filter)) return 'expected_asc';
  return 'created_desc';
}

/** Whether the filter excludes delivered shipments, which the indexes of expected and silent ones lack. */
const isUndelivered = (filter: ShipmentFilter) => !statusesOf(filter).includes('delivered');

/** The statuses that shipments of a filter can have, by its other conditions too. */
function statusesOf(filter: ShipmentFilter): StatusCode[] {
  const { statusCodes, isOpen, isLate, stalledForDays, deliveredAt, wasLate } = filter;
  const mustBeOpen = isLate === true || stalledForDays != null;
  const mustBeDelivered = deliveredAt != null || wasLate != null;
  return [...new Set<StatusCode>(statusCodes ?? STATUS_CODES)].filter(
    code =>
      (isOpen == null || OPEN.includes(code) === isOpen) &&
      (!mustBeOpen || OPEN.includes(code)) &&
      (!mustBeDelivered || code === 'delivered'),
  );
}

/** The statuses that an order can have. */
function listedBy(sorted: Sorted, statuses: readonly StatusCode[]): readonly StatusCode[] {
  if (sorted === 'delivered') return statuses.filter(code => code === 'delivered');
  if (sorted === 'expected' || sorted === 'status_changed') return statuses.filter(code => code !== 'delivered');
  return statuses;
}

function planOf(sorted: Sorted, direction: Direction, filter: ShipmentFilter, now: Date): ShipmentPlan {
  const { isLate, carrierConnectionId, carriers } = filter;
  const { createdAt: created, deliveredAt: delivered, expectedDeliveryAt: expected } = filter;
  const statuses = listedBy(sorted, statusesOf(filter));
  // Conditions that exclude each other: any range that is empty.
  if (statuses.length === 0) return { ...planned('updated', direction, filter, []), range: { from: now, to: now } };
  switch (sorted) {
    case 'updated':
      return {
        ...planned('updated', direction, filter, ['updatedAt', 'updatedSince']),
        range: rangeSince(filter.updatedAt, filter.updatedSince),
      };
    case 'delivered':
      return { ...planned('delivered', direction, filter, ['deliveredAt']), range: delivered ?? NO_RANGE };
    case 'expected': {
      const to = isLate === true && !(expected?.to && expected.to < now) ? now : expected?.to;
      return { ...planned('expected', direction, filter, ['expectedDeliveryAt']), range: { from: expected?.from, to } };
    }
    case 'status_changed': {
      const { stalledForDays: days } = filter;
      const plan = planned('silent', direction, filter, ['statusCodes', 'isOpen', 'stalledForDays']);
      return { ...plan, statuses, range: days == null ? NO_RANGE : { to: silentSince(days, now) } };
    }
    case 'created': {
      if (created != null) return { ...planned('created', direction, filter, ['createdAt']), range: created };
      // Most shipments are delivered: any carrier has fewer.
      const isRare = !statuses.includes('delivered');
      const ofConnection = carrierConnectionId != null || carriers != null;
      if (statuses.length < STATUS_CODES.length && (isRare || !ofConnection)) {
        return { ...planned('status', direction, filter, ['statusCodes', 'isOpen']), statuses };
      }
      if (ofConnection) return planned('connection', direction, filter, ['carrierConnectionId', 'carriers']);
      return planned('id', direction, filter, []);
    }
  }
}

/** The time since which stalled shipments have been silent for this many days, exclusive. */
export function silentSince(days: number, now: Date): Date {
  return new Date(now.getTime() - days * 24 * 3_600_000);
}

function planned(
  scan: ShipmentScan,
  direction: Direction,
  filter: ShipmentFilter,
  served: readonly Condition[],
): ShipmentPlan {
  const checked = givenIn(filter).filter(condition => !served.includes(condition));
  return { scan, direction, range: NO_RANGE, statuses: [], checked };
}

/** Whether the scan reads few rows, whatever is checked on them. */
function isBounded({ scan, range }: ShipmentPlan, filter: ShipmentFilter, now: Date): boolean {
  const sorted = scan === 'silent' ? 'status_changed' : scan === 'expected' ? 'expected' : 'created';
  const isOfOpen = listedBy(sorted, statusesOf(filter)).every(code => OPEN.includes(code));
  if (scan === 'status' || scan === 'silent') return isOfOpen;
  return (scan === 'expected' && isOfOpen) || isShort(range, scan === 'expected' ? (range.to ?? now) : now);
}
