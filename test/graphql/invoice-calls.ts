import { importTariff } from '../rest/feed.ts';
import { fedOf, invoiceOf, type Made, profilesOf, shipmentsOf } from '../support/invoice-maker.ts';
import { INVOICED_TARIFF } from '../support/invoiced-tariff.ts';
import {
  ask,
  connectCarrier,
  createWarehouse,
  type Item,
  recordEvents,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Invoices of carriers as they are imported and read. */

export interface Finding {
  readonly code: string;
  readonly amount: string;
  readonly billed: string;
  readonly due: string;
  readonly rule: string | null;
  /** In English. */
  readonly explanation: string;
  readonly inItalian: string;
  readonly reason: string;
}
export interface Line {
  readonly id: string;
  readonly position: number;
  readonly row: number;
  readonly number: string | null;
  readonly billed: string;
  readonly due: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly findings: { readonly nodes: readonly Finding[] };
}
export interface Invoice {
  readonly id: string;
  readonly databaseId: number;
  readonly state: string;
  readonly lineCount: number;
  readonly checkedCount: number;
  readonly billed: string;
  readonly overbilled: string;
  readonly underbilled: string;
  readonly totals: readonly { readonly code: string; readonly count: number; readonly amount: string }[];
  readonly lineTotals: readonly { readonly state: string; readonly count: number }[];
}

const INVOICE = `id databaseId number date state lineCount checkedCount billed vat overbilled underbilled notChecked mapping
  totals { code count amount } lineTotals { state count }`;
const FINDING = 'code reason amount billed due rule explanation(language: EN) inItalian: explanation';
const LINE = `id position row number billed due state reason findings { nodes { ${FINDING} } }`;
export const IMPORT = `mutation ($input: ImportCarrierInvoiceInput!) { importCarrierInvoice(input: $input) {
  carrierInvoice { ${INVOICE} } userErrors { code pointer message } } }`;
export const RECHECK = `mutation ($input: RecheckCarrierInvoiceInput!) { recheckCarrierInvoice(input: $input) {
  carrierInvoice { ${INVOICE} } userErrors { code pointer message } } }`;
export const DELETE = `mutation ($input: DeleteCarrierInvoiceInput!) { deleteCarrierInvoice(input: $input) {
  carrierInvoice { ${INVOICE} } userErrors { code pointer message } } }`;
const ONE = `query ($id: ID!) { carrierInvoice(id: $id) { ${INVOICE} } }`;
const LINES = `query ($id: ID!, $after: String) { carrierInvoice(id: $id) {
  lines(first: 250, after: $after) { nodes { ${LINE} } pageInfo { hasNextPage endCursor } } } }`;

export const CLAIMS_CSV =
  'query ($id: ID!, $after: String) { carrierClaimsCsv(id: $id, after: $after) { csv endCursor } }';

/** An import of a CSV text, a file or rows, in the form of its input. */
export function importOf({ csv, file, rows, mapping: name, ownMapping, ...input }: Item): Item {
  const sent = csv === undefined ? file : { text: csv };
  const source = { ...(sent !== undefined && { file: sent }), ...(rows !== undefined && { rows }) };
  const mapping = ownMapping === undefined ? name && { name } : { document: ownMapping };
  return { ...input, source, ...(mapping !== undefined && { mapping }) };
}

export const imported = (caller: Caller, input: Item) => ask<Invoice>(caller, IMPORT, { input: importOf(input) });
export const invoiceNow = (caller: Caller, id: string) => ask<Invoice>(caller, ONE, { id });

/** Every line of an invoice, page by page. */
export async function linesOf(caller: Caller, id: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (let after: string | null = null; ; ) {
    type Page = { lines: { nodes: Line[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
    const page: Page = await ask<Page>(caller, LINES, { id, after });
    lines.push(...page.lines.nodes);
    if (!page.lines.pageInfo.hasNextPage) return lines;
    after = page.lines.pageInfo.endCursor;
  }
}

interface Invoiced {
  readonly caller: Caller;
  readonly connectionId: number;
  readonly warehouseId: number;
}

/** A world with companies that have a tariff to hold invoices against. */
export function useInvoices(env: Record<string, string> = {}) {
  const world = useSharedWorld(env);

  async function company(tariff: object = INVOICED_TARIFF): Promise<Invoiced> {
    const caller = await world.company();
    const [connectionId, warehouseId] = [await connectCarrier(caller, 'SDA'), await createWarehouse(caller)];
    await importTariff(caller, connectionId, tariff);
    return { caller, connectionId, warehouseId };
  }

  /** A company whose shipments are known to the service, with their quotes. */
  async function shipped(count: number): Promise<Invoiced & { readonly made: readonly Made[] }> {
    const of = await company();
    const made = shipmentsOf(await profilesOf(of.caller, of.warehouseId, of.connectionId, 7), count);
    await feed(of, made);
    return { ...of, made };
  }

  return { world, company, shipped };
}

async function feed({ caller, connectionId, warehouseId }: Invoiced, made: readonly Made[]): Promise<void> {
  const { orders, shipments, events } = fedOf(made, warehouseId, connectionId);
  for (const [send, items] of [
    [upsertOrders, orders],
    [upsertShipments, shipments],
    [recordEvents, events],
  ] as const) {
    for (let from = 0; from < items.length; from += 1000) {
      const { rejected, results } = await send(caller, items.slice(from, from + 1000));
      if (rejected > 0) throw new Error(JSON.stringify(results.find(({ outcome }) => outcome === 'rejected')));
    }
  }
}

export { invoiceOf };
