import { listLoader, rowLoader } from '../../../platform/database/gather/loader.ts';
import { type IdPage, MAX_COUNT } from '../../../platform/database/lists/page.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { pointer } from '../../../platform/fault.ts';
import type { ExplainedFinding, FindingCode } from './check/finding-codes.rules.ts';
import type { Claim } from './claims.rules.ts';
import type { CheckedLine } from './invoice-lines.repository.ts';

/** A stored finding; its id in its invoice is the number of its line times `PER_LINE`, plus its index there. */
export interface FindingRow extends Omit<ExplainedFinding, 'rule'> {
  readonly id: number;
  readonly invoiceId: number;
  readonly position: number;
  /** RFC 6901 pointer into the tariff. */
  readonly rule: string | null;
  /** The part of the amount that credits of the carrier answer. */
  readonly creditedCents: number;
}

/** More findings than a line can have. */
const PER_LINE = 1_000;

/** A process of version 1.0 writes no Italian text. */
const COLUMNS = `f.position * ${PER_LINE}::bigint + f.n as id, f.invoice_id as "invoiceId", f.position, f.code,
  f.amount_cents::float8 as "amountCents", f.billed_cents::float8 as "billedCents", f.due_cents::float8 as "dueCents",
  f.rule, f.explanation, coalesce(f.explanation_it, f.explanation) as "explanationIt", f.credited_cents::float8 as "creditedCents"`;

const INSERT = companyStatement(
  'insert-carrier-invoice-findings',
  `insert into carrier_invoice_finding (company_id, invoice_id, position, n, code, amount_cents, billed_cents, due_cents, rule, explanation, explanation_it)
    select i.company_id, i.id, t.position, t.n, t.code, t.amount, t.billed, t.due, t.rule, t.explanation, t.explanation_it
      from unnest($3::integer[], $4::smallint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[])
        as t(position, n, code, amount, billed, due, rule, explanation, explanation_it)
      join carrier_invoice i on i.company_id = $1 and i.id = $2`,
);

export async function insertFindings(
  tx: TenantTransaction,
  invoiceId: number,
  lines: readonly CheckedLine[],
): Promise<void> {
  const found = lines.flatMap(({ position, findings }) => findings.map((finding, n) => ({ position, n, ...finding })));
  if (found.length === 0) return;
  const column = <Name extends keyof (typeof found)[number]>(name: Name) => found.map(one => one[name]);
  await tx.rows(
    INSERT,
    invoiceId,
    column('position'),
    column('n'),
    column('code'),
    column('amountCents'),
    column('billedCents'),
    column('dueCents'),
    found.map(({ rule }) => rule && pointer(rule)),
    column('explanation'),
    column('explanationIt'),
  );
}

type FindingPage = [
  invoiceId: number,
  line: number | null,
  below: number | null,
  above: number | null,
  max: number,
  codes: string | null,
];

const FILTER = `(each.line is null or f.position = each.line)
  and (each.codes is null or f.code = any(string_to_array(each.codes, ',')))`;
const bound = (name: string) => `(each.${name} / ${PER_LINE}, each.${name} % ${PER_LINE})`;
const page = (name: string, order: 'asc' | 'desc') =>
  listLoader<FindingPage, FindingRow>({
    name,
    key: { invoice_id: 'integer', line: 'integer', below: 'bigint', above: 'bigint', max: 'integer', codes: 'text' },
    text: `select ${COLUMNS} from carrier_invoice_finding f where f.company_id = each.company_id and f.invoice_id = each.invoice_id
      and (each.below is null or (f.position, f.n) < ${bound('below')}) and (each.above is null or (f.position, f.n) > ${bound('above')})
      and ${FILTER} order by f.position ${order}, f.n ${order} limit each.max`,
    order: `r.id ${order}`,
    isSplitByCompany: true,
  });
const PAGES = {
  asc: page('carrier-invoice-findings', 'asc'),
  desc: page('carrier-invoice-findings-from-end', 'desc'),
};

interface FindingFilter {
  readonly line: number | null;
  readonly codes: readonly FindingCode[] | null;
}

/** Findings in the order of the invoice. */
export function findingsPage(
  tenant: Tenant,
  invoiceId: number,
  { line, codes }: FindingFilter,
  { before, after, limit, inverted }: IdPage,
): Promise<readonly FindingRow[]> {
  return tenant.load(PAGES[inverted ? 'desc' : 'asc'], invoiceId, line, before, after, limit, codes?.join() ?? null);
}

const COUNT = rowLoader<[invoiceId: number, line: number | null, codes: string | null], { count: number }, number>(
  {
    name: 'count-carrier-invoice-findings',
    key: { invoice_id: 'integer', line: 'integer', codes: 'text' },
    text: `select count(*)::integer as count from (select from carrier_invoice_finding f
      where f.company_id = each.company_id and f.invoice_id = each.invoice_id and ${FILTER} limit ${MAX_COUNT}) f`,
    isSplitByCompany: true,
  },
  row => row?.count ?? 0,
);

