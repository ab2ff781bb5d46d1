import type { Database } from '../../../../platform/database/database.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import {
  type CompanyStatement,
  companyStatement,
  type Statement,
  serviceStatement,
} from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../../platform/database/tenancy/suspended-companies.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { isFollowed } from '../../../pricing/tariffs/revisions/revision.rules.ts';
import { isOfTopic } from '../endpoints/endpoint.rules.ts';
import { EVERY_NOTICE, NOTICE_DAYS } from './notice.rules.ts';

/** Something that ends: its query, and the mark that its notice was written. */
interface Ending {
  readonly ofNotified: Statement;
  readonly ofAll: Statement;
  readonly find: CompanyStatement;
  readonly mark: CompanyStatement;
}

/**
 * Companies are found first, by one look-up each in an index of ends without a notice; then the ends of each. Ends
 * without a recipient are not marked, so that an endpoint that is registered later still gets their notices.
 *
 * @param condition the condition on its other tables, by the SQL of the company
 */
function ending(
  name: string,
  {
    alias,
    from,
    columns,
    condition,
    mark,
  }: {
    readonly alias: string;
    readonly from: string;
    readonly columns: string;
    readonly condition: (companyId: string) => string;
    readonly mark: string;
  },
): Ending {
  const isNotified = (kind: string) => `e.is_active and ${isOfTopic('e', 'notices')}
    and e.events && array[${kind}, '${EVERY_NOTICE}']`;
  return {
    ofNotified: serviceStatement(
      `companies-with-${name}`,
      `select distinct e.company_id as "companyId" from webhook_endpoint e
        where ${isNotified('$1')} and ${isNotSuspended('e.company_id')} and exists (select from ${from}
          where ${alias}.company_id = e.company_id and ${condition('e.company_id')})`,
    ),
    ofAll: serviceStatement(
      `all-companies-with-${name}`,
      `select distinct ${alias}.company_id as "companyId" from ${from}
        where ${isNotSuspended(`${alias}.company_id`)} and ${condition(`${alias}.company_id`)}`,
    ),
    find: companyStatement(
      name,
      `select ${columns} from ${from} where ${alias}.company_id = $1 and ${condition('$1')}
          and ($4::boolean or exists (select from webhook_endpoint e
            where e.company_id = $1 and ${isNotified('$3::text')}))
        order by ${alias}.id limit $2 for no key update of ${alias} skip locked`,
    ),
    mark: companyStatement(`tell-${name}`, mark),
  };
}

/** An API key that expires soon. */
interface ExpiringKey {
  readonly id: string;
  readonly label: string;
  readonly last4: string;
  readonly expiresAtMs: number;
}

// A key that was issued for a day needs no notice; a rotated key has a successor.
const KEYS = ending('expiring-keys', {
  alias: 'k',
  from: 'api_key k',
  columns: `k.id, k.label, k.last4, ${ms('k.expires_at')} as "expiresAtMs"`,
  condition: () => `k.expires_at > now()
    and k.expires_at <= now() + make_interval(days => ${NOTICE_DAYS}) and k.expires_at - k.created_at > interval '1 day'
    and k.revoked_at is null and k.rotated_at is null and k.expiry_told_at is null`,
  mark: 'update api_key set expiry_told_at = now() where company_id = $1 and id = any($2::uuid[])',
});

/** A tariff that ends soon, and its connection. */
interface EndingTariff {
  readonly id: number;
  readonly name: string;
  /** Its last day. */
  readonly validUntil: string;
  readonly carrierConnectionId: number;
  readonly carrierCode: string;
  readonly connectionLabel: string;
}

const TODAY = "(now() at time zone 'Europe/Rome')::date";

// Without tariffs that a draft will follow in time.
const TARIFFS = ending('tariffs-about-to-end', {
  alias: 't',
  from: 'tariff t join carrier_connection c on c.company_id = t.company_id and c.id = t.carrier_connection_id',
  columns: `t.id, t.name, t.valid_until::text as "validUntil", c.id as "carrierConnectionId", c.carrier_code as "carrierCode",
    c.label as "connectionLabel"`,
  condition: companyId => `c.is_active
    and t.valid_until between ${TODAY} and ${TODAY} + ${NOTICE_DAYS} and t.valid_until is distinct from t.end_told
    and not ${isFollowed('t', companyId)}`,
  mark: 'update tariff set end_told = valid_until where company_id = $1 and id = any($2::integer[])',
});

export type EndingKind = 'notice.key_expiring' | 'notice.tariff_ending';
const ENDINGS: Readonly<Record<EndingKind, Ending>> = {
  'notice.key_expiring': KEYS,
  'notice.tariff_ending': TARIFFS,
};

/**
 * Companies with an end of a kind that has no notice yet.
 *
 * @param isForAll whether an endpoint receives the notices of all companies; otherwise only companies with their own
 */
export async function companiesWithEnding(
  database: Database,
  kind: EndingKind,
  isForAll: boolean,
): Promise<CompanyId[]> {
  const { ofAll, ofNotified } = ENDINGS[kind];
  const rows = await (isForAll
    ? database.rows<{ companyId: CompanyId }>(ofAll, [])
    : database.rows<{ companyId: CompanyId }>(ofNotified, [kind]));
  return rows.map(({ companyId }) => companyId);
}

/** Limits of a call. */
export interface Taken {
  readonly max: number;
  /** Whether an endpoint receives the notices of all companies; otherwise only ends for the company's own endpoints. */
  readonly isForAll: boolean;
}

/** API keys that expire soon without a notice. They are marked, so that the next call leaves them out. */
export function takeExpiringKeys(tx: TenantTransaction, taken: Taken): Promise<ExpiringKey[]> {
  return take<ExpiringKey>(tx, 'notice.key_expiring', taken);
}

/** Tariffs that end soon without a notice. They are marked, so that the next call leaves them out. */
export function takeEndingTariffs(tx: TenantTransaction, taken: Taken): Promise<EndingTariff[]> {
  return take<EndingTariff>(tx, 'notice.tariff_ending', taken);
}

async function take<Row extends { readonly id: string | number }>(
  tx: TenantTransaction,
  kind: EndingKind,
  { max, isForAll }: Taken,
): Promise<Row[]> {
  const { find, mark } = ENDINGS[kind];
  const found = await tx.rows<Row>(find, max, kind, isForAll);
  if (found.length > 0)
    await tx.rows(
      mark,
      found.map(({ id }) => id),
    );
  return found;
}
