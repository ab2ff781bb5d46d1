import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault, type Issue, invalid, requireNone } from '../../../../platform/fault.ts';
import { checkInput, readInput } from '../../../../platform/input.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import { type Caps, MAX_WAITING_CHANGES, requireRoom } from '../../../../platform/limits/caps.ts';
import {
  type OutboundPolicy,
  resolvedIssue,
  type UrlIssue,
  urlIssue,
} from '../../../../platform/outbound/outbound-url.ts';
import type { SecretBox } from '../../../../platform/secrets/secret-box.ts';
import { isUuid } from '../../../../platform/uuid.ts';
import type { AuditAction } from '../../../account/audit/audit.rules.ts';
import { record } from '../../../account/audit/audit.service.ts';
import { warehouseById } from '../../../shipping/warehouses/warehouses.service.ts';
import { sendDrain, stopBacklog } from '../backlog/backlog.service.ts';
import { HEALTHY } from '../deliveries/breaker.rules.ts';
import { issuesOfSelection } from '../events/event.payload.ts';
import { MAX_SECRETS, makeSecret, OVERLAP_MS, secretContext } from '../secrets/secret.rules.ts';
import { WebhookEndpointEntity, type WebhookEndpointRecord } from '../webhooks.entity.ts';
import {
  createWebhookInput,
  type EndpointInput,
  type EndpointPatch,
  storedFilter,
  updateWebhookInput,
  webhookFilterInput,
} from './endpoint.input.ts';
import { MAX_ACTIVE, type Topic } from './endpoint.rules.ts';
import {
  countEndpoints,
  countSecrets,
  type EndpointRow,
  endpointById,
  forgetDeleted,
  forgetSecrets,
  lockEndpoint,
  storeSecret,
} from './endpoints.repository.ts';

export { issuesOfSelection } from '../events/event.payload.ts';
export { postponeFailing } from './endpoints.repository.ts';

/** The number of listed endpoints of a topic. */
export async function keptEndpoints(tenant: Tenant, topic: Topic): Promise<number> {
  return (await countEndpoints(tenant, topic)).kept;
}

/** The policy of this installation, and the box that seals its secrets. */
export interface WebhookSettings {
  readonly policy: OutboundPolicy;
  readonly box: SecretBox;
}

/** An endpoint with its secret, which is never shown again. */
export type EndpointWithSecret = EndpointRow & { readonly secret: string };

/** The timeout for resolving a name at registration; delivery checks it in any case. */
const RESOLVE_MS = 2_000;

/** @throws Fault `webhook_not_found`, also for an endpoint of another topic */
export async function webhookEndpoint(tenant: Tenant, id: string, topic?: Topic): Promise<EndpointRow> {
  const found = isUuid(id) ? await endpointById(tenant, id) : undefined;
  if (!found || (topic !== undefined && found.topic !== topic)) throw new Fault('webhook_not_found');
  return found;
}

/** @throws Fault `validation_failed`, `webhook_limit_reached` */
export async function createEndpoint(
  tenant: Tenant,
  settings: WebhookSettings,
  caps: Pick<Caps, 'webhookEndpoints'>,
  input: EndpointInput,
): Promise<EndpointWithSecret> {
  const { filter, ...others } = await readAllowed(tenant, createWebhookInput, input, settings.policy);
  const stored = filter ? storedFilter(filter) : null;
  return addEndpoint(tenant, settings, caps, { ...others, filter: stored, topic: 'tracking', allCompanies: false });
}

/** A new endpoint after its checks. */
interface NewEndpoint extends Pick<EndpointRow, 'label' | 'url' | 'topic' | 'allCompanies' | 'events' | 'filter'> {
  readonly selection?: string | null | undefined;
}

/**
 * If the company stores as many endpoints of a topic as it may, the oldest deleted one without stored deliveries is
 * removed.
 *
 * @throws Fault `webhook_limit_reached`
 */
export async function addEndpoint(
  tenant: Tenant,
  { box }: Pick<WebhookSettings, 'box'>,
  caps: Pick<Caps, 'webhookEndpoints'>,
  { events, ...fields }: NewEndpoint,
): Promise<EndpointWithSecret> {
  const id = randomUUID();
  const secret = makeSecret();
  const { label, url, topic, allCompanies } = fields;
  await changeEndpoints(tenant, async tx => {
    await requireRoomForActive(tx, topic);
    await makeRoom(tx, topic, caps.webhookEndpoints);
    tx.em.create(WebhookEndpointEntity, {
      id,
      ...fields,
      events: [...events],
      secretLast4: secret.slice(-4),
    });
    await tx.em.flush();
    await storeSecret(tx, id, box.seal(secret, secretContext(tx.companyId, id)), new Date());
    const detail = { label, host: new URL(url).host, events, ...(allCompanies && { allCompanies }) };
    await recordEndpoint(tx, 'webhook_created', id, detail);
  });
  return { ...(await webhookEndpoint(tenant, id)), secret };
}

