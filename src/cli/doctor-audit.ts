import { damagedTrails } from '../domain/audit/audit-admin.service.ts';
import type { Database } from '../platform/database/database.ts';
import { type Finding, fail, ok } from './finding.ts';

/** Whether the audit trail of each company is what was written: an entry that was changed breaks the chain of hashes. */
export async function examineAudit(database: Database): Promise<Finding[]> {
  const broken = await damagedTrails(database);
  if (broken.length === 0) return [ok('audit', 'no entry of the audit trail was changed or removed')];
  const advice = 'find out who can write to the database, and compare with a backup';
  return broken.map(({ companyId, number }) => {
    const where = number === 0 ? 'all entries are gone' : `entry ${number} was changed, or one beside it removed`;
    return fail('audit', `the audit trail of company ${companyId} is damaged: ${where}`, advice);
  });
}
