import { Fault } from '../../platform/fault.ts';
import type { Tenant } from '../../platform/tenancy.ts';
import { readTariff } from './tariff.check.rules.ts';
import type { Tariff, TariffVersion } from './tariff.format.rules.ts';
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
 * A tariff out of files.
 *
 * @param complete puts a grid in before it is checked
 * @throws Fault `validation_failed`
 */
export function readTariffWith(value: unknown, complete?: (tariff: Tariff) => Tariff): Tariff {
  return readTariff(value, [], complete);
}

/** The version that begins on a day, or the newest. @throws Fault `validation_failed` where none begins on it */
export function versionNamed(tariff: Tariff, validFrom: string | undefined): TariffVersion {
  const version =
    validFrom === undefined ? tariff.versions.at(-1) : tariff.versions.find(one => one.validFrom === validFrom);
  if (version) return version;
  const known = tariff.versions.map(one => one.validFrom).join(', ');
  throw new Fault('validation_failed', { detail: `No version begins on ${validFrom}; they begin on ${known}.` });
}

/** Rows of cells to a grid and back, for who reads and writes the file. */
export { gridOf, readGrid, withGrid } from './tariff.grid.rules.ts';
