import type { Database } from '../../platform/database/database.ts';
import { Tenant } from '../../platform/database/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import { ownersOfConnection } from './connection-admin.repository.ts';

/** The company of a connection, which operators name by its id alone. @throws Fault `carrier_connection_not_found` */
export async function tenantOfConnection(database: Database, connectionId: number): Promise<Tenant> {
  const [owner] = await ownersOfConnection(database, connectionId);
  if (owner) return new Tenant(owner.companyId, database);
  const detail = `No carrier connection has the id ${connectionId}; \`tariff list\` shows those there are.`;
  throw new Fault('carrier_connection_not_found', { detail });
}
