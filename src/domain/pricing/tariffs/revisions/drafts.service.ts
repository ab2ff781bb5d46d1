import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault, invalid } from '../../../../platform/fault.ts';
import type { Housekeeping } from '../../../../platform/jobs/job-kinds.ts';
import { MAX_WAITING_CHANGES } from '../../../../platform/limits/caps.ts';
import { asFault } from '../../../../platform/problem.ts';
import type { AuditAction } from '../../../account/audit/audit.rules.ts';
import { record } from '../../../account/audit/audit.service.ts';
import { dayInItaly } from '../../../common/date-time.rules.ts';
import type { ConnectionCache } from '../../../shipping/carriers/accounts.service.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { TARIFFS_LOCK } from '../references/references.service.ts';
import { lockConnection } from '../tariff.repository.ts';
import {
  countDrafts,
  deleteDraft,
  dueDrafts,
  insertDraft,
  lockDraft,
  publishDraft,
  recordProblem,
  scheduleDraft,
} from './drafts.repository.ts';
import { checkedTariff, type ReplacedTariff, recheckedTariff, replaceTariff } from './replace-tariff.service.ts';
import { type RevisionRow, recordRevision } from './revisions.repository.ts';
import { revision, revisionDocument } from './revisions.service.ts';

export { newestDrafts } from './drafts.repository.ts';

/** Drafts that a connection may have at a time. */
const MAX_DRAFTS = 20;

/**
 * Stores a tariff as a draft: it is checked, and can be compared, quoted and published. The audit trail has no entry
 * for a draft, since prices don't change and the draft itself names its author. Publishing, scheduling and discarding
 * it are recorded.
 *
 * @throws Fault `validation_failed`, `carrier_connection_not_found`
 */
export async function createDraft(
  tenant: Tenant,
  carrierConnectionId: number,
  draft: { readonly tariff: unknown; readonly name?: string | null | undefined },
): Promise<RevisionRow> {
  const tariff = await checkedTariff(tenant, carrierConnectionId, draft.tariff, ['tariff']);
  return keepDraft(tenant, carrierConnectionId, tariff, draft.name ?? tariff.name);
}

/** Stores a tariff that was checked as a draft. @throws Fault `validation_failed`, `carrier_connection_not_found` */
export async function keepDraft(
  tenant: Tenant,
  carrierConnectionId: number,
  tariff: Tariff,
  name: string,
): Promise<RevisionRow> {
  const id = await tenant.transaction(async tx => {
    if (!(await lockConnection(tx, carrierConnectionId))) throw new Fault('carrier_connection_not_found');
    const count = await countDrafts(tx, carrierConnectionId);
    if (count >= MAX_DRAFTS) {
      const message = `names a connection with ${count} drafts, and the limit is ${MAX_DRAFTS}: discard some`;
      throw invalid([{ path: ['carrierConnectionId'], code: 'too_many', message }]);
    }
    return insertDraft(tx, carrierConnectionId, tariff, name);
  });
  return revision(tenant.fresh(), id);
}

/** Deletes a draft and returns it as it was. @throws Fault `tariff_revision_not_found`, `validation_failed` */
export async function discardDraft(tenant: Tenant, id: number): Promise<RevisionRow> {
  await revision(tenant, id);
  return tenant.transaction(async tx => {
    const draft = await requireDraft(tx, id);
    await deleteDraft(tx, id);
    await recordDraft(tx, 'tariff_draft_discarded', draft, draft.publishOn);
    return draft;
  });
}

/** @param publishOn the day on which it was to be published, or is */
function recordDraft(
  tx: TenantTransaction,
  action: AuditAction,
  { id, carrierConnectionId, name }: RevisionRow,
  publishOn: string | null,
): Promise<void> {
  const detail = { name, revisionId: id, ...(publishOn !== null && { publishOn }) };
  return record(tx, { action, subject: { type: 'CarrierConnection', key: carrierConnectionId }, detail });
}

function draftRequired({ number }: Pick<RevisionRow, 'number'>): Fault {
  const message =
    number === null ? 'names a draft that was discarded meanwhile' : `names revision ${number}, which is not a draft`;
  return invalid([{ path: ['id'], code: 'not_allowed', message }]);
}

/**
 * Replaces the tariff of a connection by a draft: at once, or on a future day.
 *
 * @throws Fault `tariff_revision_not_found`; `validation_failed` also if the tariff no longer fits the lists of its
 *   carrier
 */
export async function publishTariff(
  tenant: Tenant,
  id: number,
  publishOn: string | null | undefined,
  cache?: ConnectionCache,
): Promise<RevisionRow> {
  const today = dayInItaly(new Date());
  if (publishOn != null && publishOn < today) {
    throw invalid([{ path: ['publishDate'], code: 'out_of_range', message: `must not be before today, ${today}` }]);
  }
  const isNow = publishOn == null || publishOn === today;
  await pointedAtId<unknown>(isNow ? publishNow(tenant, id, cache) : publishLater(tenant, id, publishOn));
  return revision(tenant.fresh(), id);
}

/** Points issues of the stored document at the id, since the caller did not send the document. */
function pointedAtId<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((thrown: unknown) => {
    const issues = thrown instanceof Fault ? thrown.options.issues : undefined;
    if (!issues) throw thrown;
    throw invalid(
      issues.map(({ path, code, message }) => {
        const isPointed = path[0] === 'id';
        const at = `names a tariff that no longer fits: ${path.join('/')} `;
        return { path: ['id'], code, message: isPointed ? message : at + message };
      }),
    );
  });
}

