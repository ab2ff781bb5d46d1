import { commandName } from '../../platform/command-name.ts';
import type { Database } from '../../platform/database/database.ts';
import { OPERATOR } from '../../platform/database/tenancy/actor.ts';
import { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import { AccessAdministration, requireNoErasure } from '../access/access.service.ts';
import { type AnyConnectionRow, anyConnections, ownersOfConnection } from './connection-admin.repository.ts';

/** The company of a connection id. @throws Fault `carrier_connection_not_found`, `validation_failed` */
export async function tenantOfConnection(database: Database, connectionId: number): Promise<Tenant> {
  const [owner] = await ownersOfConnection(database, connectionId);
  if (owner) return requireNoErasure(new Tenant(owner.companyId, database, { actor: OPERATOR }), 'connection');
  const detail = `No carrier connection has the id ${connectionId}; \`${commandName()} carrier list\` shows the ids.`;
  throw new Fault('carrier_connection_not_found', { detail });
}

/** The connections of one company, or of all, by ascending id. @throws Fault `validation_failed` */
export async function connectionsOfCompanies(
  database: Database,
  companyId: string | undefined,
): Promise<AnyConnectionRow[]> {
  if (companyId !== undefined) await new AccessAdministration(database).requireCompany(companyId);
  return anyConnections(database, companyId ?? null);
}