/** Changes the fields that are sent. @throws Fault `validation_failed`, `webhook_not_found` */
export async function updateEndpoint(
  tenant: Tenant,
  jobs: Jobs,
  { policy }: WebhookSettings,
  id: string,
  patch: EndpointPatch,
): Promise<EndpointRow> {
  const { filter, ...others } = await readAllowed(tenant, updateWebhookInput, patch, policy);
  const stored = filter !== undefined && { filter: filter && storedFilter(filter) };
  return changeFields(tenant, jobs, { id, topic: 'tracking' }, { ...others, ...stored });
}

/** Stores checked changes. A new address is tried at once. @throws Fault `validation_failed`, `webhook_not_found` */
export function changeFields(
  tenant: Tenant,
  jobs: Jobs,
  which: OfTopic,
  { events, ...others }: Partial<Omit<NewEndpoint, 'topic' | 'allCompanies'>>,
): Promise<EndpointRow> {
  return change(tenant, which, 'webhook_updated', async (tx, endpoint) => {
    requireActive(endpoint);
    const fields = { ...others, ...(events && { events: [...events] }) };
    const before: Readonly<Record<string, unknown>> = { ...endpoint };
    const changed = Object.entries(fields).flatMap(([name, value]) =>
      isDeepStrictEqual(value ?? null, before[name] ?? null) ? [] : [name],
    );
    tx.em.assign(endpoint, fields);
    if (changed.includes('url') && endpoint.pausedAt == null) await revive(tx, jobs, endpoint);
    return { changed };
  });
}

/**
 * Deactivates an endpoint permanently: waiting deliveries are cancelled, those in progress aborted, and its secrets
 * deleted. Idempotent.
 *
 * @throws Fault `webhook_not_found`
 */
export async function deleteEndpoint(tenant: Tenant, jobs: Jobs, which: OfTopic): Promise<EndpointRow> {
  return change(tenant, which, 'webhook_deleted', async (tx, endpoint, now) => {
    if (endpoint.disabledReason === 'deleted') return false;
    const disabledAt = endpoint.disabledAt ?? now;
    tx.em.assign(endpoint, { isActive: false, disabledAt, disabledReason: 'deleted', ...HEALTHY });
    await tx.em.flush();
    await stopBacklog(tx, jobs, endpoint.id);
    await forgetSecrets(tx, endpoint.id);
  });
}

/** Holds deliveries back until they are resumed. @throws Fault `webhook_not_found`, `validation_failed` */
export async function pauseEndpoint(tenant: Tenant, jobs: Jobs, id: string): Promise<EndpointRow> {
  return change(tenant, { id }, 'webhook_paused', async (tx, endpoint) => {
    requireActive(endpoint);
    if (endpoint.pausedAt != null) return false;
    tx.em.assign(endpoint, { pausedAt: new Date() });
    await tx.em.flush();
    await stopBacklog(tx, jobs, endpoint.id);
  });
}

/**
 * Sends held back deliveries, oldest first, and then new ones. An endpoint that the service disabled becomes active.
 *
 * @throws Fault `webhook_not_found`, `webhook_limit_reached`, `validation_failed` for a deleted one
 */
export async function resumeEndpoint(tenant: Tenant, jobs: Jobs, id: string): Promise<EndpointRow> {
  return change(tenant, { id }, 'webhook_resumed', async (tx, endpoint) => {
    if (endpoint.disabledReason === 'deleted') throw inactive();
    if (!endpoint.isActive) await requireRoomForActive(tx, endpoint.topic);
    tx.em.assign(endpoint, { isActive: true, disabledAt: null, disabledReason: null, pausedAt: null });
    await revive(tx, jobs, endpoint);
  });
}

/** Makes a secret; the former one still signs for 24 hours. @throws Fault `webhook_not_found`, `validation_failed` */
export async function rotateSecret(tenant: Tenant, { box }: WebhookSettings, id: string): Promise<EndpointWithSecret> {
  const secret = makeSecret();
  const rotated = await change(tenant, { id }, 'webhook_secret_rotated', async (tx, endpoint) => {
    requireActive(endpoint);
    if ((await countSecrets(tx, endpoint.id)) >= MAX_SECRETS) {
      const message = `names an endpoint with ${MAX_SECRETS} valid secrets, which is the limit: wait until the oldest expires`;
      throw invalid([{ path: ['id'], code: 'too_many_secrets', message }]);
    }
    tx.em.assign(endpoint, { secretLast4: secret.slice(-4) });
    const sealed = box.seal(secret, secretContext(tx.companyId, endpoint.id));
    await storeSecret(tx, endpoint.id, sealed, new Date(Date.now() + OVERLAP_MS));
  });
  return { ...rotated, secret };
}

/** @throws Fault `validation_failed` for a disabled endpoint */
export function requireActive({ isActive }: Pick<WebhookEndpointRecord, 'isActive'>): void {
  if (!isActive) throw inactive();
}

function inactive(): Fault {
  return invalid([{ path: ['id'], code: 'webhook_inactive', message: 'names an endpoint that is not active' }]);
}

/** Marks an endpoint as healthy and sends held back deliveries. After a notice of failures, a success needs one too. */
async function revive(tx: TenantTransaction, jobs: Jobs, endpoint: WebhookEndpointRecord): Promise<void> {
  const notifiedPercent = endpoint.notifiedPercent == null ? null : 0;
  tx.em.assign(endpoint, { ...HEALTHY, breaker: 'draining', notifiedPercent });
  await sendDrain(tx, jobs, endpoint.id);
}

