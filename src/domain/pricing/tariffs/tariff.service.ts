import type { Reader, Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault } from '../../../platform/fault.ts';
import type { ConnectionCache } from '../../shipping/carriers/accounts.service.ts';
import { checkTariff } from './compile/large-tariffs.service.ts';
import type { Tariff } from './format/tariff.format.rules.ts';
import { areReferencesUnchanged, referencesOfConnection } from './references/references.service.ts';
import {
  checkedTariff,
  type ReplacedTariff,
  type Replacement,
  replaceTariff,
} from './revisions/replace-tariff.service.ts';
import { documentOfRevision, recordRevision } from './revisions/revisions.repository.ts';
import { type TariffRow, tariffById, tariffOfConnection } from './tariff.repository.ts';

export { listTariffs } from './tariff.repository.ts';

type Path = readonly (string | number)[];

/** A tariff by its number. @throws Fault `tariff_not_found` */
export async function tariff(tenant: Tenant, id: number): Promise<TariffRow> {
  const found = await tariffById(tenant, id);
  if (!found) throw new Fault('tariff_not_found');
  return found;
}

/** The tariff that is in force on a connection, as it may be imported again; undefined where it has none. */
export async function currentTariff(reader: Reader, carrierConnectionId: number): Promise<Tariff | undefined> {
  const row = await tariffOfConnection(reader, carrierConnectionId);
  return row && (await documentOfRevision(reader, row.revisionId))?.tariff;
}

/**
 * Returns the tariff that is in force on a connection, as it may be imported again.
 *
 * @throws Fault `carrier_connection_not_found`, also where the connection has no tariff
 */
export async function exportTariffOf(reader: Reader, carrierConnectionId: number): Promise<Tariff> {
  const current = await currentTariff(reader, carrierConnectionId);
  if (!current) throw new Fault('carrier_connection_not_found', { detail: 'The carrier connection has no tariff.' });
  return current;
}

/** Details of an import that its revision records. */
interface RevisionNote {
  /** The tariff's own where it is not given. */
  readonly name?: string | null | undefined;
}

/** How a tariff is imported. */
interface ImportOptions extends RevisionNote {
  /** The path of the tariff in the request. */
  readonly path?: Path;
  /** Invalidated once the tariff is changed; NOTIFY invalidates it in other processes. */
  readonly cache?: ConnectionCache;
}

/**
 * Replaces the tariff of a connection atomically, as its next revision; every process prices by it at once.
 *
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function importTariff(
  tenant: Tenant,
  carrierConnectionId: number,
  value: unknown,
  { path = [], cache, ...note }: ImportOptions = {},
): Promise<ReplacedTariff> {
  const known = await referencesOfConnection(tenant, carrierConnectionId);
  const tariff = await checkTariff(tenant, value, path, known.references);
  const replace = async (tx: TenantTransaction) => {
    // A list or an index may have changed since the check. From here on, the lock on tariffs prevents that.
    const isChecked = await areReferencesUnchanged(tx, known);
    return imported(
      carrierConnectionId,
      isChecked ? tariff : await checkedTariff(tx, carrierConnectionId, tariff, path),
      note,
    );
  };
  return replaceTariff(tenant, carrierConnectionId, replace, cache);
}

function imported(carrierConnectionId: number, tariff: Tariff, { name }: RevisionNote): Replacement {
  const details = { name: name ?? tariff.name };
  return { tariff, record: tx => recordRevision(tx, carrierConnectionId, tariff, details) };
}

// For the commands that read files.
export { placeWarnings } from './check/place-warnings.rules.ts';
export { readTariff } from './check/tariff.check.rules.ts';
export { tariffInWorkbook } from './workbook/tariff-in-workbook.rules.ts';
