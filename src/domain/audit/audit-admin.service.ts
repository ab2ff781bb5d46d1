import type { Database } from '../../platform/database/database.ts';
import { Tenant } from '../../platform/database/tenancy.ts';
import { invalid } from '../../platform/fault.ts';
import { AccessAdministration, tenantOfCompany } from '../access/access.service.ts';
import { brokenEntry } from './audit.repository.ts';
import { AUDIT_ACTIONS, type AuditAction } from './audit.rules.ts';
import { entriesPage } from './audit.service.ts';

/** An entry as an operator sees it. */
export interface AuditEntrySummary {
  readonly number: number;
  readonly at: string;
  readonly action: AuditAction;
  readonly subject: string;
  /** `operator`, `service`, or `key` with its id. */
  readonly actor: string;
  readonly detail: string;
}

/** Actions by their names. @throws Fault `validation_failed` */
export function actionsNamed(names: readonly string[]): readonly AuditAction[] {
  return names.map(name => {
    const action = name.trim().toLowerCase();
    if (Object.hasOwn(AUDIT_ACTIONS, action)) return action as AuditAction;
    const message = `must be one of ${Object.keys(AUDIT_ACTIONS).join(', ')}`;
    throw invalid([{ path: ['actions'], code: 'not_allowed', message }]);
  });
}

/** Entries of a company, newest first. @throws Fault `validation_failed` */
export async function entriesOfCompany(
  database: Database,
  companyId: string,
  actions: readonly AuditAction[] | null,
  max: number,
): Promise<AuditEntrySummary[]> {
  const tenant = await tenantOfCompany(database, companyId);
  const entries = await entriesPage(tenant, actions, { before: null, after: null, limit: max, inverted: false });
  return entries.map(({ id, content: { at, action, subject, actor, detail } }) => ({
    number: id,
    at,
    action,
    subject: `${subject.type} ${subject.key}`,
    actor: actor.kind === 'key' ? `key ${actor.apiKeyId}` : actor.kind,
    detail: JSON.stringify(detail ?? {}),
  }));
}

/** Companies whose entries are not those that were written, each with the first that shows it, or 0 where all are gone. */
export async function damagedTrails(database: Database): Promise<{ companyId: string; number: number }[]> {
  const damaged: { companyId: string; number: number }[] = [];
  for (const { companyId } of await new AccessAdministration(database).companies()) {
    const number = await brokenEntry(new Tenant(companyId, database));
    if (number !== null) damaged.push({ companyId, number });
  }
  return damaged;
}
