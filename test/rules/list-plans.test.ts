import { describe, expect, test } from 'vitest';
import type { OrderFilter } from '../../src/domain/shipping/orders/lists/order-filter.input.ts';
import { type OrderOrder, type OrderScan, orderPlan } from '../../src/domain/shipping/orders/lists/order-list.rules.ts';
import type { ShipmentFilter } from '../../src/domain/shipping/tracking/lists/shipment-filter.input.ts';
import {
  countsPlan,
  type ShipmentGroup,
  type ShipmentOrder,
  type ShipmentScan,
  shipmentPlan,
} from '../../src/domain/shipping/tracking/lists/shipment-list.rules.ts';
import { Fault } from '../../src/platform/fault.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000);
const WEEK = { from: daysAgo(107), to: daysAgo(100) };
const YEARS = { from: daysAgo(1_000) };

/** The conditions that are refused, where they are. */
function refusedBy(plan: () => unknown): string[] {
  try {
    plan();
    return [];
  } catch (thrown) {
    return thrown instanceof Fault
      ? (thrown.options.issues ?? []).map(({ path, code }) => `${path.join('/')} ${code}`)
      : [String(thrown)];
  }
}

describe('The index of a list of shipments', () => {
  const planned: [
    filter: ShipmentFilter,
    order: ShipmentOrder | null,
    scan: ShipmentScan,
    direction: string,
    checked: string[],
  ][] = [
    [{}, null, 'id', 'desc', []],
    [{}, 'created_asc', 'id', 'asc', []],
    [{ statusCodes: ['held'] }, null, 'status', 'desc', []],
    [{ isOpen: true }, null, 'status', 'desc', []],
    [{ statusCodes: ['held'], carrierConnectionId: 1 }, null, 'status', 'desc', ['carrierConnectionId']],
    [{ statusCodes: ['held', 'delivered'], carrierConnectionId: 1 }, null, 'connection', 'desc', ['statusCodes']],
    [{ isOpen: false, carriers: ['GLS'] }, null, 'connection', 'desc', ['isOpen']],
    [{ marketplaces: ['eBay'] }, null, 'id', 'desc', ['marketplaces']],
    [{ provinces: ['MI'] }, null, 'id', 'desc', ['provinces']],
    [{ createdAt: YEARS }, null, 'created', 'desc', []],
    [{ createdAt: WEEK, recipient: 'x' }, 'created_asc', 'created', 'asc', ['recipient']],
    [{ updatedSince: daysAgo(900) }, null, 'updated', 'desc', []],
    [{ updatedAt: { from: daysAgo(900) } }, null, 'updated', 'desc', []],
    [{ updatedAt: WEEK, recipient: 'x' }, 'updated_asc', 'updated', 'asc', ['recipient']],
    [{ updatedSince: daysAgo(3), postalCodes: ['1'] }, 'updated_asc', 'updated', 'asc', ['postalCodes']],
    [{ deliveredAt: YEARS }, null, 'delivered', 'desc', []],
    [{ deliveredAt: WEEK, shippedAt: YEARS }, null, 'delivered', 'desc', ['shippedAt']],
    [{ expectedDeliveryAt: YEARS, isOpen: true }, null, 'expected', 'asc', ['isOpen']],
    [{ deliveredAt: {} }, null, 'id', 'desc', []],
    [{ expectedDeliveryAt: { from: null, to: null }, statusCodes: ['refused'] }, null, 'status', 'desc', []],
    [{ isLate: true }, null, 'expected', 'asc', ['isLate']],
    [{ isLate: false }, null, 'id', 'desc', ['isLate']],
    [{ isLate: true, statusCodes: ['held'] }, 'created_desc', 'status', 'desc', ['isLate']],
    [{ stalledForDays: 3 }, null, 'silent', 'asc', []],
    [{ stalledForDays: 3, recipient: 'x' }, null, 'silent', 'asc', ['recipient']],
    [{}, 'status_changed_desc', 'silent', 'desc', []],
    [{ trackingNumbers: ['A'], postalCodes: ['1'] }, null, 'tracking_numbers', 'desc', ['postalCodes']],
    [{ orderNumber: 'A', text: 'B' }, 'created_asc', 'order_number', 'asc', ['text']],
    [{ text: 'B', isLate: true }, null, 'text', 'desc', ['isLate']],
    // A condition bounds the list by the states that it implies.
    [{ isLate: true }, 'created_desc', 'status', 'desc', ['isLate']],
    [{ isLate: true, recipient: 'x' }, 'created_asc', 'status', 'asc', ['isLate', 'recipient']],
    [{ stalledForDays: 3 }, 'created_desc', 'status', 'desc', ['stalledForDays']],
    [{ stalledForDays: 3 }, 'expected_asc', 'expected', 'asc', ['stalledForDays']],
    [{ statusCodes: ['held'], recipient: 'x' }, 'expected_asc', 'expected', 'asc', ['statusCodes', 'recipient']],
    [{ isLate: true, carrierConnectionId: 1 }, 'created_desc', 'status', 'desc', ['isLate', 'carrierConnectionId']],
    [{ isLate: true }, 'status_changed_asc', 'silent', 'asc', ['isLate']],
    [{ wasLate: true }, null, 'delivered', 'desc', ['wasLate']],
    [{ wasLate: true, deliveredAt: WEEK, recipient: 'x' }, null, 'delivered', 'desc', ['wasLate', 'recipient']],
    [{ wasLate: true }, 'created_asc', 'status', 'asc', ['wasLate']],
  ];
  test.each(planned)('follows from the filter: %j in the order %s: %s', (filter, order, scan, direction, checked) => {
    expect(shipmentPlan(filter, order, NOW)).toMatchObject({ scan, direction, checked });
  });

  const refused: [filter: ShipmentFilter, order: ShipmentOrder | null, ...what: string[]][] = [
    [{ postalCodes: ['1'] }, null, 'postalCodes too_costly'],
    [{ recipient: 'x', shippedAt: WEEK }, null, 'recipient too_costly', 'shippedAt too_costly'],
    [{ postalCodes: ['1'], statusCodes: ['delivered'] }, null, 'postalCodes too_costly'],
    [{ postalCodes: ['1'], createdAt: YEARS }, null, 'postalCodes too_costly'],
    [{ postalCodes: ['1'], createdAt: { to: NOW } }, null, 'postalCodes too_costly'],
    [{ createdAt: WEEK }, 'updated_asc', 'createdAt too_costly'],
    [{ expectedDeliveryAt: WEEK }, null, 'expectedDeliveryAt too_costly'],
    [{ updatedSince: daysAgo(1), recipient: 'x' }, 'created_desc', 'recipient too_costly', 'updatedSince too_costly'],
    [{ isLate: true }, 'updated_desc', 'isLate too_costly'],
    [{ isLate: true, createdAt: YEARS }, 'created_desc', 'isLate too_costly'],
    [{ deliveredAt: WEEK }, 'created_desc', 'deliveredAt too_costly'],
    [{ text: 'x' }, 'updated_desc', 'orderBy not_allowed'],
  ];
  test.each(refused)('does not exist for %j in the order %s', (filter, order, ...what) => {
    expect(refusedBy(() => shipmentPlan(filter, order, NOW)).toSorted()).toEqual(what.toSorted());
  });

  const empty: [filter: ShipmentFilter, order: ShipmentOrder | null][] = [
    [{ isLate: true, isOpen: false, recipient: 'x' }, null],
    [{ isLate: true, statusCodes: ['delivered'] }, 'created_desc'],
    [{ stalledForDays: 3, deliveredAt: YEARS }, 'updated_desc'],
    [{ isLate: true, recipient: 'x' }, 'delivered_desc'],
    [{ deliveredAt: YEARS, postalCodes: ['1'] }, 'expected_asc'],
    [{ wasLate: true, isOpen: true, postalCodes: ['1'] }, 'created_desc'],
  ];
  test.each(empty)('reads nothing for conditions that exclude each other: %j in the order %s', (filter, order) => {
    expect(shipmentPlan(filter, order, NOW).range).toEqual({ from: NOW, to: NOW });
  });

  test('has only the requested statuses, and for silent shipments no delivered ones', () => {
    expect(shipmentPlan({ statusCodes: ['held', 'delivered'], isOpen: false }, null, NOW).statuses).toEqual([
      'delivered',
    ]);
    expect(shipmentPlan({ statusCodes: ['held', 'delivered'] }, 'status_changed_asc', NOW).statuses).toEqual(['held']);
    expect(shipmentPlan({ stalledForDays: 1, isOpen: false }, null, NOW).statuses).toEqual([]);
  });

  test('is bounded by the shipments that are late now', () => {
    expect(shipmentPlan({ isLate: true }, null, NOW).range).toEqual({ from: undefined, to: NOW });
    expect(shipmentPlan({ isLate: true, expectedDeliveryAt: { to: daysAgo(2) } }, null, NOW).range.to).toEqual(
      daysAgo(2),
    );
  });
});

