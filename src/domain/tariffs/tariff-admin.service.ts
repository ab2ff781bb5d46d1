import type { Database } from '../../platform/database/database.ts';
import { AccessAdministration } from '../access/access.service.ts';
import { carrierOf } from '../carriers/carriers.catalog.ts';
import { type ConnectionTariffRow, connectionTariffs } from './tariff-admin.repository.ts';

/**
 * Returns every connection with its tariff, of all companies or of one, by ascending id.
 *
 * @throws Fault `validation_failed`
 */
export async function connectionsWithTariffs(
  database: Database,
  companyId: string | undefined,
): Promise<(ConnectionTariffRow & { readonly carrier: string })[]> {
  if (companyId !== undefined) await new AccessAdministration(database).requireCompany(companyId);
  const rows = await connectionTariffs(database, companyId ?? null);
  return rows.map(row => ({ ...row, carrier: carrierOf(row.carrier).name }));
}
