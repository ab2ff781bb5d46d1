import type { Database } from '../../platform/database/database.ts';
import { serviceStatement } from '../../platform/database/statements.ts';
import type { CompanyId } from '../../platform/database/tenancy.ts';

// Over all companies: for operators alone, who name a connection by its id.
const OWNERS = serviceStatement(
  'connection-owners',
  'select company_id as "companyId" from carrier_connection where id = $1 and disconnected_at is null',
);

/** One at most: ids of connections come from one sequence. */
export function ownersOfConnection(database: Database, connectionId: number): Promise<{ companyId: CompanyId }[]> {
  return database.rows(OWNERS, [connectionId]);
}
