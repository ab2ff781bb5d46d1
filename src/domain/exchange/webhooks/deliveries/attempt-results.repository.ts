import type { EntityManager } from '@mikro-orm/postgresql';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { statementForEach } from '../../../../platform/database/statements/statements.ts';
import { rowsForEach } from '../../../../platform/database/statements/transaction.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import type { Health } from './breaker.rules.ts';
import type { DeliveryStatus } from './verdict.rules.ts';

interface OfCompany {
  readonly companyId: CompanyId;
}

/** The new state of a delivery, and the attempt, if one was made. */
export interface DeliveryUpdate extends OfCompany {
  readonly deliveryId: string;
  readonly ticket: number;
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly nextAt: Date | null;
  readonly isHeldBack: boolean;
  readonly attempt: {
    readonly startedAt: Date;
    readonly durationMs: number;
    readonly outcome: string;
    readonly httpStatus: number | null;
    readonly answer: string | null;
  } | null;
}

// Deliveries are locked in the order of their ids, as for a cancellation, so that the two cannot deadlock; each by its
// key in its own subquery, whatever the statistics say. A delivery with another ticket keeps its state, but its attempt is
// recorded.
const WRITE_RESULTS = statementForEach(
  'settle-webhook-deliveries',
  {
    delivery_id: 'bigint',
    ticket: 'integer',
    status: 'text',
    tries: 'smallint',
    next_at: 'timestamptz',
    parked: 'boolean',
    started_at: 'timestamptz',
    duration_ms: 'integer',
    outcome: 'text',
    http_status: 'smallint',
    answer: 'text',
  },
  input => `with given as (
      select each.company_id as company_id, each.delivery_id, each.ticket, each.status, each.tries, each.next_at, each.parked,
          each.started_at, each.duration_ms, each.outcome, each.http_status, each.answer,
          each.started_at + make_interval(secs => each.duration_ms / 1000.0) as ended_at
        from ${input} order by each.company_id, each.delivery_id
    ), held as (
      select each.*, d.ticket = each.ticket and d.status in ('pending', 'retrying', 'failed') as is_current
        from given each cross join lateral (
          select d.ticket, d.status from webhook_delivery d
            where d.company_id = each.company_id and d.id = each.delivery_id for update
        ) d
    ), updated as (
      update webhook_delivery d set
          attempts = d.attempts + (each.outcome is not null)::integer,
          status = case when is_current then each.status else d.status end,
          tries = case when is_current then each.tries else d.tries end,
          ticket = case when is_current then d.ticket + 1 else d.ticket end,
          next_attempt_at = case when is_current then each.next_at else d.next_attempt_at end,
          parked = case when is_current then each.parked else d.parked end,
          delivered_at = case when is_current and each.status = 'success' then each.ended_at else d.delivered_at end,
          updated_at = now()
        from held each where d.company_id = each.company_id and d.id = each.delivery_id
        returning d.company_id, d.id, d.attempts, is_current, each.started_at, each.duration_ms, each.outcome,
          each.http_status, each.answer, each.next_at, each.parked
    ), noted as (
      insert into webhook_attempt (company_id, delivery_id, number, started_at, duration_ms, outcome, status, answer, next_at)
        select company_id, id, attempts, started_at, duration_ms, outcome, http_status, answer,
            case when is_current and not parked then next_at end
          from updated where outcome is not null
    )
    select id::text as id from updated where is_current`,
);

/** Writes the results of attempts; returns the deliveries whose state changed. */
export async function updateDeliveries(
  em: EntityManager,
  rows: readonly DeliveryUpdate[],
): Promise<ReadonlySet<string>> {
  const updated = await rowsForEach<{ id: string }>(
    em,
    WRITE_RESULTS,
    rows.map(({ companyId, deliveryId, ticket, status, tries, nextAt, isHeldBack, attempt }) => {
      const { startedAt = null, durationMs = null, outcome = null, httpStatus = null, answer = null } = attempt ?? {};
      const made = [startedAt, durationMs, outcome, httpStatus, answer];
      return { companyId, values: [deliveryId, ticket, status, tries, nextAt, isHeldBack, ...made] };
    }),
  );
  return new Set(updated.map(({ id }) => id));
}

/** An endpoint's health, locked until the end of the transaction. */
export interface LockedHealth extends OfCompany {
  readonly endpointId: string;
  readonly isActive: boolean;
  readonly isPaused: boolean;
  readonly health: Health;
}

const LOCK_HEALTH = statementForEach(
  'hold-webhook-health',
  { endpoint_id: 'uuid' },
  input => `select w.company_id as "companyId", w.id as "endpointId", w.is_active as "isActive", w.paused_at is not null as "isPaused",
      w.failures, ${ms('w.failing_since')} as "failingSince", w.breaker,
      ${ms('w.probe_after')} as "probeAfter", w.probes, w.failing_told as "notifiedPercent"
    from ${input} join webhook_endpoint w on w.company_id = each.company_id and w.id = each.endpoint_id
    order by w.company_id, w.id for no key update of w`,
);

export async function lockHealth(
  em: EntityManager,
  endpoints: readonly (OfCompany & { readonly endpointId: string })[],
): Promise<LockedHealth[]> {
  type Row = Omit<LockedHealth, 'health'> &
    Pick<Health, 'failures' | 'breaker' | 'probes' | 'notifiedPercent'> & {
      failingSince: number | null;
      probeAfter: number | null;
    };
  const rows = await rowsForEach<Row>(
    em,
    LOCK_HEALTH,
    endpoints.map(({ companyId, endpointId }) => ({ companyId, values: [endpointId] })),
  );
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

/** The new health of an endpoint, and the reason if it is disabled. */
export interface NewHealth extends OfCompany {
  readonly endpointId: string;
  readonly health: Health;
  readonly reason: 'gone' | 'failing' | null;
}

const WRITE_HEALTH = statementForEach(
  'note-webhook-health',
  {
    endpoint_id: 'uuid',
    failures: 'integer',
    failing_since: 'timestamptz',
    breaker: 'text',
    probe_after: 'timestamptz',
    probes: 'integer',
    failing_told: 'smallint',
    reason: 'text',
  },
  input => `update webhook_endpoint w set failures = each.failures, failing_since = each.failing_since, breaker = each.breaker,
      probe_after = each.probe_after, probes = each.probes, failing_told = each.failing_told, is_active = each.reason is null, disabled_reason = each.reason,
      disabled_at = case when each.reason is not null then now() end,
      updated_at = case when each.reason is not null then now() else w.updated_at end
    from ${input}
    where w.company_id = each.company_id and w.id = each.endpoint_id and w.is_active returning w.id`,
);

export async function writeHealth(em: EntityManager, rows: readonly NewHealth[]): Promise<void> {
  const given = rows.map(({ companyId, endpointId, health, reason }) => {
    const { failures, failingSince, breaker, probeAfter, probes, notifiedPercent } = health;
    const values = [endpointId, failures, failingSince, breaker, probeAfter, probes, notifiedPercent, reason];
    return { companyId, values };
  });
  await rowsForEach(em, WRITE_HEALTH, given);
}