function recordEndpoint(tx: TenantTransaction, action: AuditAction, key: string, detail: object): Promise<void> {
  return record(tx, { action, subject: { type: 'WebhookEndpoint', key }, detail: { ...detail } });
}

/** The id of an endpoint; if a topic is given, endpoints of another topic are not found. */
interface OfTopic {
  readonly id: string;
  readonly topic?: Topic;
}

/**
 * Changes an endpoint, and returns its new state.
 *
 * @param work returns the detail for the audit trail; or false if it changed nothing
 */
async function change(
  tenant: Tenant,
  which: OfTopic,
  action: AuditAction,
  work: (tx: TenantTransaction, endpoint: WebhookEndpointRecord, now: Date) => Promise<object | false | undefined>,
): Promise<EndpointRow> {
  await withEndpoint(tenant, which, async (tx, endpoint) => {
    const now = new Date();
    const detail = await work(tx, endpoint, now);
    if (detail === false) return;
    tx.em.assign(endpoint, { updatedAt: now });
    await tx.em.flush();
    // A URL may have a secret in its path or query.
    const known = { label: endpoint.label, host: new URL(endpoint.url).host };
    await recordEndpoint(tx, action, endpoint.id, { ...known, ...detail });
  });
  return webhookEndpoint(tenant, which.id);
}

/**
 * Runs work on a locked endpoint. It uses the stored id: a caller may write a UUID in capitals, which jobs and sealed
 * secrets do not know.
 *
 * @throws Fault `webhook_not_found`
 */
export async function withEndpoint<T>(
  tenant: Tenant,
  { id, topic }: OfTopic,
  work: (tx: TenantTransaction, endpoint: WebhookEndpointRecord) => Promise<T>,
): Promise<T> {
  const known = await webhookEndpoint(tenant, id, topic);
  return changeEndpoints(tenant, async tx => {
    const endpoint = await lockEndpoint(tx, known.id);
    if (!endpoint) throw new Fault('webhook_not_found');
    return work(tx, endpoint);
  });
}

/** Serializes changes of a company's endpoints: active ones can be counted, and waiting ones need no connection. */
function changeEndpoints<T>(tenant: Tenant, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  return tenant.exclusively('webhooks', work, MAX_WAITING_CHANGES);
}

async function requireRoomForActive(tx: TenantTransaction, topic: Topic): Promise<void> {
  const { active } = await countEndpoints(tx, topic);
  requireRoom('webhook_limit_reached', active, MAX_ACTIVE, 'active webhook endpoints');
}

async function makeRoom(tx: TenantTransaction, topic: Topic, limit: number): Promise<void> {
  const { kept } = await countEndpoints(tx, topic);
  const forgotten = kept < limit ? 0 : await forgetDeleted(tx, topic, kept - limit + 1);
  const what = 'webhook endpoints, including deleted ones whose deliveries are kept';
  requireRoom('webhook_limit_reached', kept - forgotten, limit, what);
}

/** Reads an endpoint by its schema, if this installation may send webhooks there. @throws Fault `validation_failed` */
export async function readAllowed<Schema extends z.ZodType>(
  tenant: Tenant,
  schema: Schema,
  input: Pick<EndpointPatch, 'url' | 'filter' | 'selection'>,
  policy: OutboundPolicy,
): Promise<z.output<Schema>> {
  const { data, issues } = checkInput(schema, input);
  const { url, filter, selection } = input;
  const isRight = (field: string) => !issues.some(({ path }) => path[0] === field);
  const more: Issue[] = [];
  if (url !== undefined && isRight('url')) {
    const issue = urlIssue(url, policy) ?? (await blockedBy(url, policy));
    if (issue) more.push({ path: ['url'], code: issue.code, message: issue.message });
  }
  if (filter && isRight('filter')) {
    const { warehouseIds } = readInput(webhookFilterInput, filter);
    more.push(...(await unknownWarehouses(tenant, warehouseIds ?? [])));
  }
  if (selection != null && isRight('selection')) {
    const wrong = await issuesOfSelection(selection, { isStored: false });
    more.push(...wrong.map(issue => ({ ...issue, path: ['selection'] })));
  }
  requireNone([...issues, ...more]);
  return data as z.output<Schema>;
}

async function unknownWarehouses(tenant: Tenant, ids: readonly number[]): Promise<Issue[]> {
  const found = await Promise.all(ids.map(id => warehouseById(tenant, id)));
  return found.flatMap((warehouse, i) => {
    if (warehouse) return [];
    const message = 'must be the id of a warehouse of the company';
    return [{ path: ['filter', 'warehouseIds', i], code: 'warehouse_not_found', message }];
  });
}

function blockedBy(url: string, policy: OutboundPolicy): Promise<UrlIssue | undefined> {
  return Promise.race([
    resolvedIssue(new URL(url).hostname, policy),
    setTimeout(RESOLVE_MS, undefined, { ref: false }),
  ]);
}
