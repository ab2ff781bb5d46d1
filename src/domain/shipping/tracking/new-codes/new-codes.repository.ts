import type { Database } from '../../../../platform/database/database.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';

export interface SeenCode {
  readonly carrierConnectionId: number;
  readonly code: string;
}

/** A company that sends texts as codes must not fill the table. */
const MAX_CODES = 200;

// The sandbox plays codes that no carrier sends.
const KEEP = companyStatement(
  'keep-new-carrier-codes',
  `with seen as (
      select c.company_id, c.id, given.code
        from unnest($2::integer[], $3::text[]) as given(id, code)
        join carrier_connection c on c.company_id = $1 and c.id = given.id and c.environment = 'live'
    ), kept as (
      insert into new_carrier_code (company_id, carrier_connection_id, code)
        select * from seen
          where (select count(*) from new_carrier_code n where n.company_id = $1) < ${MAX_CODES}
            or exists (select 1 from new_carrier_code n
              where n.company_id = $1 and n.carrier_connection_id = seen.id and n.code = seen.code)
        on conflict (company_id, carrier_connection_id, code) do update set last_seen_at = excluded.last_seen_at
    )
    select id as "carrierConnectionId", code from seen`,
);

/** Keeps distinct codes with the time, and returns the codes of live connections. */
export function keepNewCodes(tx: TenantTransaction, codes: readonly SeenCode[]): Promise<SeenCode[]> {
  return tx.rows<SeenCode>(
    KEEP,
    codes.map(({ carrierConnectionId }) => carrierConnectionId),
    codes.map(({ code }) => code),
  );
}

/** A code of a carrier over all companies. */
export interface NewCarrierCode {
  readonly carrierCode: string;
  readonly code: string;
  readonly companies: number;
  /** Milliseconds since 1970. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

const RECENT = serviceStatement(
  'recent-new-carrier-codes',
  `select c.carrier_code as "carrierCode", n.code, count(distinct n.company_id)::integer as companies,
      ${ms('min(n.first_seen_at)')} as "firstSeenAt", ${ms('max(n.last_seen_at)')} as "lastSeenAt"
    from (select * from new_carrier_code where last_seen_at > now() - $1 * interval '1 day'
      order by last_seen_at desc limit $2) n
    join carrier_connection c on c.company_id = n.company_id and c.id = n.carrier_connection_id
    group by c.carrier_code, n.code order by max(n.last_seen_at) desc, c.carrier_code, n.code limit $3`,
);

/** Codes that were seen in the last days, the latest first. */
export function recentNewCodes(database: Database, days: number, max: number, shown: number) {
  return database.rows<NewCarrierCode>(RECENT, [days, max, shown]);
}