async function publishLater(tenant: Tenant, id: number, publishOn: string): Promise<void> {
  const { carrierConnectionId, tariff } = await revisionDocument(tenant, id);
  const schedule = async (tx: TenantTransaction) => {
    const draft = await requireDraft(tx, id);
    // A check now reports errors that would otherwise appear only on that day.
    await recheckedTariff(tx, carrierConnectionId, tariff);
    await scheduleDraft(tx, id, publishOn);
    await recordDraft(tx, 'tariff_scheduled', draft, publishOn);
  };
  // From here on, changes of the carrier's lists are checked with the draft.
  await tenant.exclusively(TARIFFS_LOCK, schedule, MAX_WAITING_CHANGES);
}

/** Locks a draft, so that no other transaction changes it. @throws Fault `validation_failed` */
async function requireDraft(tx: TenantTransaction, id: number): Promise<RevisionRow> {
  const draft = await lockDraft(tx, id);
  if (draft?.number !== null) throw draftRequired(draft ?? { number: null });
  return draft;
}

/** @param lock locks the draft, and throws if it may not be published */
async function publishNow(
  tenant: Tenant,
  id: number,
  cache: ConnectionCache | undefined,
  lock = requireDraft,
): Promise<ReplacedTariff> {
  const { carrierConnectionId, tariff } = await revisionDocument(tenant, id);
  return replaceTariff(
    tenant,
    carrierConnectionId,
    async tx => {
      const draft = await lock(tx, id);
      const checked = await recheckedTariff(tx, carrierConnectionId, tariff);
      const record = async () => {
        await publishDraft(tx, draft);
        return id;
      };
      // The actor is the service; the detail names the actor who scheduled the draft.
      const detail = tx.actor.kind === 'service' ? { publishOn: draft.publishOn, scheduledBy: authorOf(draft) } : {};
      return { tariff: checked, record, detail };
    },
    cache,
  );
}

/** Returns the actor who last made or scheduled a draft, as entries of the audit trail name an actor. */
function authorOf({ author, apiKeyId, apiKeyLabel }: RevisionRow): object {
  return author === 'api_key' ? { kind: 'key', apiKeyId, label: apiKeyLabel } : { kind: author };
}

/**
 * Publishes the drafts whose day has come, of all companies. The oldest of several drafts with one day and connection
 * is published first.
 */
export async function publishDueDrafts({ database, log }: Pick<Housekeeping, 'database' | 'log'>): Promise<void> {
  const today = dayInItaly(new Date());
  /** A draft that was discarded, published or scheduled anew since it was read as due counts as not found. */
  const requireDue = async (tx: TenantTransaction, id: number) => {
    const draft = await lockDraft(tx, id);
    if (draft?.publishOn == null || draft.publishOn > today) throw new Fault('tariff_revision_not_found');
    return draft;
  };
  for (const { companyId, id } of await dueDrafts(database, today)) {
    const tenant = new Tenant(companyId, database);
    try {
      await publishNow(tenant, id, undefined, requireDue);
      log.info({ companyId, revisionId: id }, 'tariff published on its day');
    } catch (thrown) {
      const fault = asFault(thrown);
      if (fault.code === 'tariff_revision_not_found') continue;
      // After a failure, the other drafts are still published.
      log.error({ companyId, revisionId: id, err: thrown }, 'tariff could not be published on its day');
      await recordFailedPublication(tenant, id, fault);
    }
  }
}

/**
 * Faults of the tariff, or of the references of its carrier. They last until a user changes something; the service
 * retries after all others.
 */
const LASTING_FAULTS: ReadonlySet<string> = new Set(['validation_failed', 'carrier_connection_not_found']);

async function recordFailedPublication(tenant: Tenant, id: number, fault: Fault): Promise<void> {
  if (!LASTING_FAULTS.has(fault.code)) return;
  const issues = (fault.options.issues ?? []).map(({ path, message }) => `${path.join('/')} ${message}`);
  const problem = issues.length > 0 ? issues.slice(0, 5).join('; ') : (fault.options.detail ?? fault.message);
  await tenant.transaction(tx => recordProblem(tx, id, problem));
}

/**
 * Brings an earlier tariff of a connection back, as a new revision with its content.
 *
 * @throws Fault `tariff_revision_not_found`; `validation_failed` also if the tariff no longer fits the lists of its
 *   carrier
 */
export async function rollbackTariff(
  tenant: Tenant,
  id: number,
  name: string | null | undefined,
  cache?: ConnectionCache,
): Promise<RevisionRow> {
  const old = await revision(tenant, id);
  const restoredNumber = old.number;
  if (restoredNumber === null) {
    const message = 'names a draft: `publishTariff` publishes drafts';
    throw invalid([{ path: ['id'], code: 'not_allowed', message }]);
  }
  const { carrierConnectionId, tariff } = await revisionDocument(tenant, id);
  const restore = async (tx: TenantTransaction) => {
    const checked = await recheckedTariff(tx, carrierConnectionId, tariff);
    const details = { name: name ?? old.name, restoredNumber };
    return { tariff: checked, record: () => recordRevision(tx, carrierConnectionId, checked, details) };
  };
  const replaced = await pointedAtId(replaceTariff(tenant, carrierConnectionId, restore, cache));
  return revision(tenant.fresh(), replaced.revisionId);
}
