import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { type ClaimOrCredit, creditedClaims } from './credits.rules.ts';

/** Keeps how much of each claim the carrier has credited. */

/**
 * The lock for transactions that change claims of other invoices, or delete claims. They run one after the other for a
 * company, so that a claim and its credit on two invoices see each other, and no two transactions deadlock.
 */
export const CLAIMS_LOCK = 'carrier claims';

/** A shipment, or a number of a line that finds none. */
interface Credited {
  readonly shipmentId: number | null;
  readonly number: string | null;
}

/** The start of a number; an index cannot hold a long one. */
const NUMBER = 'left(l.number, 100)';
const withoutShipment = (connection: string) => `carrier_invoice_line l
  join carrier_invoice i on i.company_id = $1 and i.id = l.invoice_id and i.carrier_connection_id = ${connection}`;

const AMONG = companyStatement(
  'carrier-credits-among',
  `select distinct l.shipment_id as "shipmentId", null as number from carrier_invoice_line l
      where l.company_id = $1 and l.state = 'credit' and l.shipment_id = any($3::integer[])
    union all
    select distinct null::integer, ${NUMBER} from ${withoutShipment('$2')}
      where l.company_id = $1 and l.state = 'credit' and l.shipment_id is null and ${NUMBER} = any($4::text[])`,
);

const OF_INVOICE = companyStatement(
  'carrier-credits-of-invoice',
  `select distinct shipment_id as "shipmentId", case when shipment_id is null then left(number, 100) end as number
    from carrier_invoice_line where company_id = $1 and invoice_id = $2 and state = 'credit'`,
);

// A fee of the account on a line with a credit can come to more than the credit, which then answers nothing.
const ENTRIES = companyStatement(
  'carrier-claims-and-credits',
  `with line as (
      select 's' || l.shipment_id as key, l.invoice_id, l.position, l.state, l.billed_cents from carrier_invoice_line l
        where l.company_id = $1 and l.shipment_id = any($3::integer[])
      union all
      select 'n' || ${NUMBER}, l.invoice_id, l.position, l.state, l.billed_cents from ${withoutShipment('$2')}
        where l.company_id = $1 and l.shipment_id is null and l.state in ('unknown', 'credit') and ${NUMBER} = any($4::text[]))
    select key, invoice_id as "invoiceId", position, null::smallint as n, (-billed_cents)::float8 as cents
      from line where state = 'credit' and billed_cents < 0
    union all
    select line.key, f.invoice_id, f.position, f.n, f.amount_cents::float8 from line
      join carrier_invoice_finding f on f.company_id = $1 and f.invoice_id = line.invoice_id and f.position = line.position
      where f.amount_cents > 0 and f.code <> 'vat'
    order by key, "invoiceId", position, n`,
);

const CREDIT = companyStatement(
  'credit-carrier-claims',
  `update carrier_invoice_finding f set credited_cents = t.cents
    from unnest($2::integer[], $3::integer[], $4::smallint[], $5::bigint[]) as t(invoice_id, position, n, cents)
    where f.company_id = $1 and f.invoice_id = t.invoice_id and f.position = t.position and f.n = t.n
      and f.credited_cents <> t.cents`,
);

/** Shipments and numbers that are matched by one statement. */
const AT_ONCE = 2_000;

/** Matches credits with claims, for the shipments and numbers that have credits. */
export async function matchCredits(
  tx: TenantTransaction,
  carrierConnectionId: number,
  among: readonly Credited[],
): Promise<void> {
  const shipmentIds = among.flatMap(({ shipmentId }) => shipmentId ?? []);
  const numbers = among.flatMap(({ shipmentId, number }) => (shipmentId === null && number !== null ? number : []));
  await match(tx, carrierConnectionId, await tx.rows<Credited>(AMONG, carrierConnectionId, shipmentIds, numbers));
}

/** Deletes lines of an invoice, and opens the claims again that its credits have answered. */
export async function withoutCreditsOf(
  tx: TenantTransaction,
  invoice: { readonly id: number; readonly carrierConnectionId: number },
  remove: () => Promise<void>,
): Promise<void> {
  const credited = await tx.rows<Credited>(OF_INVOICE, invoice.id);
  await remove();
  await match(tx, invoice.carrierConnectionId, credited);
}

async function match(tx: TenantTransaction, carrierConnectionId: number, credited: readonly Credited[]): Promise<void> {
  for (let from = 0; from < credited.length; from += AT_ONCE) {
    const some = credited.slice(from, from + AT_ONCE);
    const shipmentIds = some.flatMap(({ shipmentId }) => shipmentId ?? []);
    const numbers = some.flatMap(({ number }) => number ?? []);
    const claims = creditedClaims(await tx.rows<ClaimOrCredit>(ENTRIES, carrierConnectionId, shipmentIds, numbers));
    const column = <Name extends keyof (typeof claims)[number]>(name: Name) => claims.map(claim => claim[name]);
    const columns = ['invoiceId', 'position', 'n', 'creditedCents'] as const;
    if (claims.length > 0) await tx.rows(CREDIT, ...columns.map(column));
  }
}
