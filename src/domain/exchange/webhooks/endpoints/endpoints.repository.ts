import { LockMode } from '@mikro-orm/core';
import type { Database } from '../../../../platform/database/database.ts';
import { rowLoader } from '../../../../platform/database/gather/loader.ts';
import { type ListPage, WHOLE_LIST } from '../../../../platform/database/lists/page.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { Reader, Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { DeliveryStatus } from '../deliveries/verdict.rules.ts';
import { WebhookEndpointEntity, type WebhookEndpointRecord, WebhookSecretEntity } from '../webhooks.entity.ts';
import { type EndpointState, endpointState, type Topic } from './endpoint.rules.ts';
import type { EndpointFilter } from './endpoint-filter.rules.ts';

/** An endpoint for callers, without its secrets. */
export interface EndpointRow {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly secretLast4: string;
  readonly topic: Topic;
  /** Whether it receives the notices of all companies. */
  readonly allCompanies: boolean;
  readonly events: readonly string[];
  readonly filter: EndpointFilter | null;
  readonly selection: string | null;
  readonly isActive: boolean;
  readonly pausedAt: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledReason: 'deleted' | 'gone' | 'failing' | null;
  readonly failingSince: Date | null;
  readonly state: EndpointState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastDelivery: LastDelivery | null;
}

export interface LastDelivery {
  readonly status: DeliveryStatus;
  readonly deliveredAt: number | null;
  readonly createdAt: number;
}

const endpoint = (
  companyId: string,
) => `select w.id, w.label, w.url, w.secret_last4 as "secretLast4", w.topic, w.all_companies as "allCompanies", w.events, w.filter, w.selection, w.is_active as "isActive",
    w.paused_at as "pausedAt", w.disabled_at as "disabledAt", w.disabled_reason as "disabledReason",
    w.failing_since as "failingSince", ${endpointState('w')} as state, w.created_at as "createdAt", w.updated_at as "updatedAt",
    (select json_build_object('status', d.status, 'deliveredAt', ${ms('d.delivered_at')},
        'createdAt', ${ms('d.created_at')})
      from webhook_delivery d where d.company_id = ${companyId} and d.endpoint_id = w.id order by d.id desc limit 1) as "lastDelivery"
  from webhook_endpoint w`;

const LIST = companyStatement(
  'webhook-endpoints',
  `${endpoint('$1')} where w.company_id = $1 and ($4::text is null or w.topic = $4) and ($2::uuid is null or exists (
      select from webhook_endpoint a where a.company_id = $1 and a.id = $2
        and (w.created_at < a.created_at or (w.created_at = a.created_at and w.id > a.id))))
    order by w.created_at desc, w.id limit $3`,
);
const BY_ID = rowLoader<[id: string], EndpointRow>({
  name: 'webhook-endpoint-by-id',
  key: { id: 'uuid' },
  text: `${endpoint('each.company_id')} where w.company_id = each.company_id and w.id = each.id`,
});

/** Endpoints of the company, of one topic or of all; newest first, including inactive ones. */
export function listEndpoints(
  tenant: Tenant,
  topic: Topic | null,
  page: ListPage<string> = WHOLE_LIST,
): Promise<EndpointRow[]> {
  return tenant.rows<EndpointRow>(LIST, page.after, page.limit, topic);
}

export function endpointById(reader: Reader, id: string): Promise<EndpointRow | undefined> {
  return reader.load(BY_ID, id);
}

export function lockEndpoint(tx: TenantTransaction, id: string): Promise<WebhookEndpointRecord | null> {
  return tx.em.findOne(WebhookEndpointEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

const COUNT = companyStatement(
  'count-webhook-endpoints',
  `select count(*)::integer as kept, count(*) filter (where is_active)::integer as active
    from webhook_endpoint where company_id = $1 and topic = $2`,
);

/** The number of stored endpoints of a topic, and of its active ones. */
export async function countEndpoints(
  reader: Pick<Tenant | TenantTransaction, 'rows'>,
  topic: Topic,
): Promise<{ kept: number; active: number }> {
  const [row] = await reader.rows<{ kept: number; active: number }>(COUNT, topic);
  return row ?? { kept: 0, active: 0 };
}

const FORGET_DELETED = companyStatement(
  'forget-deleted-webhook-endpoints',
  `delete from webhook_endpoint where company_id = $1 and id in (
      select w.id from webhook_endpoint w where w.company_id = $1 and w.topic = $3 and w.disabled_reason = 'deleted'
        and not exists (select from webhook_delivery d where d.company_id = $1 and d.endpoint_id = w.id)
        order by w.disabled_at, w.id limit $2)
    returning id`,
);

/** Removes deleted endpoints without stored deliveries, the oldest first; returns how many. */
export async function forgetDeleted(tx: TenantTransaction, topic: Topic, max: number): Promise<number> {
  return (await tx.rows(FORGET_DELETED, max, topic)).length;
}

/** Stores a secret as the current one; the former secret still signs until `previousExpiresAt`. */
export async function storeSecret(
  { em }: TenantTransaction,
  endpointId: string,
  box: Buffer,
  previousExpiresAt: Date,
): Promise<void> {
  await em.nativeUpdate(WebhookSecretEntity, { endpointId, expiresAt: null }, { expiresAt: previousExpiresAt });
  em.create(WebhookSecretEntity, { endpointId, box });
  await em.flush();
}

export function countSecrets({ em }: TenantTransaction, endpointId: string): Promise<number> {
  return em.count(WebhookSecretEntity, { endpointId, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }] });
}

export async function forgetSecrets({ em }: TenantTransaction, endpointId: string): Promise<void> {
  await em.nativeDelete(WebhookSecretEntity, { endpointId });
}

const POSTPONE_FAILING = companyStatement(
  'postpone-webhook-failing',
  `update webhook_endpoint set failing_since = failing_since + make_interval(secs => $2)
    where company_id = $1 and failing_since is not null`,
);

/** Excludes a period from the failing time of endpoints. */
export async function postponeFailing(tx: TenantTransaction, seconds: number): Promise<void> {
  await tx.rows(POSTPONE_FAILING, seconds);
}

const SELECTIONS = serviceStatement(
  'webhook-selections',
  `select company_id as "companyId", id, selection from webhook_endpoint
    where selection is not null and disabled_reason is distinct from 'deleted' order by company_id, id`,
);

export function allSelections(database: Database): Promise<{ companyId: string; id: string; selection: string }[]> {
  return database.rows(SELECTIONS, []);
}
