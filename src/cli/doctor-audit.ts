import { AccessAdministration } from '../domain/access/access.service.ts';
import { brokenEntry } from '../domain/audit/audit.service.ts';
import type { Database } from '../platform/database/database.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { type Finding, fail, ok } from './finding.ts';

const ADVICE = 'find out who can write to the database, and compare with a backup';

/** Checks the audit trail of each company: a changed entry breaks the chain of hashes. */
export async function examineAudit(database: Database): Promise<Finding[]> {
  const damaged: Finding[] = [];
  for (const { companyId } of await new AccessAdministration(database).companies()) {
    const number = await brokenEntry(new Tenant(companyId, database));
    if (number === null) continue;
    const where = number === 0 ? 'all entries are gone' : `entry ${number} was changed, or one beside it removed`;
    damaged.push(fail('audit', `the audit trail of company ${companyId} is damaged: ${where}`, ADVICE));
  }
  return damaged.length > 0 ? damaged : [ok('audit', 'no entry of the audit trail was changed or removed')];
}
