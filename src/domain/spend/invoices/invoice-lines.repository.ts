import { listLoader, rowLoader } from '../../../platform/database/gather/loader.ts';
import { type IdPage, MAX_COUNT } from '../../../platform/database/lists/page.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { type BilledLine, NOTHING_BILLED, netOf, numberOf, vatOf } from './billed-line.rules.ts';
import { type BilledBefore, kindsOf } from './check/check-line.rules.ts';
import type { LineResult } from './check/check-lines.rules.ts';
import type { LineState } from './invoices.rules.ts';
import { CHARGE_KINDS } from './reading/invoice-mapping.format.rules.ts';

/** A billed line and the result of its check. */
export interface LineRow {
  /** Number in the invoice, from 1. */
  readonly id: number;
  readonly invoiceId: number;
  readonly number: string | null;
  /** Missing facts of the line are left out. */
  readonly billed: Partial<BilledLine> & Pick<BilledLine, 'row' | 'charges'>;
  readonly billedCents: number;
  readonly vatCents: number;
  readonly state: LineState;
  readonly reason: string | null;
  readonly shipmentId: number | null;
  readonly dueCents: number | null;
}

const COLUMNS = `l.position as id, l.invoice_id as "invoiceId", l.number, l.billed, l.billed_cents::float8 as "billedCents",
  l.vat_cents::float8 as "vatCents", l.state, l.reason, l.shipment_id as "shipmentId", l.due_cents::float8 as "dueCents"`;

const INSERT = companyStatement(
  'insert-carrier-invoice-lines',
  `insert into carrier_invoice_line (company_id, invoice_id, position, number, billed, billed_cents, vat_cents, kinds, state)
    select i.company_id, i.id, t.position, t.number, t.billed::jsonb, t.cents, t.vat, t.kinds, 'unchecked'
      from unnest($3::integer[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::integer[]) as t(position, number, billed, cents, vat, kinds)
      join carrier_invoice i on i.company_id = $1 and i.id = $2`,
);

/** @param first the number of the first line */
export async function insertLines(
  tx: TenantTransaction,
  invoiceId: number,
  first: number,
  lines: readonly BilledLine[],
): Promise<void> {
  await tx.rows(
    INSERT,
    invoiceId,
    lines.map((_, i) => first + i),
    lines.map(numberOf),
    lines.map(line => JSON.stringify(compact(line))),
    lines.map(netOf),
    lines.map(vatOf),
    lines.map(kindsOf),
  );
}

function compact(line: BilledLine): object {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
}

const TO_CHECK = companyStatement(
  'carrier-invoice-lines-to-check',
  `select ${COLUMNS} from carrier_invoice_line l where l.company_id = $1 and l.invoice_id = $2 and l.position > $3
    order by l.position limit $4`,
);

/** Lines in the order of the invoice. */
export function linesAfter(tenant: Tenant, invoiceId: number, after: number, limit: number): Promise<LineRow[]> {
  return tenant.rows<LineRow>(TO_CHECK, invoiceId, after, limit);
}

/** A line with all facts, including null ones. */
export function billedLine({ billed }: Pick<LineRow, 'billed'>): BilledLine {
  return { ...NOTHING_BILLED, ...billed };
}

const BASE = 1 << CHARGE_KINDS.indexOf('base');
/** Lines with a base price, and corrections. The first due amount is the price, and the others are parts of it. */
const IS_MORE = `(kinds & ${BASE}) <> 0 or billed ->> 'isCorrection' is not null`;

const BILLED_BEFORE = companyStatement(
  'carrier-invoice-billed-before',
  `select shipment_id as "shipmentId", bit_or(kinds) as kinds, (coalesce(sum(billed_cents - case when ${IS_MORE} then 0 else due_cents end)
        filter (where due_cents is not null), 0)
      - coalesce((array_agg(due_cents order by invoice_id, position) filter (where due_cents is not null and (kinds & ${BASE}) <> 0))[1], 0)
      )::float8 as "overCents",
      array_remove(array_agg(distinct number), null) as numbers
    from carrier_invoice_line where company_id = $1 and shipment_id = any($2::integer[]) and (invoice_id, position) < ($3::integer, $4::integer)
    group by shipment_id`,
);

/** Charges of earlier lines for shipments, on this invoice and on the invoices that were imported before. */
export async function billedBefore(
  tenant: Tenant,
  shipmentIds: readonly number[],
  { invoiceId, position }: { readonly invoiceId: number; readonly position: number },
): Promise<Map<number, BilledBefore>> {
  type Row = BilledBefore & { readonly shipmentId: number };
  const rows = await tenant.rows<Row>(BILLED_BEFORE, shipmentIds, invoiceId, position);
  return new Map(rows.map(({ shipmentId, ...before }) => [shipmentId, before]));
}

