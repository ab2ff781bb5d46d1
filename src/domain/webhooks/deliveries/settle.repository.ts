import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsWithin } from '../../../platform/database/database.ts';
import { ms } from '../../../platform/database/sql.ts';
import { type CompanyId, statementForEach } from '../../../platform/database/tenancy.ts';
import type { Health } from './breaker.rules.ts';
import type { DeliveryStatus } from './verdict.rules.ts';

interface OfCompany {
  readonly companyId: CompanyId;
}

/** What becomes of a delivery, and the attempt that was made, if one was. */
export interface SettledRow extends OfCompany {
  readonly deliveryId: string;
  readonly ticket: number;
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly nextAt: Date | null;
  readonly isParked: boolean;
  readonly attempt: {
    readonly startedAt: Date;
    readonly durationMs: number;
    readonly outcome: string;
    readonly httpStatus: number | null;
    readonly answer: string | null;
  } | null;
}

// Deliveries are locked by their ids, as whoever cancels them does, so that neither waits for the other for ever. One whose
// ticket is another by now keeps its state; an attempt that was made is noted in any case.
const SETTLE = statementForEach(
  'settle-webhook-deliveries',
  `with each as (
      select * from unnest($1::uuid[], $2::bigint[], $3::integer[], $4::text[], $5::smallint[], $6::timestamptz[], $7::boolean[],
          $8::timestamptz[], $9::integer[], $10::text[], $11::smallint[], $12::text[])
        as t(company_id, delivery_id, ticket, status, tries, next_at, parked, started_at, duration_ms, outcome, http_status, answer)
    ), held as (
      select d.company_id, d.id, each.ticket, d.ticket = each.ticket and d.status in ('pending', 'retrying', 'failed') as is_current
        from each join webhook_delivery d on d.company_id = each.company_id and d.id = each.delivery_id
        order by d.company_id, d.id for update of d
    ), settled as (
      update webhook_delivery d set
          attempts = d.attempts + (each.outcome is not null)::integer,
          status = case when is_current then each.status else d.status end,
          tries = case when is_current then each.tries else d.tries end,
          ticket = case when is_current then d.ticket + 1 else d.ticket end,
          next_attempt_at = case when is_current then each.next_at else d.next_attempt_at end,
          parked = case when is_current then each.parked else d.parked end,
          delivered_at = case when is_current and each.status = 'success'
            then each.started_at + make_interval(secs => each.duration_ms / 1000.0) else d.delivered_at end,
          updated_at = now()
        from held join each on held.company_id = each.company_id and held.id = each.delivery_id and held.ticket = each.ticket
        where d.company_id = held.company_id and d.id = held.id
        returning d.id, d.attempts, is_current, each.*
    ), noted as (
      insert into webhook_attempt (company_id, delivery_id, number, started_at, duration_ms, outcome, status, answer, next_at)
        select company_id, delivery_id, attempts, started_at, duration_ms, outcome, http_status, answer,
            case when is_current and not parked then next_at end
          from settled where outcome is not null
    )
    select id::text as id from settled where is_current`,
);

/** Writes the results of attempts; returns the deliveries whose state they changed. */
export async function settleDeliveries(em: EntityManager, rows: readonly SettledRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const column = <Value>(of: (row: SettledRow) => Value) => rows.map(of);
  const settled = await rowsWithin<{ id: string }>(em, SETTLE.text, [
    column(({ companyId }) => companyId),
    column(({ deliveryId }) => deliveryId),
    column(({ ticket }) => ticket),
    column(({ status }) => status),
    column(({ tries }) => tries),
    column(({ nextAt }) => nextAt),
    column(({ isParked }) => isParked),
    column(({ attempt }) => attempt?.startedAt ?? null),
    column(({ attempt }) => attempt?.durationMs ?? null),
    column(({ attempt }) => attempt?.outcome ?? null),
    column(({ attempt }) => attempt?.httpStatus ?? null),
    column(({ attempt }) => attempt?.answer ?? null),
  ]);
  return new Set(settled.map(({ id }) => id));
}

/** An endpoint's health, held until the end of the transaction. */
export interface HeldHealth extends OfCompany {
  readonly endpointId: string;
  readonly isActive: boolean;
  readonly isPaused: boolean;
  readonly health: Health;
}

const HOLD_HEALTH = statementForEach(
  'hold-webhook-health',
  `select w.company_id as "companyId", w.id as "endpointId", w.is_active as "isActive", w.paused_at is not null as "isPaused",
      w.failures, ${ms('w.failing_since')} as "failingSince", w.breaker,
      ${ms('w.probe_after')} as "probeAfter", w.probes
    from unnest($1::uuid[], $2::uuid[]) as each(company_id, endpoint_id)
    join webhook_endpoint w on w.company_id = each.company_id and w.id = each.endpoint_id
    order by w.company_id, w.id for no key update of w`,
);

export async function holdHealth(
  em: EntityManager,
  endpoints: readonly (OfCompany & { readonly endpointId: string })[],
): Promise<HeldHealth[]> {
  type Row = Omit<HeldHealth, 'health'> &
    Pick<Health, 'failures' | 'breaker' | 'probes'> & { failingSince: number | null; probeAfter: number | null };
  const rows = await rowsWithin<Row>(em, HOLD_HEALTH.text, [
    endpoints.map(({ companyId }) => companyId),
    endpoints.map(({ endpointId }) => endpointId),
  ]);
  return rows.map(({ companyId, endpointId, isActive, isPaused, failingSince, probeAfter, ...health }) => ({
    companyId,
    endpointId,
    isActive,
    isPaused,
    health: { ...health, failingSince: dateOf(failingSince), probeAfter: dateOf(probeAfter) },
  }));
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** How an endpoint fares from now on; a reason to disable it, if there is one. */
export interface NewHealth extends OfCompany {
  readonly endpointId: string;
  readonly health: Health;
  readonly reason: 'gone' | 'failing' | null;
}

const NOTE_HEALTH = statementForEach(
  'note-webhook-health',
  `update webhook_endpoint w set failures = each.failures, failing_since = each.failing_since, breaker = each.breaker,
      probe_after = each.probe_after, probes = each.probes, is_active = each.reason is null, disabled_reason = each.reason,
      disabled_at = case when each.reason is not null then now() end,
      updated_at = case when each.reason is not null then now() else w.updated_at end
    from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::integer[], $8::text[])
      as each(company_id, endpoint_id, failures, failing_since, breaker, probe_after, probes, reason)
    where w.company_id = each.company_id and w.id = each.endpoint_id and w.is_active returning w.id`,
);

export async function noteHealth(em: EntityManager, rows: readonly NewHealth[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <Value>(of: (row: NewHealth) => Value) => rows.map(of);
  await rowsWithin(em, NOTE_HEALTH.text, [
    column(({ companyId }) => companyId),
    column(({ endpointId }) => endpointId),
    column(({ health }) => health.failures),
    column(({ health }) => health.failingSince),
    column(({ health }) => health.breaker),
    column(({ health }) => health.probeAfter),
    column(({ health }) => health.probes),
    column(({ reason }) => reason),
  ]);
}
