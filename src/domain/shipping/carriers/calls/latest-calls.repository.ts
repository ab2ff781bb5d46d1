import type { Database } from '../../../../platform/database/database.ts';
import { rowLoader } from '../../../../platform/database/gather/loader.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { CallOutcome } from './call-purposes.rules.ts';

/** A connection that can be asked, with its latest stored call. */
export interface LatestCall {
  readonly carrierCode: string;
  readonly outcome: CallOutcome | null;
  /** Milliseconds since 1970. */
  readonly at: number | null;
}

const CONNECTIONS = serviceStatement(
  'connections-with-credentials',
  `select company_id as "companyId", id, carrier_code as "carrierCode" from carrier_connection
    where is_active and disconnected_at is null and credentials is not null order by id desc limit $1`,
);

// One look into the index for each connection.
const LATEST = rowLoader<[carrierConnectionId: number], Pick<LatestCall, 'outcome' | 'at'>>({
  name: 'latest-carrier-call',
  key: { id: 'integer' },
  text: `select c.outcome, ${ms('c.at')} as at from carrier_call c
    where c.company_id = each.company_id and c.carrier_connection_id = each.id order by c.at desc, c.id desc limit 1`,
});

/** The latest calls of the newest connections over all companies. */
export async function latestCalls(database: Database, max: number): Promise<LatestCall[]> {
  const connections = await database.rows<{ companyId: CompanyId; id: number; carrierCode: string }>(CONNECTIONS, [
    max,
  ]);
  return Promise.all(
    connections.map(async ({ companyId, id, carrierCode }) => {
      const { outcome, at } = (await new Tenant(companyId, database).load(LATEST, id)) ?? { outcome: null, at: null };
      return { carrierCode, outcome, at };
    }),
  );
}
