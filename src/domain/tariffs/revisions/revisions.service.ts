import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import { carrierConnection } from '../../carriers/carriers.service.ts';
import { completeHistory } from './revision-records.service.ts';
import {
  documentOfRevision,
  type RevisionDocument,
  type RevisionRow,
  revisionByContent,
  revisionById,
  revisionInForce,
} from './revisions.repository.ts';

export { stateOf } from './revision.rules.ts';
export type { RevisionRow } from './revisions.repository.ts';
export { listRevisions, revisionById } from './revisions.repository.ts';

/** Has every tariff of a connection that is there be a revision. @throws Fault `carrier_connection_not_found` */
export async function requireHistory(tenant: Tenant, connectionId: number): Promise<void> {
  await carrierConnection(tenant, connectionId);
  await completeHistory(tenant, connectionId);
}

/** The revision that quotes of a connection use; undefined where it has no tariff. */
export async function currentRevision(tenant: Tenant, connectionId: number): Promise<RevisionRow | undefined> {
  const found = await revisionInForce(tenant, connectionId);
  if (found) return found;
  await completeHistory(tenant, connectionId);
  return revisionInForce(tenant.fresh(), connectionId);
}

/** The revision that has a content, by its number; undefined for one that was replaced before it was recorded. */
export async function revisionOfContent(
  tenant: Tenant,
  connectionId: number,
  content: string,
): Promise<RevisionRow | undefined> {
  const found = await revisionByContent(tenant, connectionId, content);
  if (found) return found;
  await completeHistory(tenant, connectionId);
  return revisionByContent(tenant.fresh(), connectionId, content);
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
