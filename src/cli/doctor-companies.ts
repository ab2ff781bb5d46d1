import { erasures, returnedCompanies } from '../domain/companies/erasure/erasure.service.ts';
import type { Database } from '../platform/database/database.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

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
