import { describe, expect, test } from 'vitest';
import { checkInvoice } from '../../src/domain/spend/invoices/invoice-check.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { imported, invoiceNow, linesOf, useInvoices } from '../graphql/invoice-calls.ts';
import { failInserts } from '../support/failing-rows.ts';
import { ask, type Item, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { passTime } from '../support/time.ts';
import type { Caller } from '../support/world.ts';
import { eventually } from './webhooks.ts';

// Without workers: the jobs are worked by the tests.
const { world, company } = useInvoices({ ROLE: 'api' });

const LINES = 1_200;
const INVOICES = '{ carrierInvoices { edges { node { state overbilled } } } }';

async function begun() {
  const { caller, connectionId } = await company();
  const csv = `tracking_number;base\n${times(LINES, i => `N${i};5,00\n`).join('')}`;
  const invoice = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  return { caller, invoice, tenant: new Tenant(caller.companyId as CompanyId, world.app.database) };
}

const WHOLE = {
  state: 'checked',
  checkedCount: LINES,
  overbilled: '6000.00',
  totals: [{ code: 'unknown_shipment', count: LINES, amount: '6000.00' }],
};

test('A check of an invoice that was interrupted continues where it stopped', async () => {
  const { caller, invoice, tenant } = await begun();
  const breakOff = () => {
    throw new Error('The worker is killed');
  };
  await expect(checkInvoice(tenant, invoice.databaseId, 1, breakOff)).rejects.toThrow('killed');
  const { state, checkedCount } = await invoiceNow(caller, invoice.id);
  expect(state).toBe('checking');
  expect(checkedCount).toBeGreaterThan(0);
  expect(checkedCount).toBeLessThan(LINES);
  const counts: number[] = [];
  await checkInvoice(tenant, invoice.databaseId, 1, checked => counts.push(checked));
  expect(counts[0]).toBeGreaterThan(checkedCount);
  expect(await invoiceNow(caller, invoice.id)).toMatchObject(WHOLE);
});

test('A long invoice is checked like a short one, and a shipment that it bills twice is a duplicate', async () => {
  const { caller, connectionId, warehouseId } = await company();
  const shipped = { warehouseId, weight: '4', volume: '4000', shippedAt: '2026-11-03T09:00:00Z' };
  await upsertShipments(caller, [shipment(connectionId, 'A', shipped), shipment(connectionId, 'B', shipped)]);
  const due = '6,13;0,18;1,00';
  const others = times(LINES - 4, i => `N${i};0;0;0\n`).join('');
  const csv = `tracking_number;base;surcharges;fuel\nA;${due}\nB;7,86;0,23;1,29\n${others}A;${due}\nB;0;0;0,50\n`;
  const invoice = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  await checkInvoice(new Tenant(caller.companyId as CompanyId, world.app.database), invoice.databaseId, 1);
  const lines = await linesOf(caller, invoice.id);
  const known = lines.filter(({ state }) => state !== 'unknown');
  expect(
    known.map(({ number, findings }) => [number, ...findings.nodes.map(one => `${one.code} ${one.amount}`)]),
  ).toEqual([['A'], ['B', 'weight_band 2.07'], ['A', 'duplicate 7.31'], ['B', 'duplicate 0.50']]);
});

test('Two workers on the same check report each finding once', async () => {
  const { caller, invoice, tenant } = await begun();
  await Promise.all(times(2, () => checkInvoice(tenant, invoice.databaseId, 1)));
  // One of them may have given up before the other one was done.
  await checkInvoice(tenant, invoice.databaseId, 1);
  expect(await invoiceNow(caller, invoice.id)).toMatchObject(WHOLE);
  const lines = await linesOf(caller, invoice.id);
  expect(lines.filter(({ findings }) => findings.nodes.length !== 1)).toEqual([]);
});

test('A check that was started before another one changes nothing after the other one', async () => {
  const { caller, invoice, tenant } = await begun();
  await checkInvoice(tenant, invoice.databaseId, 2);
  expect(await invoiceNow(caller, invoice.id)).toMatchObject({ state: 'checking', checkedCount: 0 });
});

describe('A worker process', () => {
  const { world, company } = useInvoices({ ROLE: 'all' });

  const csv = 'tracking_number;base\nN;5,00\n';
  const stored = (caller: Caller) => async () => {
    const { edges } = await ask<{ edges: { node: Item }[] }>(caller, INVOICES);
    return edges.map(({ node }) => node);
  };

  test('checks a short invoice if the request for its check failed', async () => {
    const { caller, connectionId } = await company();
    const mend = await failInserts(world.pool, 'carrier_invoice_finding', caller.companyId, 'admin_shutdown');
    const failed = imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
    await expect(failed).rejects.toThrow();
    await mend();
    expect(await stored(caller)()).toEqual([{ state: 'checking', overbilled: '0.00' }]);
    await passTime(world.pool, 61_000, caller.companyId);
    await eventually(stored(caller), [{ state: 'checked', overbilled: '5.00' }]);
  });
});
