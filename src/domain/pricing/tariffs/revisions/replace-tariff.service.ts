import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault } from '../../../../platform/fault.ts';
import { MAX_WAITING_CHANGES } from '../../../../platform/limits/caps.ts';
import { record } from '../../../account/audit/audit.service.ts';
import { type ConnectionCache, QUOTES_CHANGED } from '../../../shipping/carriers/accounts.service.ts';
import { checkTariff } from '../compile/large-tariffs.service.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { referencesOfConnection, TARIFFS_LOCK } from '../references/references.service.ts';
import { lockConnection, saveTariff, type TariffRow, tariffById } from '../tariff.repository.ts';
import { revisionInForce } from './revisions.repository.ts';

/** A tariff that has just replaced another one. */
export interface ReplacedTariff extends TariffRow {
  /** The revision before; undefined where the connection had no tariff. */
  readonly replacedRevisionId: number | undefined;
}

/** The tariff that takes the place of another one. */
export interface Replacement {
  readonly tariff: Tariff;
  /** Records it as the next revision; returns the revision's id. */
  readonly record: (tx: TenantTransaction) => Promise<number>;
  /** Fields of the entry in the audit trail besides name and revision. */
  readonly detail?: object;
}

/**
 * Replaces the tariff of a connection, as its next revision; replacements in one company follow each other. This is the
 * only way in which a tariff changes.
 *
 * @param cache invalidated once the tariff is changed; other processes hear of it by NOTIFY
 * @throws Fault `carrier_connection_not_found`
 */
export async function replaceTariff(
  tenant: Tenant,
  carrierConnectionId: number,
  next: (tx: TenantTransaction) => Promise<Replacement>,
  cache?: ConnectionCache,
): Promise<ReplacedTariff> {
  const replace = async (tx: TenantTransaction) => {
    if (!(await lockConnection(tx, carrierConnectionId))) throw new Fault('carrier_connection_not_found');
    const replacement = await next(tx);
    const { tariff, detail } = replacement;
    const replaced = await revisionInForce(tx, carrierConnectionId);
    const revisionId = await replacement.record(tx);
    const saved = await saveTariff(tx, carrierConnectionId, revisionId, tariff);
    await record(tx, {
      action: 'tariff_imported',
      subject: { type: 'CarrierConnection', key: carrierConnectionId },
      detail: { name: tariff.name, revisionId, ...detail },
    });
    await tx.notify(QUOTES_CHANGED, tx.companyId);
    return { id: saved, replacedRevisionId: replaced?.id };
  };
  const { id, replacedRevisionId } = await tenant.exclusively(TARIFFS_LOCK, replace, MAX_WAITING_CHANGES);
  cache?.invalidate(tenant.companyId);
  const row = (await tariffById(tenant.fresh(), id)) as TariffRow;
  return { ...row, replacedRevisionId };
}

/**
 * A tariff that a caller sent, and that fits the lists and indexes of its carrier. @throws Fault `validation_failed`,
 * `carrier_connection_not_found`
 */
export async function checkedTariff(
  reader: Tenant | TenantTransaction,
  carrierConnectionId: number,
  value: unknown,
  path: readonly (string | number)[] = [],
): Promise<Tariff> {
  const known = await referencesOfConnection(reader, carrierConnectionId);
  return checkTariff(reader, value, path, known.references);
}

/** A tariff that was accepted before, and still fits. @throws as `checkedTariff` */
export async function recheckedTariff(
  reader: Tenant | TenantTransaction,
  carrierConnectionId: number,
  stored: Tariff,
): Promise<Tariff> {
  const known = await referencesOfConnection(reader, carrierConnectionId);
  return checkTariff(reader, stored, [], known.references, true);
}
