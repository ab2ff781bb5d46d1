import type { Database } from '../../platform/database/database.ts';
import { serviceStatement } from '../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../platform/database/tenancy/company-id.ts';

// Over all companies, only for operators, who name a connection by its id.
const OWNERS = serviceStatement(
  'connection-owners',
  'select company_id as "companyId" from carrier_connection where id = $1 and disconnected_at is null',
);

/** Returns one row at most, because ids of connections come from one sequence. */
export function ownersOfConnection(database: Database, connectionId: number): Promise<{ companyId: CompanyId }[]> {
  return database.rows(OWNERS, [connectionId]);
}

/** A connection of any company, for operators. */
export interface AnyConnectionRow {
  readonly connectionId: number;
  readonly companyId: string;
  readonly carrier: string;
  readonly label: string;
  readonly environment: string;
  readonly isActive: boolean;
  readonly hasCredentials: boolean;
  readonly baseUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const CONNECTIONS = serviceStatement(
  'connections',
  `select id as "connectionId", company_id as "companyId", carrier_code as carrier, label, environment, is_active as "isActive",
      credentials is not null as "hasCredentials", base_url as "baseUrl", created_at as "createdAt", updated_at as "updatedAt"
    from carrier_connection where disconnected_at is null and ($1::text is null or company_id::text = $1) order by id`,
);

export function anyConnections(database: Database, companyId: string | null): Promise<AnyConnectionRow[]> {
  return database.rows<AnyConnectionRow>(CONNECTIONS, [companyId]);
}
