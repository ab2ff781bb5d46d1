import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../../platform/fault.ts';
import { carrierConnection } from '../../../shipping/carriers/carriers.service.ts';
import { documentOfRevision, type RevisionDocument, type RevisionRow, revisionById } from './revisions.repository.ts';

export { revisionById, revisionInForce } from './revisions.repository.ts';

/** @throws Fault `carrier_connection_not_found` */
export async function requireConnection(tenant: Tenant, carrierConnectionId: number): Promise<void> {
  await carrierConnection(tenant, carrierConnectionId);
}

/** A revision or a draft by its number. @throws Fault `tariff_revision_not_found` */
export async function revision(tenant: Tenant, id: number): Promise<RevisionRow> {
  const found = await revisionById(tenant, id);
  if (!found) throw new Fault('tariff_revision_not_found');
  return found;
}

/** The tariff of a revision or a draft, as it may be imported again. @throws Fault `tariff_revision_not_found` */
export async function revisionDocument(tenant: Tenant, revisionId: number): Promise<RevisionDocument> {
  const found = await documentOfRevision(tenant, revisionId);
  if (!found) throw new Fault('tariff_revision_not_found');
  return found;
}
