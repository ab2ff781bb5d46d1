import { AccessAdministration } from '../domain/account/access/access.service.ts';
import { brokenEntry } from '../domain/account/audit/audit.service.ts';
import { unusableSelections } from '../domain/exchange/webhooks/endpoints/endpoint-metrics.service.ts';
import { erasures, returnedCompanies } from '../domain/operations/companies/erasure/erasure.service.ts';
import type { Database } from '../platform/database/database.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

// Checks of `doctor` on the data of companies: erasures, audit trails, and selections of webhook endpoints.

/** Checks that erased companies are gone. */
export async function examineCompanies(database: Database): Promise<Finding[]> {
  const proofs = await erasures(database);
  const unfinished = proofs.filter(({ finishedAt }) => finishedAt === null);
  const findings = [
    ...unfinished.map(({ companyId }) =>
      warn(
        'companies',
        `the erasure of company ${companyId} is not finished`,
        `unless it is under way, run \`company erase --company ${companyId}\``,
      ),
    ),
    ...(await returnedCompanies(database)).map(({ companyId, tables }) =>
      fail(
        'companies',
        `company ${companyId} was erased, and has rows again in ${tables.join(', ')}`,
        'find out who wrote them, and delete them',
      ),
    ),
  ];
  const erased = proofs.length - unfinished.length;
  return findings.length > 0 ? findings : [ok('companies', `nothing is left of erased companies (${erased})`)];
}

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

/** Checks the selections of webhook endpoints, because an upgrade may change what can be selected. */
export async function examineSelections(database: Database): Promise<Finding[]> {
  const { selections, unusable } = await unusableSelections(database);
  if (unusable.length === 0) return [ok('webhooks', `all ${selections} selections of endpoints can be used`)];
  const advice = 'correct it with `webhook update --selection`; until then its payloads have errors in place of data';
  return unusable.map(({ companyId, id, reason }) =>
    warn('webhooks', `the selection of endpoint ${id} of company ${companyId} ${reason}`, advice),
  );
}
