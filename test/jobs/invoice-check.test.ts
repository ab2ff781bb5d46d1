import { expect, test } from 'vitest';
import { checkInvoice } from '../../src/domain/spend/invoices/invoice-check.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { imported, invoiceNow, linesOf, useInvoices } from '../graphql/invoice-calls.ts';
import { times } from '../support/platform-side.ts';

// Without workers: the jobs are worked by the tests.
const { world, company } = useInvoices({ ROLE: 'api' });

const LINES = 1_200;

async function begun() {
  const { caller, connectionId } = await company();
  const csv = `tracking_number;base\n${times(LINES, i => `N${i};5,00\n`).join('')}`;
  const invoice = await imported(caller, { carrierCompanyId: connectionId, number: '1', date: '2026-11-30', csv });
  return { caller, invoice, tenant: new Tenant(caller.companyId as CompanyId, world.app.database) };
}

const WHOLE = {
  state: 'checked',
  checkedCount: LINES,
  overbilled: '6000.00',
  totals: [{ code: 'unknown_shipment', count: LINES, amount: '6000.00' }],
};

test('a check that is broken off is continued where it was', async () => {
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

test('two workers at the same check find everything once', async () => {
  const { caller, invoice, tenant } = await begun();
  await Promise.all(times(2, () => checkInvoice(tenant, invoice.databaseId, 1)));
  // One of them may have given up before the other one was done.
  await checkInvoice(tenant, invoice.databaseId, 1);
  expect(await invoiceNow(caller, invoice.id)).toMatchObject(WHOLE);
  const lines = await linesOf(caller, invoice.id);
  expect(lines.filter(({ findings }) => findings.nodes.length !== 1)).toEqual([]);
});

test('a check that was begun before another one changes nothing any more', async () => {
  const { caller, invoice, tenant } = await begun();
  await checkInvoice(tenant, invoice.databaseId, 2);
  expect(await invoiceNow(caller, invoice.id)).toMatchObject({ state: 'checking', checkedCount: 0 });
});
