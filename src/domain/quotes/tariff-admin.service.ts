import type { Database } from '../../platform/database.ts';
import { Fault } from '../../platform/fault.ts';
import { type CompanyId, Tenant } from '../../platform/tenancy.ts';
import { AccessAdministration } from '../access/access.service.ts';
import { carrierOf } from '../carriers/carriers.catalog.ts';
import { type ConnectionTariffRow, connectionTariffs, ownersOfConnection } from './tariff-admin.repository.ts';

/**
 * What operators see of tariffs, from the command line: connections of any company, which they name by id alone.
 */
export class TariffAdministration {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Every connection with its tariff, or those of one company; by ascending id. @throws Fault `validation_failed` */
  async connections(companyId: string | undefined): Promise<(ConnectionTariffRow & { readonly carrier: string })[]> {
    if (companyId !== undefined) await new AccessAdministration(this.#database).requireCompany(companyId);
    const rows = await connectionTariffs(this.#database, companyId ?? null);
    return rows.map(row => ({ ...row, carrier: carrierOf(row.carrier).name }));
  }

  /** The company a connection belongs to. @throws Fault `carrier_connection_not_found` */
  async tenantOf(connectionId: number): Promise<Tenant> {
    const [owner] = await ownersOfConnection(this.#database, connectionId);
    if (!owner) {
      const detail = `No carrier connection has the id ${connectionId}; \`tariff list\` shows those there are.`;
      throw new Fault('carrier_connection_not_found', { detail });
    }
    return new Tenant(owner.companyId as CompanyId, this.#database);
  }
}