describe('The index for counts', () => {
  const planned: [by: ShipmentGroup, filter: ShipmentFilter, scan: ShipmentScan][] = [
    ['status', {}, 'status'],
    ['carrier', {}, 'connection'],
    ['status', { carriers: ['GLS'] }, 'status'],
    ['carrier', { statusCodes: ['delivered'] }, 'connection'],
    ['carrier', { statusCodes: ['held'] }, 'status'],
    ['province', { isOpen: true }, 'status'],
    ['province', { createdAt: WEEK }, 'created'],
    ['status', { isLate: true }, 'expected'],
    ['status', { orderNumber: 'x' }, 'order_number'],
  ];
  test.each(planned)('follows from the groups and the filter: by %s of %j: %s', (by, filter, scan) => {
    expect(countsPlan(filter, by, NOW).scan).toBe(scan);
  });

  test('does not exist for provinces of all shipments', () => {
    expect(refusedBy(() => countsPlan({ carrierConnectionId: 1 }, 'province', NOW))).toEqual(['by too_costly']);
  });
});

describe('The index of a list of orders', () => {
  const planned: [
    filter: OrderFilter,
    order: OrderOrder | null,
    scan: OrderScan,
    direction: string,
    checked: string[],
  ][] = [
    [{}, null, 'id', 'desc', []],
    [{ marketplace: 'eBay' }, 'created_asc', 'marketplace', 'asc', []],
    [{ marketplaces: ['eBay', 'Amazon'] }, null, 'marketplace', 'desc', []],
    [{ updatedAt: WEEK, recipient: 'x' }, null, 'updated', 'desc', ['recipient']],
    [{ marketplace: 'eBay', createdAt: YEARS }, null, 'created', 'desc', ['marketplace']],
    [{ updatedSince: daysAgo(1), recipient: 'x' }, null, 'updated', 'desc', ['recipient']],
    [{ provinces: ['MI'] }, null, 'id', 'desc', ['provinces']],
    [{ orderNumber: 'x', postalCodes: ['1'] }, null, 'number', 'desc', ['postalCodes']],
    [{ marketplaceOrderNumber: 'x', marketplace: 'y' }, null, 'marketplace_number', 'desc', ['marketplace']],
    [{ trackingNumbers: ['x'], text: 'y' }, null, 'tracking_numbers', 'desc', ['text']],
  ];
  test.each(planned)('follows from the filter: %j in the order %s: %s', (filter, order, scan, direction, checked) => {
    expect(orderPlan(filter, order, NOW)).toMatchObject({ scan, direction, checked });
  });

  const refused: [filter: OrderFilter, order: OrderOrder | null, what: string][] = [
    [{ postalCodes: ['1'] }, null, 'postalCodes too_costly'],
    [{ recipient: 'x', marketplace: 'y' }, null, 'recipient too_costly'],
    [{ createdAt: WEEK }, 'updated_asc', 'createdAt too_costly'],
    [{ text: 'x' }, 'updated_asc', 'orderBy not_allowed'],
  ];
  test.each(refused)('does not exist for %j in the order %s', (filter, order, what) => {
    expect(refusedBy(() => orderPlan(filter, order, NOW))).toEqual([what]);
  });
});