export function countFindings(tenant: Tenant, invoiceId: number, { line, codes }: FindingFilter): Promise<number> {
  return tenant.load(COUNT, invoiceId, line, codes?.join() ?? null);
}

const BY_ID = rowLoader<[invoiceId: number, id: number], FindingRow>({
  name: 'carrier-invoice-finding',
  key: { invoice_id: 'integer', id: 'bigint' },
  text: `select ${COLUMNS} from carrier_invoice_finding f where f.company_id = each.company_id and f.invoice_id = each.invoice_id
    and f.position = each.id / ${PER_LINE} and f.n = each.id % ${PER_LINE}`,
});

export function findingById(tenant: Tenant, invoiceId: number, id: number): Promise<FindingRow | undefined> {
  return tenant.load(BY_ID, invoiceId, id);
}

const CLAIM_COLUMNS = `${COLUMNS}, l.number, l.billed ->> 'date' as date, (l.billed ->> 'row')::integer as row,
  s.tracking_number as "trackingNumber"`;
const CLAIM_JOINS = `join carrier_invoice_line l on l.company_id = $1 and l.invoice_id = f.invoice_id and l.position = f.position
    left join shipment s on s.company_id = $1 and s.id = l.shipment_id`;

const CLAIMS = companyStatement(
  'carrier-invoice-claims',
  `select ${CLAIM_COLUMNS} from carrier_invoice_finding f ${CLAIM_JOINS}
    where f.company_id = $1 and f.invoice_id = $2 and (f.position, f.n) > ($3::integer, $4::integer)
      and f.amount_cents > 0
    order by f.position, f.n limit $5`,
);

type ClaimRow = FindingRow & Claim;

export function claimsAfter(tenant: Tenant, invoiceId: number, after: number, limit: number): Promise<ClaimRow[]> {
  const [position, n] = [Math.floor(after / PER_LINE), after % PER_LINE];
  return tenant.rows<ClaimRow>(CLAIMS, invoiceId, position, n, limit);
}

/** Claims without a credit, of invoices up to a day. */
export interface OpenClaimFilter {
  readonly carrierConnectionId: number | null;
  /** `YYYY-MM-DD`, the last date of invoices. */
  readonly until: string;
}

/** The place of a finding among all invoices. */
interface FindingPlace {
  readonly invoiceId: number;
  readonly id: number;
}

const OPEN = `carrier_invoice_finding f
    join carrier_invoice i on i.company_id = $1 and i.id = f.invoice_id and i.invoice_date <= $3::date
      and ($2::integer is null or i.carrier_connection_id = $2)`;
const IS_OPEN = "f.company_id = $1 and f.amount_cents > f.credited_cents and f.code <> 'vat'";
const openPage = (name: string, order: 'asc' | 'desc') =>
  companyStatement(
    name,
    `select ${CLAIM_COLUMNS}, i.number as "invoiceNumber", i.invoice_date::text as "invoiceDate" from ${OPEN} ${CLAIM_JOINS}
      where ${IS_OPEN}
        and ($4::integer is null or (f.invoice_id, f.position, f.n) > ($4, $5::bigint / ${PER_LINE}, $5 % ${PER_LINE}))
        and ($6::integer is null or (f.invoice_id, f.position, f.n) < ($6, $7::bigint / ${PER_LINE}, $7 % ${PER_LINE}))
      order by f.invoice_id ${order}, f.position ${order}, f.n ${order} limit $8`,
  );
const OPEN_PAGE = {
  asc: openPage('open-carrier-claims', 'asc'),
  desc: openPage('open-carrier-claims-from-end', 'desc'),
};

/** A claim of any invoice. */
export type OpenClaimRow = ClaimRow & { readonly invoiceNumber: string; readonly invoiceDate: string };

/** The open claims in the order in which their invoices were imported. */
export function openClaims(
  tenant: Tenant,
  { carrierConnectionId, until }: OpenClaimFilter,
  page: Pick<IdPage, 'limit' | 'inverted'> & {
    readonly after: FindingPlace | null;
    readonly before: FindingPlace | null;
  },
): Promise<OpenClaimRow[]> {
  const { after, before, limit, inverted } = page;
  const bounds = [after?.invoiceId ?? null, after?.id ?? null, before?.invoiceId ?? null, before?.id ?? null];
  return tenant.rows<OpenClaimRow>(OPEN_PAGE[inverted ? 'desc' : 'asc'], carrierConnectionId, until, ...bounds, limit);
}

const COUNT_OPEN = companyStatement(
  'count-open-carrier-claims',
  `select count(*)::integer as count from (select from ${OPEN} where ${IS_OPEN} limit ${MAX_COUNT}) f`,
);

export async function countOpenClaims(
  tenant: Tenant,
  { carrierConnectionId, until }: OpenClaimFilter,
): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT_OPEN, carrierConnectionId, until);
  return row?.count ?? 0;
}
