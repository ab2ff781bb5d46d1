import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { CLAIMS_LOCK } from '../../src/domain/spend/invoices/credits.repository.ts';
import { ask, type Item, shipment, upsertShipments } from '../support/platform-side.ts';
import { PATIENTLY } from '../support/time.ts';
import { DELETE, imported, RECHECK, useInvoices } from './invoice-calls.ts';

const { world, company } = useInvoices();

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
  const shipped = { warehouseId, weight: '4', volume: '4000', shippedAt: '2026-08-03T09:00:00Z' };
  await upsertShipments(caller, [shipment(connectionId, 'A', shipped), shipment(connectionId, 'B', shipped)]);
  const invoice = (number: string, date: string, csv: string) =>
    imported(caller, {
      carrierConnectionId: connectionId,
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

test('A claim is open until a credit answers it, and opens again without that credit', async () => {
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

test('Claims of recent invoices are left out, of the last 60 days by default', async () => {
  const { connectionId, invoice, open } = await billed();
  const today = new Date();
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  await invoice('old', daysAgo(62), 'A;5,18;5,10\n');
  await invoice('new', daysAgo(50), 'B;5,18;5,10\n');
  const [old, young] = ['old A surcharge_amount 5.00 0.00', 'new B surcharge_amount 5.00 0.00'];
  expect(await open()).toEqual([old]);
  expect(await open({ days: 40 })).toEqual([old, young]);
  expect(await open({ days: 40, carrierConnectionId: connectionId })).toEqual([old, young]);
  expect(await open({ days: 40, carrierConnectionId: connectionId + 1 })).toEqual([]);
});

test('The list of open claims is paged', async () => {
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

test.each(['a replacement', 'another check'])(
  'For %s of an invoice, the service waits for a check in another process that answers its claims, and neither fails',
  async which => {
    const { caller, invoice, open } = await billed();
    const first = await invoice('1', '2026-07-31', 'Y;3,00;\n');
    const second = await invoice('2', '2026-08-31', 'X;4,00;\nY;-3,00;\nZ;2,00;\n');
    // A write of a check: it holds the lock, and credits claims in an order that differs from the change's order.
    const check = new pg.Client({ connectionString: world.databaseUrl });
    await check.connect();
    const credit = (invoiceId: number, position: number) =>
      check.query(
        'update carrier_invoice_finding set credited_cents = 100 where company_id = $1 and invoice_id = $2 and position = $3',
        [caller.companyId, invoiceId, position],
      );
    await check.query('begin');
    await check.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${caller.companyId} ${CLAIMS_LOCK}`]);
    await (which === 'a replacement' ? credit(first.databaseId, 1) : credit(second.databaseId, 3));
    const changing =
      which === 'a replacement'
        ? invoice('2', '2026-08-31', 'X;5,00;\n')
        : ask(caller, RECHECK, { input: { id: second.id } });
    await vi.waitFor(async () => {
      const { rows } = await world.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    }, PATIENTLY);
    await credit(second.databaseId, 1);
    await check.query('commit');
    await check.end();
    await changing;
    const amount = which === 'a replacement' ? '5.00' : '4.00';
    expect(await open()).toContain(`2 X unknown_shipment ${amount} 0.00`);
  },
);
