import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { type IdPage, MAX_COUNT } from '../../../platform/database/lists/page.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Reader, Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { CarrierInvoiceEntity, CarrierInvoiceFindingEntity, CarrierInvoiceLineEntity } from './invoices.entity.ts';
import { type InvoiceState, type InvoiceTotals, type LineState, NO_TOTALS } from './invoices.rules.ts';
import type { ChargeKind } from './reading/invoice-mapping.format.rules.ts';
import type { StatedTerms } from './stated-terms.rules.ts';

export interface InvoiceRow {
  readonly id: number;
  readonly carrierConnectionId: number;
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly mapping: string;
  readonly covers: readonly ChargeKind[];
  /** Terms of all shipments; null for an invoice that was imported before they could be stated. */
  readonly terms: StatedTerms | null;
  readonly state: InvoiceState;
  /** Counts the checks: a newer one ends those before it. */
  readonly run: number;
  readonly lineCount: number;
  readonly checkedCount: number;
  readonly billedCents: number;
  readonly vatCents: number;
  readonly totals: InvoiceTotals;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly checkedAt: number | null;
}

const COLUMNS = `i.id, i.carrier_connection_id as "carrierConnectionId", i.number, i.invoice_date::text as date, i.mapping, i.covers, i.terms,
  i.state, i.run, i.line_count as "lineCount", i.checked_count as "checkedCount", i.billed_cents::float8 as "billedCents",
  i.vat_cents::float8 as "vatCents", i.totals, ${ms('i.created_at')} as "createdAt", ${ms('i.checked_at')} as "checkedAt"`;

