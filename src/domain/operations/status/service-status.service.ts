import { type ConnectedProcess, connectedProcesses } from '../../../platform/database/connections/worker-presence.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type StandbyReport, standbyReport, standbysOf } from '../../../platform/database/server/standbys.ts';
import { type DueOfCompany, type QueueCounts, queueCounts } from '../../../platform/jobs/pgboss-tables.ts';
import { companyNames } from '../../account/access/access.repository.ts';
import { dueDeliveries, laterDeliveries } from '../../exchange/webhooks/backlog/backlog.service.ts';
import {
  endpointCounts,
  MAX_COUNTED,
  type WaitingEndpoint,
  waitingEndpoints,
} from '../../exchange/webhooks/endpoints/endpoint-metrics.repository.ts';
import { type LatestCall, latestCalls } from '../../shipping/carriers/calls/latest-calls.repository.ts';
import { type LatePolls, latePolls } from '../../shipping/polling/poll-rows.repository.ts';
import { type NewCarrierCode, recentNewCodes } from '../../shipping/tracking/new-codes/new-codes.repository.ts';

/**
 * The state of the service for operators, on the command line and at `/ops`. Each statement is bounded, however large
 * the tables are: it scans an index up to a limit, and a count that reached its limit says so.
 */

/** A shipment that is due for longer is late, because the schedule leases due shipments every minute. */
const LATE_MINUTES = 5;
const MAX_LATE = 10_000;
const MAX_CONNECTIONS = 1_000;
const MAX_DUE = 10_000;
const MAX_SHOWN = 20;
const NEW_CODE_DAYS = 7;
const MAX_NEW_CODES = 10_000;

/** A number that was counted up to a limit. */
export interface Counted {
  readonly count: number;
  /** False if there are at least as many. */
  readonly isExact: boolean;
}

/** Waiting webhook deliveries of one company. */
export interface Backlog {
  readonly companyId: string;
  readonly company: string | null;
  /** Deliveries that workers can send now. */
  readonly due: Counted;
  /** How long the oldest due delivery has waited. */
  readonly oldestSeconds: number | null;
  /** Deliveries held back for endpoints that are paused, fail or catch up. */
  readonly heldBack: Counted;
}

/** Carrier connections with the same carrier and the same outcome of their latest call. */
interface ConnectionGroup {
  readonly carrierCode: string;
  /** Null without a stored call. */
  readonly outcome: LatestCall['outcome'];
  readonly connections: number;
  /** Milliseconds since 1970. */
  readonly latestAt: number | null;
}

/** An endpoint with deliveries that are not sent at once, and when the next one is. */
interface EndpointStatus extends WaitingEndpoint {
  readonly company: string | null;
  /** Milliseconds since 1970; null while the endpoint is paused, or if nothing waits. */
  readonly nextDueAt: number | null;
}

export interface ServiceStatus {
  /** ISO 8601. */
  readonly at: string;
  readonly processes: readonly ConnectedProcess[];
  /** Null without a standby. */
  readonly standbys: StandbyReport | null;
  readonly endpoints: {
    readonly byState: Readonly<Record<string, number>>;
    /** Endpoints that are paused, fail, catch up, or have deliveries to be tried later. */
    readonly waiting: readonly EndpointStatus[];
  };
  readonly backlog: readonly Backlog[];
  readonly connections: readonly ConnectionGroup[];
  /** Codes of the last week that no carrier's table has, the latest first. */
  readonly newCarrierCodes: readonly NewCarrierCode[];
  readonly lateShipments: Counted & Pick<LatePolls, 'oldestDueAt'>;
  /** Queues without pg-boss' internal ones. */
  readonly queues: readonly QueueCounts[];
}

export async function serviceStatus(database: Database): Promise<ServiceStatus> {
  const later = await laterDeliveries(database, MAX_DUE);
  const [processes, standbys, states, waiting, due, connections, late, newCarrierCodes, queues] = await Promise.all([
    connectedProcesses(database),
    standbysOf(database),
    endpointCounts(database),
    waitingEndpoints(database, [...later.keys()]),
    dueDeliveries(database, MAX_DUE),
    latestCalls(database, MAX_CONNECTIONS),
    latePolls(database, LATE_MINUTES, MAX_LATE),
    recentNewCodes(database, NEW_CODE_DAYS, MAX_NEW_CODES, MAX_SHOWN),
    queueCounts(database),
  ]);
  const companyIds = new Set([...due, ...waiting].map(({ companyId }) => companyId));
  const names = await companyNames(database, [...companyIds]);
  return {
    at: new Date().toISOString(),
    processes,
    standbys: standbyReport(standbys) ?? null,
    endpoints: {
      byState: Object.fromEntries(states.map(({ state, count }) => [state, count])),
      waiting: waiting.slice(0, MAX_SHOWN).map(one => ({
        ...one,
        company: names.get(one.companyId) ?? null,
        nextDueAt: nextDueAt(one, later.get(one.endpointId)),
      })),
    },
    backlog: backlogOf(due, waiting, names),
    connections: groupsOf(connections),
    newCarrierCodes,
    lateShipments: { ...countedUpTo(late.count, MAX_LATE), oldestDueAt: late.oldestDueAt },
    queues: queues
      .filter(({ queue }) => !queue.startsWith('__'))
      .toSorted((one, other) => one.queue.localeCompare(other.queue)),
  };
}

/** The next attempt: the retry of a delivery, or a delivery that probes whether the endpoint works. */
function nextDueAt({ state, probeAt }: WaitingEndpoint, laterAt: number | undefined): number | null {
  if (state === 'paused') return null;
  const times = [probeAt, laterAt].filter(at => typeof at === 'number');
  return times.length === 0 ? null : Math.min(...times);
}

function countedUpTo(count: number, max: number): Counted {
  return { count, isExact: count < max };
}

function groupsOf(calls: readonly LatestCall[]): readonly ConnectionGroup[] {
  const groups = [...Map.groupBy(calls, ({ carrierCode, outcome }) => `${carrierCode} ${outcome ?? ''}`)];
  return groups
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([, of]) => {
      const [first] = of;
      if (!first) return [];
      const { carrierCode, outcome } = first;
      const latestAt = outcome === null ? null : Math.max(...of.map(({ at }) => at ?? 0));
      return [{ carrierCode, outcome, connections: of.length, latestAt }];
    });
}

function backlogOf(
  due: readonly DueOfCompany[],
  waiting: readonly WaitingEndpoint[],
  names: ReadonlyMap<string, string>,
): readonly Backlog[] {
  const dueOf = new Map(due.map(one => [one.companyId, one]));
  const waitingOf = Map.groupBy(waiting, ({ companyId }): string => companyId);
  const isEveryDue = due.reduce((sum, one) => sum + one.due, 0) < MAX_DUE;
  const companies = new Set([...dueOf.keys(), ...waitingOf.keys()]);
  const backlog = Array.from(companies, (companyId): Backlog => {
    const of = waitingOf.get(companyId) ?? [];
    return {
      companyId,
      company: names.get(companyId) ?? null,
      due: { count: dueOf.get(companyId)?.due ?? 0, isExact: isEveryDue },
      oldestSeconds: dueOf.get(companyId)?.oldestSeconds ?? null,
      heldBack: {
        count: of.reduce((sum, one) => sum + one.heldBack, 0),
        isExact: of.every(({ heldBack }) => heldBack < MAX_COUNTED),
      },
    };
  });
  const sizeOf = (one: Backlog) => one.due.count + one.heldBack.count;
  return backlog
    .filter(one => sizeOf(one) > 0)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, MAX_SHOWN);
}
