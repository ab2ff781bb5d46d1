import { Fault, invalid } from '../../platform/fault.ts';
import type { Tenant } from '../../platform/tenancy.ts';
import { readTariff } from './tariff.check.rules.ts';
import type { Tariff } from './tariff.format.rules.ts';
import { type Grid, withGrid } from './tariff.grid.rules.ts';
import {
  listTariffs,
  lockConnection,
  saveTariff,
  type TariffRow,
  tariffById,
  tariffOfConnection,
  wholeTariff,
} from './tariff.repository.ts';

type Path = readonly (string | number)[];

/** The company's tariffs, by ascending id. */
export const tariffs = listTariffs;

/** A tariff by its id; null where the company has none. */
export async function tariff(tenant: Tenant, id: number): Promise<TariffRow | null> {
  return (await tariffById(tenant, id)) ?? null;
}

/** A tariff as it was imported. */
export async function exportTariff(tenant: Tenant, id: number): Promise<Tariff> {
  const stored = await wholeTariff(tenant, id);
  if (!stored) throw new Fault('internal_error', { cause: new Error(`Tariff ${id} is gone`) });
  return stored.tariff;
}

/** The tariff of a connection as it was imported. @throws Fault `carrier_connection_not_found`, also where it has none */
export async function exportTariffOf(tenant: Tenant, connectionId: number): Promise<Tariff> {
  const row = await tariffOfConnection(tenant, connectionId);
  if (!row) throw new Fault('carrier_connection_not_found', { detail: 'The carrier connection has no tariff.' });
  return exportTariff(tenant, row.id);
}

/**
 * Puts a tariff in the place of the one a connection has, whole or not at all; every process prices by it at once.
 *
 * @param path of the tariff in what was sent
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function importTariff(
  tenant: Tenant,
  connectionId: number,
  value: unknown,
  path: Path = [],
): Promise<TariffRow> {
  const checked = readTariff(value, path);
  const id = await tenant.transaction(async tx => {
    if (!(await lockConnection(tx, connectionId))) throw new Fault('carrier_connection_not_found');
    return saveTariff(tx, connectionId, checked);
  });
  return (await tariffById(tenant, id)) as TariffRow;
}

/**
 * Puts a grid in the place of the bands of one version of a connection's tariff.
 *
 * @param validFrom of the version; the newest where none is named
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function importGrid(
  tenant: Tenant,
  connectionId: number,
  grid: Grid,
  validFrom: string | undefined,
): Promise<TariffRow> {
  const current = await exportTariffOf(tenant, connectionId);
  const at = validFrom ?? current.versions.at(-1)?.validFrom;
  if (!current.versions.some(version => version.validFrom === at)) {
    const known = current.versions.map(version => version.validFrom).join(', ');
    throw invalid([{ path: ['validFrom'], code: 'not_allowed', message: `must be that of a version: ${known}` }]);
  }
  return importTariff(tenant, connectionId, withGrid(current, grid, at ?? ''));
}