const BY_ID = rowLoader<[id: number], InvoiceRow>({
  name: 'carrier-invoice',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from carrier_invoice i where i.company_id = each.company_id and i.id = each.id`,
});

export function invoiceById(reader: Reader, id: number): Promise<InvoiceRow | undefined> {
  return reader.load(BY_ID, id);
}

const page = (name: string, order: 'asc' | 'desc') =>
  companyStatement(
    name,
    `select ${COLUMNS} from carrier_invoice i where i.company_id = $1 and ($2::integer is null or i.carrier_connection_id = $2)
      and ($3::bigint is null or i.id < $3) and ($4::bigint is null or i.id > $4) order by i.id ${order} limit $5`,
  );
const PAGE = { desc: page('carrier-invoices-newest', 'desc'), asc: page('carrier-invoices-oldest', 'asc') };

/** Invoices of one connection, or of all; newest first. */
export function invoicePage(
  tenant: Tenant,
  carrierConnectionId: number | null,
  { before, after, limit, inverted }: IdPage,
): Promise<InvoiceRow[]> {
  return tenant.rows<InvoiceRow>(PAGE[inverted ? 'asc' : 'desc'], carrierConnectionId, after, before, limit);
}

const COUNT = companyStatement(
  'count-carrier-invoices',
  `select count(*)::integer as count from (select from carrier_invoice
    where company_id = $1 and ($2::integer is null or carrier_connection_id = $2) limit ${MAX_COUNT}) i`,
);

export async function countInvoices(tenant: Tenant, carrierConnectionId: number | null): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT, carrierConnectionId);
  return row?.count ?? 0;
}

const BY_NUMBER = companyStatement(
  'carrier-invoice-by-number',
  `select id from carrier_invoice where company_id = $1 and carrier_connection_id = $2 and year = $3 and number = $4 for update`,
);

/** The id of a connection's invoice by its number in a year; locked. */
export async function invoiceByNumber(
  tx: TenantTransaction,
  carrierConnectionId: number,
  year: number,
  number: string,
): Promise<number | undefined> {
  const [row] = await tx.rows<{ id: number }>(BY_NUMBER, carrierConnectionId, year, number);
  return row?.id;
}

/** An invoice before its check. */
export interface NewInvoice
  extends Pick<
    InvoiceRow,
    'carrierConnectionId' | 'number' | 'date' | 'mapping' | 'covers' | 'lineCount' | 'billedCents' | 'vatCents'
  > {
  readonly terms: StatedTerms;
}

const INSERT = companyStatement(
  'insert-carrier-invoice',
  `insert into carrier_invoice (company_id, carrier_connection_id, number, invoice_date, year, mapping, covers, state, run,
      line_count, checked_count, billed_cents, vat_cents, totals, terms, created_at)
    select company_id, id, $3, $4::date, $5::smallint, $6, $7::text[], 'checking', 1, $8::integer, 0, $9::bigint, $10::bigint,
        $11::jsonb, $12::jsonb, now() from carrier_connection where company_id = $1 and id = $2
    on conflict (company_id, carrier_connection_id, year, number) do nothing
    returning id, run`,
);

const values = (invoice: NewInvoice) => [
  invoice.carrierConnectionId,
  invoice.number,
  invoice.date,
  Number(invoice.date.slice(0, 4)),
  invoice.mapping,
  invoice.covers,
  invoice.lineCount,
  invoice.billedCents,
  invoice.vatCents,
  JSON.stringify(NO_TOTALS),
  JSON.stringify(invoice.terms),
];

/** Undefined if the number is taken, or if the company has no such connection. */
export async function insertInvoice(
  tx: TenantTransaction,
  invoice: NewInvoice,
): Promise<{ readonly id: number; readonly run: number } | undefined> {
  const [row] = await tx.rows<{ id: number; run: number }>(INSERT, ...values(invoice));
  return row;
}

const RESET = companyStatement(
  'reset-carrier-invoice',
  `update carrier_invoice set state = 'checking', run = run + 1, checked_count = 0, checked_at = null, totals = $3::jsonb
    where company_id = $1 and id = $2 returning id, run, line_count as "lineCount"`,
);
/** Starts another check; undefined if the invoice is gone. */
export async function resetInvoice(
  tx: TenantTransaction,
  id: number,
): Promise<{ readonly id: number; readonly run: number; readonly lineCount: number } | undefined> {
  const [row] = await tx.rows<{ id: number; run: number; lineCount: number }>(RESET, id, JSON.stringify(NO_TOTALS));
  if (row) await tx.em.nativeDelete(CarrierInvoiceFindingEntity, { invoiceId: id });
  return row;
}

/** Replaces an invoice by one with its number, and deletes its lines. */
export async function renewInvoice(
  { em }: TenantTransaction,
  id: number,
  { carrierConnectionId: _, number: _number, date, covers, ...others }: NewInvoice,
): Promise<void> {
  await em.nativeDelete(CarrierInvoiceLineEntity, { invoiceId: id });
  await em.nativeUpdate(CarrierInvoiceEntity, { id }, { ...others, invoiceDate: date, covers: [...covers] });
}

export async function deleteInvoiceRows({ em }: TenantTransaction, id: number): Promise<void> {
  await em.nativeDelete(CarrierInvoiceEntity, { id });
}

/** Records the progress of a check. False if another check, or another worker of this one, has continued. */
export async function advance(
  { em }: TenantTransaction,
  id: number,
  { run, from, to }: { readonly run: number; readonly from: number; readonly to: number },
): Promise<boolean> {
  const before = { id, run, checkedCount: from, state: 'checking' } as const;
  return (await em.nativeUpdate(CarrierInvoiceEntity, before, { checkedCount: to })) > 0;
}

const CODES = companyStatement(
  'carrier-invoice-codes',
  `select code, count(*)::integer as count, sum(amount_cents)::float8 as cents,
      (sum(greatest(amount_cents, 0)) filter (where code <> 'vat'))::float8 as over,
      (sum(least(amount_cents, 0)) filter (where code <> 'vat'))::float8 as under,
      (sum(abs(billed_cents)) filter (where code = 'not_checked'))::float8 as unchecked
    from carrier_invoice_finding where company_id = $1 and invoice_id = $2 group by code order by abs(sum(amount_cents)) desc, code`,
);
const STATES = companyStatement(
  'carrier-invoice-states',
  `select state, count(*)::integer as count, sum(abs(billed_cents))::float8 as cents from carrier_invoice_line
    where company_id = $1 and invoice_id = $2
    group by state order by state`,
);
const FINISH = companyStatement(
  'finish-carrier-invoice',
  `update carrier_invoice set state = 'checked', checked_at = now(), totals = $4::jsonb
    where company_id = $1 and id = $2 and run = $3 and state = 'checking' and checked_count = line_count`,
);

/** States of lines that cannot be compared with the tariff. */
const UNCHECKED: ReadonlySet<LineState> = new Set(['ambiguous', 'not_priced', 'credit']);

/** Adds up the findings of a check, and ends it. */
export async function finish(tx: TenantTransaction, id: number, run: number): Promise<void> {
  type Sums = { readonly [sum in 'over' | 'under' | 'unchecked']: number | null };
  type Row = InvoiceTotals['codes'][number] & Sums;
  const rows = await tx.rows<Row>(CODES, id);
  const states = await tx.rows<InvoiceTotals['states'][number] & { readonly cents: number }>(STATES, id);
  const ofLines = states.reduce((sum, { state, cents }) => sum + (UNCHECKED.has(state) ? cents : 0), 0);
  const totals: InvoiceTotals = {
    codes: rows.map(({ code, count, cents }) => ({ code, count, cents })),
    states: states.map(({ state, count }) => ({ state, count })),
    uncheckedCents: rows.reduce((sum, { unchecked }) => sum + (unchecked ?? 0), ofLines),
    overCents: rows.reduce((sum, { over }) => sum + (over ?? 0), 0),
    underCents: rows.reduce((sum, { under }) => sum - (under ?? 0), 0),
  };
  await tx.rows(FINISH, id, run, JSON.stringify(totals));
}
