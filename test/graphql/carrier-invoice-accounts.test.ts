import { expect, test } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { ask, type Item, shipment, upsertShipments } from '../support/platform-side.ts';
import { imported, linesOf, useInvoices } from './invoice-calls.ts';

const { company } = useInvoices();

const FEES = [
  { code: 'canone', description: 'Canone mensile', per: 'month', price: 25 },
  { code: 'ritiro', description: 'Ritiro', per: 'pickup', price: 3.5 },
];
const MINIMUM = { code: 'minimo', description: 'Minimo mensile', price: 50 };

const tariffOf = (account?: object) =>
  currentTariff(
    {
      zones: [{ code: 'it', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 50, price: 10 }] }],
      account,
    },
    'Contratto',
  );

/** A company with two shipments of 10.00 in November. */
async function billed(account?: object) {
  const { caller, connectionId, warehouseId } = await company(tariffOf(account));
  const shipped = { warehouseId, weight: '4', volume: '4000', shippedAt: '2026-11-03T09:00:00Z' };
  await upsertShipments(caller, [shipment(connectionId, 'A', shipped), shipment(connectionId, 'B', shipped)]);
  const invoice = async (number: string, rows: readonly Item[], date = '2026-11-30') => {
    const found = await imported(caller, { carrierConnectionId: connectionId, number, date, rows, replace: true });
    const lines = await linesOf(caller, found.id);
    return lines.map(({ state, findings: { nodes } }) => [state, ...nodes.map(one => `${one.code} ${one.amount}`)]);
  };
  return { caller, connectionId, invoice };
}

const fee = (amount: string, more: Item = {}, lines?: string[]) => ({
  ...more,
  charges: [{ kinds: ['account'], amount, ...(lines && { lines }) }],
});
const BASE = { kinds: ['base'], amount: '10.00' };

test('Account fees and the monthly minimum are compared with the tariff, without a shipment', async () => {
  const { invoice } = await billed({ fees: FEES, minimum: MINIMUM });
  const shipments = ['A', 'B'].map(trackingNumber => ({ trackingNumber, charges: [BASE] }));
  const right = [fee('25.00'), fee('14.00', { pickups: 4 }), fee('30.00', {}, ['minimo'])];
  expect(await invoice('1', [...right, ...shipments])).toEqual(Array(5).fill(['agrees']));
  const wrong = [
    fee('28.00', {}, ['canone']),
    fee('17.50', { pickups: 4 }),
    fee('40.00', {}, ['minimo']),
    fee('14.01', { pickups: 4 }),
  ];
  expect(await invoice('1', [...wrong, ...shipments])).toEqual([
    ['differs', 'account_fee 3.00'],
    ['differs', 'account_fee 3.50'],
    ['differs', 'account_fee 10.00'],
    ['differs', 'rounding 0.01'],
    ['agrees'],
    ['agrees'],
  ]);
});

test('A monthly fee is a duplicate if its month was billed before, and not in another month', async () => {
  const { invoice } = await billed({ fees: FEES });
  expect(await invoice('1', [fee('25.00'), fee('25.00', {}, ['canone'])])).toEqual([
    ['agrees'],
    ['differs', 'duplicate 25.00'],
  ]);
  const later = [fee('25.00', { date: '2026-11-30' }, ['canone']), fee('25.00', { date: '2026-12-01' }, ['canone'])];
  expect(await invoice('2', later, '2026-12-31')).toEqual([['differs', 'duplicate 25.00'], ['agrees']]);
  expect(await invoice('1', [fee('3.50', { pickups: 1 }), fee('3.50', { pickups: 1 })])).toEqual([
    ['agrees'],
    ['agrees'],
  ]);
});

test('An account charge that cannot be identified is not checked', async () => {
  const { invoice } = await billed({ fees: FEES });
  const rows = [fee('7.00', {}, ['ritiro']), fee('9.99'), fee('25.00')];
  expect(await invoice('1', rows)).toEqual([
    ['differs', 'not_checked 0.00'],
    ['differs', 'not_checked 0.00'],
    ['agrees'],
  ]);
  const without = await billed();
  expect(await without.invoice('1', [fee('25.00')])).toEqual([['differs', 'not_checked 0.00']]);
});

test('An account charge can be on the line of a shipment, which is checked without it', async () => {
  const { caller, connectionId } = await billed({ fees: FEES });
  const csv =
    'tracking_number;base;account;pickups;net;vat_percent\nA;10,00;3,50;1;13,50;22\nB;12,00;7,00;1;19,00;22\n';
  const { id } = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  const lines = await linesOf(caller, id);
  expect(lines.map(({ due, findings: { nodes } }) => [due, ...nodes.map(one => `${one.code} ${one.amount}`)])).toEqual([
    ['13.50'],
    ['13.50', 'account_fee 3.50', 'base_price 2.00'],
  ]);
});

test('An account fee is due even on the line of an unknown shipment', async () => {
  const { caller, connectionId } = await billed({ fees: FEES });
  const csv = 'tracking_number;base;account;pickups\nX;12,00;7,00;1\n';
  const { id } = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  const [line] = await linesOf(caller, id);
  expect(line).toMatchObject({ state: 'unknown', billed: '19.00', due: '3.50' });
  expect(line?.findings.nodes.map(({ code, amount }) => `${code} ${amount}`)).toEqual([
    'account_fee 3.50',
    'unknown_shipment 12.00',
  ]);
});

test('A credit beside a larger account fee does not reduce earlier credits', async () => {
  const { caller, connectionId, invoice } = await billed({ fees: FEES });
  const of = (amount: string) => ({ kinds: ['base'], amount });
  await invoice('1', [{ trackingNumber: 'A', charges: [of('12.00')] }], '2026-11-20');
  await invoice('2', [{ trackingNumber: 'A', charges: [of('-0.50')] }], '2026-11-20');
  await invoice(
    '3',
    [{ trackingNumber: 'A', charges: [of('-1.50'), { kinds: ['account'], amount: '25.00' }] }],
    '2026-11-20',
  );
  const claims = await ask<{ nodes: Item[] }>(
    caller,
    'query ($id: ID!) { openCarrierClaims(filter: { carrierConnectionId: $id, days: 0 }) { nodes { amount credited } } }',
    { id: connectionId },
  );
  expect(claims.nodes).toEqual([{ amount: '2.00', credited: '0.50' }]);
});
