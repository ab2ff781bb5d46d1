import { expect, test } from 'vitest';
import { ask, type Item, shipment, upsertShipments } from '../support/platform-side.ts';
import { DELETE, imported, RECHECK, useInvoices } from './invoice-calls.ts';

const { company } = useInvoices();

const OPEN = `query ($filter: OpenCarrierClaimFilter, $first: Int, $after: String) {
  openCarrierClaims(filter: $filter, first: $first, after: $after) {
    totalCount nodes { code amount credited line { number invoice { number } } } pageInfo { hasNextPage endCursor } } }`;

interface Open {
  readonly totalCount: number;
  readonly nodes: readonly {
    readonly code: string;
    readonly amount: string;
    readonly credited: string;
    readonly line: { readonly number: string; readonly invoice: { readonly number: string } };
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** A company with two shipments of 6.13 and 0.18, and 1.00 of fuel. */
async function billed() {
  const { caller, connectionId, warehouseId } = await company();
  const shipped = { warehouseId, weight: '4', volume: '4000', shipmentDate: '2026-08-03T09:00:00Z' };
  await upsertShipments(caller, [shipment(connectionId, 'A', shipped), shipment(connectionId, 'B', shipped)]);
  const invoice = (number: string, date: string, csv: string) =>
    imported(caller, {
      carrierCompanyId: connectionId,
      number,
      date,
      csv: `tracking_number;surcharges;redelivery\n${csv}`,
      replace: true,
    });
  const open = async (filter: Item = {}, page: Item = {}) => {
    const found = await ask<Open>(caller, OPEN, { filter, ...page });
    return found.nodes.map(
      ({ code, amount, credited, line }) => `${line.invoice.number} ${line.number} ${code} ${amount} ${credited}`,
    );
  };
  return { caller, connectionId, invoice, open };
}

test('a claim is open until a credit answers it, and opens again without that credit', async () => {
  const { caller, invoice, open } = await billed();
  const first = await invoice('1', '2026-08-31', 'A;5,18;5,10\nB;0,18;9,10\nX;4,00;\n');
  const claims = ['1 A surcharge_amount 5.00 0.00', '1 B after_shipment 4.00 0.00', '1 X unknown_shipment 4.00 0.00'];
  expect(await open()).toEqual(claims);
  const second = await invoice('2', '2026-09-30', 'A;-5,00;\nB;-1,00;\nX;-4,00;\n');
  expect(await open()).toEqual(['1 B after_shipment 4.00 1.00']);
  await ask(caller, RECHECK, { input: { id: first.id } });
  expect(await open()).toEqual(['1 B after_shipment 4.00 1.00']);
  await invoice('2', '2026-09-30', 'B;-4,00;\n');
  expect(await open()).toEqual([claims[0], claims[2]]);
  await ask(caller, DELETE, { input: { id: second.id } });
  expect(await open()).toEqual(claims);
});

test('claims of invoices that are not old enough are left out, 60 days where nothing is said', async () => {
  const { connectionId, invoice, open } = await billed();
  const today = new Date();
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  await invoice('old', daysAgo(62), 'A;5,18;5,10\n');
  await invoice('new', daysAgo(50), 'B;5,18;5,10\n');
  const [old, young] = ['old A surcharge_amount 5.00 0.00', 'new B surcharge_amount 5.00 0.00'];
  expect(await open()).toEqual([old]);
  expect(await open({ days: 40 })).toEqual([old, young]);
  expect(await open({ days: 40, carrierCompanyId: connectionId })).toEqual([old, young]);
  expect(await open({ days: 40, carrierCompanyId: connectionId + 1 })).toEqual([]);
});

test('the list of open claims is paged', async () => {
  const { caller, invoice } = await billed();
  await invoice('1', '2026-08-31', 'A;5,18;5,10\nX;4,00;\n');
  await invoice('2', '2026-08-31', 'Y;4,00;\n');
  const numbers: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: Open = await ask<Open>(caller, OPEN, { first: 1, after });
    expect(page.totalCount).toBe(3);
    numbers.push(...page.nodes.map(({ line }) => line.number));
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  expect(numbers).toEqual(['A', 'X', 'Y']);
});
