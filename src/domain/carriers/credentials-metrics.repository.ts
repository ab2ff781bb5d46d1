import type { Database } from '../../platform/database/database.ts';
import { serviceStatement } from '../../platform/database/statements/statements.ts';
import { isNotSuspended } from '../../platform/database/tenancy/suspended-companies.ts';

// Along an index that has the refused ones alone.
const REFUSED = serviceStatement(
  'refused-credentials',
  `select carrier_code as carrier, count(*)::integer as count from carrier_connection r
    where credentials_state = 'refused' and is_active and ${isNotSuspended('r.company_id')} group by carrier_code`,
);

/** By carrier, the active connections of all companies whose credentials the carrier refuses; companies that are suspended are left out. */
export function refusedCredentials(database: Database): Promise<{ carrier: string; count: number }[]> {
  return database.rows<{ carrier: string; count: number }>(REFUSED, []);
}
