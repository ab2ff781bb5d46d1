import type { Database } from '../../platform/database/database.ts';
import {
  type CompanyId,
  companyStatement,
  type Tenant,
  type TenantTransaction,
} from '../../platform/database/tenancy.ts';
import type { StatusCode } from '../tracking/status.rules.ts';
import { type EndpointState, endpointState } from './endpoint-state.rules.ts';

/** Something that is found over all companies, and whose it is. */
export interface Found {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly state: EndpointState;
}

// One that backs off and whose probe never came; another one for which something is still parked. A paused one keeps it.
const FORGOTTEN = {
  name: 'forgotten-endpoints',
  text: `select w.company_id as "companyId", w.id as "endpointId", ${endpointState('w')} as state
    from webhook_endpoint w where case ${endpointState('w')}
      when 'paused' then false
      when 'backing_off' then w.probe_after < now() - interval '30 seconds'
      else exists (select 1 from webhook_delivery d where d.company_id = w.company_id and d.endpoint_id = w.id and d.parked)
    end`,
};

/** Endpoints whose parked deliveries nothing would move any more. */
export function forgottenEndpoints(database: Database): Promise<Found[]> {
  return database.rows<Found>(FORGOTTEN, []);
}

const COMPANIES_WITH_DELAYS = {
  name: 'companies-with-delays',
  text: `select distinct s.company_id as "companyId" from shipment s
    where s.expected_delivery_date < now() and s.expected_delivery_date > now() - make_interval(days => $1)
      and s.delay_told_at is null and s.delivered_at is null and s.status_code <> all($2::text[])
      and exists (select 1 from webhook_endpoint w where w.company_id = s.company_id and w.is_active)`,
};

/** Companies that have shipments past their expected date, and someone to tell. */
export async function companiesWithDelays(
  database: Database,
  maxDays: number,
  terminal: readonly StatusCode[],
): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES_WITH_DELAYS, [maxDays, terminal]);
  return rows.map(({ companyId }) => companyId);
}

const DELAYED = companyStatement(
  'delayed-shipments',
  `select id as "shipmentId", status_code as "statusCode" from shipment
    where company_id = $1 and expected_delivery_date < now() and expected_delivery_date > now() - make_interval(days => $2)
      and delay_told_at is null and delivered_at is null and status_code <> all($3::text[])
    order by id limit $4 for no key update skip locked`,
);

/** Shipments past their expected date that are still open, whose delay nobody told; locked. */
export function delayedShipments(
  tx: TenantTransaction,
  maxDays: number,
  terminal: readonly StatusCode[],
  max: number,
): Promise<{ shipmentId: number; statusCode: StatusCode }[]> {
  return tx.rows(DELAYED, maxDays, terminal, max);
}

/** What deletes a batch of what is older than a number of days; and how many are one, since deliveries go with their event. */
const RETENTION = [
  {
    batch: 5_000,
    text: `delete from webhook_attempt where (company_id, delivery_id, number) in (
      select company_id, delivery_id, number from webhook_attempt where started_at < now() - make_interval(days => $1)
        order by started_at limit $2)`,
  },
  {
    batch: 500,
    // One whose delivery is still on its way stays.
    text: `delete from webhook_event where (company_id, id) in (
      select e.company_id, e.id from webhook_event e where e.created_at < now() - make_interval(days => $1)
        and not exists (select 1 from webhook_delivery d where d.company_id = e.company_id and d.event_id = e.id
          and d.status in ('pending', 'retrying'))
        order by e.created_at limit $2)`,
  },
];

/** Deletes attempts and events past their time in batches, each a transaction of its own; answers how many rows. */
export async function deleteOld(database: Database, days: number): Promise<number> {
  let deleted = 0;
  for (const [i, { batch, text }] of RETENTION.entries()) {
    const statement = {
      name: `webhook-retention-${i}`,
      text: `with gone as (${text} returning 1) select count(*)::integer as count from gone`,
    };
    for (let last = batch; last === batch; deleted += last) {
      const [row] = await database.rows<{ count: number }>(statement, [days, batch]);
      last = row?.count ?? 0;
    }
  }
  return deleted;
}

/** Deletes secrets that sign no more. */
export async function deleteExpiredSecrets(database: Database): Promise<number> {
  const statement = {
    name: 'expired-webhook-secrets',
    text: 'delete from webhook_secret where expires_at < now() returning id',
  };
  return (await database.rows(statement, [])).length;
}

/** A sealed secret, and whose it is. */
export interface SealedSecret {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly id: number;
  readonly box: Buffer;
}

const SECRETS = {
  name: 'webhook-secrets',
  text: `select company_id as "companyId", endpoint_id as "endpointId", id, box from webhook_secret
    where id > $1 order by id limit $2`,
};

/** Sealed secrets of all companies, by id, after one. */
export function sealedSecrets(database: Database, afterId: number, max: number): Promise<SealedSecret[]> {
  return database.rows<SealedSecret>(SECRETS, [afterId, max]);
}

const RESEAL = companyStatement(
  'reseal-webhook-secret',
  'update webhook_secret set box = $5 where company_id = $1 and endpoint_id = $2 and id = $3 and box = $4 returning id',
);

/** Puts a box in the place of another; answers whether it was still there. */
export async function replaceBox(
  tenant: Tenant,
  { endpointId, id, box }: SealedSecret,
  sealed: Buffer,
): Promise<boolean> {
  return (await tenant.rows(RESEAL, endpointId, id, box, sealed)).length > 0;
}
