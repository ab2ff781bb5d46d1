import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { invalid } from '../../platform/fault.ts';
import { entriesPage } from './audit.repository.ts';
import { AUDIT_ACTIONS, type AuditAction } from './audit.rules.ts';

export interface AuditEntrySummary {
  readonly number: number;
  readonly at: string;
  readonly action: AuditAction;
  readonly subject: string;
  /** `operator`, `service`, or `key` with its id. */
  readonly actor: string;
  readonly detail: string;
}

/** Looks up actions by name. @throws Fault `validation_failed` */
export function actionsNamed(names: readonly string[]): readonly AuditAction[] {
  return names.map(name => {
    const action = name.trim().toLowerCase();
    if (Object.hasOwn(AUDIT_ACTIONS, action)) return action as AuditAction;
    const message = `must be one of ${Object.keys(AUDIT_ACTIONS).join(', ')}`;
    throw invalid([{ path: ['actions'], code: 'not_allowed', message }]);
  });
}

/** Entries of a company, newest first. */
export async function newestEntries(
  tenant: Tenant,
  actions: readonly AuditAction[] | null,
  max: number,
): Promise<AuditEntrySummary[]> {
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
