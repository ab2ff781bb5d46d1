import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { invalid } from '../../../platform/fault.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { erasureBegun, isBeingErased, notifyOfAllKeys } from '../../account/access/access.service.ts';
import { withSandbox } from '../../account/access/sandbox.service.ts';
import type { AuditAction } from '../../account/audit/audit.rules.ts';
import { record } from '../../account/audit/audit.service.ts';
import { postponeFailing } from '../../exchange/webhooks/endpoints/endpoints.service.ts';
import { resumedCompany } from './companies.jobs.ts';
import { type LockedCompany, lockCompany, setSuspended } from './companies.repository.ts';

interface Suspension {
  readonly companyId: CompanyId;
  readonly suspendedAt: Date | null;
}

/** Rejects the keys of a company and its sandbox, and makes their jobs wait, in every process. Idempotent. */
export function suspendCompany(tenant: Tenant): Promise<Suspension> {
  const { companyId } = tenant;
  return tenant.transaction(async tx => {
    const { suspendedAtMs } = await lockedCompany(tx);
    if (suspendedAtMs !== null) return { companyId, suspendedAt: new Date(suspendedAtMs) };
    const suspendedAt = new Date();
    await change(tx, suspendedAt, 'company_suspended');
    return { companyId, suspendedAt };
  });
}

/**
 * Accepts the keys of a company and of its sandbox again, and continues their jobs. The time of the suspension does not
 * count as failing time of its webhook endpoints.
 */
export function resumeCompany(tenant: Tenant, jobs: Jobs): Promise<Suspension> {
  const { companyId } = tenant;
  return tenant.transaction(async tx => {
    const { suspendedAtMs } = await lockedCompany(tx);
    if (suspendedAtMs === null) return { companyId, suspendedAt: null };
    if (await isBeingErased(tx)) throw erasureBegun('company');
    const both = await withSandbox(tx);
    for (const one of both) await postponeFailing(one, Math.max(0, Date.now() - suspendedAtMs) / 1000);
    await change(tx, null, 'company_resumed');
    await jobs.insert(
      tx.em,
      resumedCompany,
      both.map(one => ({ data: { companyId: one.companyId } })),
    );
    return { companyId, suspendedAt: null };
  });
}

/** @throws Fault `validation_failed` if it was erased meanwhile */
export async function lockedCompany(tx: TenantTransaction): Promise<LockedCompany> {
  const company = await lockCompany(tx);
  if (company) return company;
  throw invalid([{ path: ['company'], code: 'company_not_found', message: 'must be the id of a company' }]);
}

async function change(tx: TenantTransaction, suspendedAt: Date | null, action: AuditAction): Promise<void> {
  await setSuspended(tx, suspendedAt);
  for (const one of await withSandbox(tx)) await notifyOfAllKeys(one);
  await record(tx, { action, subject: { type: 'Company', key: tx.companyId } });
}