const OF_ACCOUNT = 1 << CHARGE_KINDS.indexOf('account');
/** How far the month of a charge for the account and the date of its invoice can lie apart. */
const DAYS_APART = 100;

const ACCOUNT_LINES = companyStatement(
  'carrier-invoice-account-lines',
  `select l.invoice_id as "invoiceId", l.position, l.billed, i.invoice_date::text as date from carrier_invoice i
    join carrier_invoice_line l on l.company_id = $1 and l.invoice_id = i.id and (l.kinds & ${OF_ACCOUNT}) <> 0
    where i.company_id = $1 and i.carrier_connection_id = $2 and i.id <= $3
      and i.invoice_date between $4::date - ${DAYS_APART} and $4::date + ${DAYS_APART}
    order by l.invoice_id, l.position`,
);

/** A line with charges for the account, of this invoice or of one that was imported before. */
export interface AccountLineRow extends Pick<LineRow, 'invoiceId' | 'billed'> {
  readonly position: number;
  readonly date: string;
}

export function accountLines(
  tenant: Tenant,
  {
    id,
    carrierConnectionId,
    date,
  }: { readonly id: number; readonly carrierConnectionId: number; readonly date: string },
): Promise<AccountLineRow[]> {
  return tenant.rows<AccountLineRow>(ACCOUNT_LINES, carrierConnectionId, id, date);
}

const SPEND = companyStatement(
  'carrier-invoice-spend-of-month',
  `select coalesce(sum(l.billed_cents), 0)::float8 as cents from carrier_invoice i
    join carrier_invoice_line l on l.company_id = $1 and l.invoice_id = i.id and (l.kinds & ${OF_ACCOUNT}) = 0
    where i.company_id = $1 and i.carrier_connection_id = $2
      and i.invoice_date between $3::date - ${DAYS_APART} and $3::date + ${DAYS_APART}
      and left(coalesce(l.billed ->> 'date', i.invoice_date::text), 7) = left($3::date::text, 7)`,
);

/** The sum of the lines of a month, without those for the account. */
export async function spendOfMonth(tenant: Tenant, carrierConnectionId: number, month: string): Promise<number> {
  const [row] = await tenant.rows<{ cents: number }>(SPEND, carrierConnectionId, `${month}-01`);
  return row?.cents ?? 0;
}

const TRACKED = companyStatement(
  'carrier-invoice-tracked',
  `select s.id as "shipmentId", s.status_code in ('returning', 'returned') or exists (select from shipment_relation r
        where r.company_id = $1 and r.shipment_id = s.id and r.type = 'return') as "hasReturned",
      (select json_agg(json_build_object('status', e.status_code, 'day', (e.occurred_at at time zone 'Europe/Rome')::date) order by e.occurred_at, e.id)
        from tracking_event e where e.company_id = $1 and e.shipment_id = s.id) as events
    from shipment s where s.company_id = $1 and s.id = any($2::integer[])`,
);

/** The tracking of a shipment that determines storage and return charges. */
interface TrackedRow {
  readonly shipmentId: number;
  readonly hasReturned: boolean;
  readonly events: readonly { readonly status: string; readonly day: string }[] | null;
}

export function trackedShipments(tenant: Tenant, shipmentIds: readonly number[]): Promise<TrackedRow[]> {
  return tenant.rows<TrackedRow>(TRACKED, shipmentIds);
}

export interface CheckedLine extends LineResult {
  readonly position: number;
  readonly number: string | null;
}

/**
 * The range of positions repeats what the join says. Without it, a server that has no statistics of a new invoice looks
 * through all of its lines for each slice: a check of 100,000 lines took 32 s instead of 11.
 */
const WRITE_CHECKED = companyStatement(
  'settle-carrier-invoice-lines',
  `update carrier_invoice_line l set state = t.state, reason = t.reason, shipment_id = t.shipment_id, due_cents = t.due
    from unnest($3::integer[], $4::text[], $5::text[], $6::integer[], $7::bigint[]) as t(position, state, reason, shipment_id, due)
    where l.company_id = $1 and l.invoice_id = $2 and l.position = t.position and l.position between $8 and $9`,
);

