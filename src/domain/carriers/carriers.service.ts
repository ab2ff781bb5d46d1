import type { Tenant, TenantTransaction } from '../../platform/tenancy.ts';
import { Checks } from '../checks.rules.ts';
import { CARRIER_CODES, carrierByCode } from './carriers.catalog.ts';
import { CarrierConnectionEntity } from './carriers.entity.ts';
import { type ConnectionRow, connectionsByIds, existingConnectionIds, listConnections } from './carriers.repository.ts';

export interface ConnectCarrierInput {
  carrierCode: string;
  label: string;
  isActive?: boolean | null;
}

/** The company's carrier connections, by ascending id. */
export const carrierConnections = listConnections;
export const connectionsWithIds = connectionsByIds;

/** Connects an account at a carrier; a company may have several at one. @throws Fault `validation_failed` */
export async function connectCarrier(tenant: Tenant, input: ConnectCarrierInput): Promise<ConnectionRow> {
  const checks = new Checks();
  const carrier = carrierByCode(input.carrierCode);
  if (!carrier) checks.add(['carrierCode'], 'not_allowed', `must be one of ${CARRIER_CODES.join(', ')}`);
  const label = checks.text(['label'], input.label);
  checks.throwIfAny();
  return tenant.transaction(async tx => {
    const created = tx.em.create(CarrierConnectionEntity, {
      companyId: tx.companyId,
      carrierCode: carrier?.code ?? '',
      label,
      isActive: input.isActive ?? true,
    });
    await tx.em.flush();
    return created;
  });
}

/** Which of the ids are connections of the company; they stay until the transaction ends. */
export async function existingConnections(tx: TenantTransaction, ids: readonly number[]): Promise<Set<number>> {
  return ids.length === 0 ? new Set() : existingConnectionIds(tx, ids);
}
