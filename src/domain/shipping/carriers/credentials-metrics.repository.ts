import type { Database } from '../../../platform/database/database.ts';
import { serviceStatement } from '../../../platform/database/statements/statements.ts';
import { isNotSuspended } from '../../../platform/database/tenancy/suspended-companies.ts';

// Reads two indexes that have only rejected credentials.
const REJECTED = serviceStatement(
  'refused-credentials',
  `select carrier_code as carrier, count(*)::integer as count from carrier_connection r
    where (credentials_state = 'refused' or tracking_credentials_state = 'refused') and is_active and ${isNotSuspended('r.company_id')} group by carrier_code`,
);

/** By carrier, the active connections whose credentials the carrier rejects, without suspended companies. */
export function refusedCredentials(database: Database): Promise<{ carrier: string; count: number }[]> {
  return database.rows<{ carrier: string; count: number }>(REJECTED, []);
}