export async function writeCheckedLines(
  tx: TenantTransaction,
  invoiceId: number,
  lines: readonly CheckedLine[],
): Promise<void> {
  const column = <Name extends keyof CheckedLine>(name: Name) => lines.map(line => line[name]);
  const columns = ['position', 'state', 'reason', 'shipmentId', 'dueCents'] as const;
  const [first, last] = [lines[0]?.position, lines.at(-1)?.position];
  await tx.rows(WRITE_CHECKED, invoiceId, ...columns.map(column), first, last);
}

type LinePage = [invoiceId: number, below: number | null, above: number | null, max: number, states: string | null];

const LINE_FILTER = `(each.states is null or l.state = any(string_to_array(each.states, ',')))`;
const linePage = (name: string, order: 'asc' | 'desc') =>
  listLoader<LinePage, LineRow>({
    name,
    key: { invoice_id: 'integer', below: 'bigint', above: 'bigint', max: 'integer', states: 'text' },
    text: `select ${COLUMNS} from carrier_invoice_line l where l.company_id = each.company_id and l.invoice_id = each.invoice_id
      and (each.below is null or l.position < each.below) and (each.above is null or l.position > each.above) and ${LINE_FILTER}
      order by l.position ${order} limit each.max`,
    order: `r.id ${order}`,
    isSplitByCompany: true,
  });
const LINES = {
  asc: linePage('carrier-invoice-lines', 'asc'),
  desc: linePage('carrier-invoice-lines-from-end', 'desc'),
};

export function linesPage(
  tenant: Tenant,
  invoiceId: number,
  states: readonly LineState[] | null,
  { before, after, limit, inverted }: IdPage,
): Promise<readonly LineRow[]> {
  return tenant.load(LINES[inverted ? 'desc' : 'asc'], invoiceId, before, after, limit, states?.join() ?? null);
}

const COUNT_LINES = rowLoader<[invoiceId: number, states: string | null], { count: number }, number>(
  {
    name: 'count-carrier-invoice-lines',
    key: { invoice_id: 'integer', states: 'text' },
    text: `select count(*)::integer as count from (select from carrier_invoice_line l
      where l.company_id = each.company_id and l.invoice_id = each.invoice_id and ${LINE_FILTER} limit ${MAX_COUNT}) l`,
    isSplitByCompany: true,
  },
  row => row?.count ?? 0,
);

export function countLines(tenant: Tenant, invoiceId: number, states: readonly LineState[] | null): Promise<number> {
  return tenant.load(COUNT_LINES, invoiceId, states?.join() ?? null);
}

const LINE = rowLoader<[invoiceId: number, position: number], LineRow>({
  name: 'carrier-invoice-line',
  key: { invoice_id: 'integer', position: 'integer' },
  text: `select ${COLUMNS} from carrier_invoice_line l
    where l.company_id = each.company_id and l.invoice_id = each.invoice_id and l.position = each.position`,
});

export function lineByPosition(tenant: Tenant, invoiceId: number, position: number): Promise<LineRow | undefined> {
  return tenant.load(LINE, invoiceId, position);
}

/**
 * A number of a shipment, of one of its labels or of its parcel; one of several shipments is ambiguous, since carriers
 * reuse numbers. Each part is sorted as an index is: otherwise a server that has no statistics reads all shipments for each
 * number.
 */
const SHIPMENTS_OF_NUMBERS = companyStatement(
  'shipments-of-package-numbers',
  `select sought.key, min(numbered.id) as "shipmentId" from unnest((select $2::text[])) as sought(key)
    cross join lateral (
      (select id from shipment where company_id = $1 and tracking_key = sought.key and carrier_connection_id = $3 limit 1)
      union
      (select own.id from (select id from shipment where company_id = $1 and parcel_id_key = sought.key order by id desc limit 20) named
        cross join lateral (select id from shipment where company_id = $1 and id = named.id and carrier_connection_id = $3 limit 1) own)
      union
      (select own.id from (select shipment_id as id from shipment_label where company_id = $1 and tracking_key = sought.key
          order by shipment_id desc limit 20) labelled
        cross join lateral (select id from shipment where company_id = $1 and id = labelled.id and carrier_connection_id = $3 limit 1) own)
    ) numbered
    group by sought.key having count(*) = 1`,
);

/** The shipment of each number of the connection that belongs to exactly one. */
export async function shipmentsOfNumbers(
  tenant: Tenant,
  carrierConnectionId: number,
  keys: readonly string[],
): Promise<Map<string, number>> {
  type Row = { readonly key: string; readonly shipmentId: number };
  const rows = await tenant.rows<Row>(SHIPMENTS_OF_NUMBERS, keys, carrierConnectionId);
  return new Map(rows.map(({ key, shipmentId }) => [key, shipmentId]));
}
