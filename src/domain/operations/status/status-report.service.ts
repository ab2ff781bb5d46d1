import { isOfDeadDeliveries, isOfDeliveries } from '../../exchange/webhooks/backlog/backlog.service.ts';
import { ENDPOINT_STATES } from '../../exchange/webhooks/endpoints/endpoint.rules.ts';
import { MAX_COUNTED } from '../../exchange/webhooks/endpoints/endpoint-metrics.repository.ts';
import type { Backlog, Counted, ServiceStatus } from './service-status.service.ts';

/** The status of the service for people: sections, each with a sentence and a table. */

interface StatusSection {
  readonly title: string;
  /** The main fact in a sentence. */
  readonly summary: string;
  /** Whether an operator should look into it. */
  readonly isAlarming: boolean;
  /** A field for each column. */
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

export function statusSections(status: ServiceStatus): readonly StatusSection[] {
  const nowMs = Date.parse(status.at);
  return [
    processes(status, nowMs),
    ...standbys(status),
    endpoints(status, nowMs),
    backlog(status),
    connections(status, nowMs),
    newCarrierCodes(status, nowMs),
    lateShipments(status, nowMs),
    jobs(status),
  ];
}

function processes({ processes: all }: ServiceStatus, nowMs: number): StatusSection {
  const workers = all.filter(({ worksJobs }) => worksJobs).length;
  return {
    title: 'Processes',
    summary: `${plural(all.length, 'process is', 'processes are')} connected. ${
      workers === 0
        ? 'None works jobs, so webhooks and polls wait.'
        : `${plural(workers, 'of them works jobs', 'of them work jobs')}.`
    }`,
    isAlarming: workers === 0,
    rows: all.map(({ process, role, worksJobs, connectedSince }) => ({
      process,
      role,
      'works jobs': worksJobs ? 'yes' : 'no',
      'connected for': duration((nowMs - connectedSince) / 1000),
    })),
  };
}

function standbys({ standbys: report }: ServiceStatus): StatusSection[] {
  if (report === null) return [];
  const { found, status } = report;
  return [
    {
      title: 'Standbys',
      summary: `${found.replace(/^./, first => first.toUpperCase())}.`,
      isAlarming: status !== 'ok',
      rows: [],
    },
  ];
}

function endpoints({ endpoints: { byState, waiting } }: ServiceStatus, nowMs: number): StatusSection {
  const states = Object.keys(ENDPOINT_STATES).map(state => `${byState[state] ?? 0} ${state.replace('_', ' ')}`);
  return {
    title: 'Webhook endpoints',
    summary: `${states.join(', ')}.`,
    isAlarming: (byState.backing_off ?? 0) > 0,
    rows: waiting.map(({ company, label, state, failingSince, deliveries, nextDueAt, endpointId }) => ({
      company: company ?? '',
      endpoint: label,
      state: state.replace('_', ' '),
      'failing for': failingSince === null ? '' : duration((nowMs - failingSince) / 1000),
      expected: counted({ count: deliveries.expected, isExact: deliveries.expected < MAX_COUNTED }),
      delivered: deliveries.delivered,
      failed: deliveries.failed,
      waiting: deliveries.waiting,
      'next due': nextDue(nextDueAt, nowMs),
      id: endpointId,
    })),
  };
}

function nextDue(at: number | null, nowMs: number): string {
  if (at === null) return '';
  return at <= nowMs ? 'now' : `in ${duration((at - nowMs) / 1000)}`;
}

/** A delivery that waits for longer is late, because workers take due deliveries at once. */
const LATE_SECONDS = 60;

function backlog({ backlog: companies, queues }: ServiceStatus): StatusSection {
  const later = queues.filter(({ queue }) => isOfDeliveries(queue)).reduce((sum, { deferred }) => sum + deferred, 0);
  const oldest = Math.max(0, ...companies.map(({ oldestSeconds }) => oldestSeconds ?? 0));
  return {
    title: 'Backlog of webhooks',
    summary:
      companies.length === 0 && later === 0
        ? 'No delivery waits.'
        : `${total(companies, 'due')} due, ${total(companies, 'heldBack')} held back, ${later} to be tried later.`,
    isAlarming: oldest > LATE_SECONDS,
    rows: companies.map(({ company, companyId, due, heldBack, oldestSeconds }) => ({
      company: company ?? '',
      due: counted(due),
      'oldest due for': oldestSeconds === null ? '' : duration(oldestSeconds),
      'held back': counted(heldBack),
      id: companyId,
    })),
  };
}

function total(companies: readonly Backlog[], which: 'due' | 'heldBack'): string {
  const count = companies.reduce((sum, one) => sum + one[which].count, 0);
  return counted({ count, isExact: companies.every(one => one[which].isExact) });
}

function connections({ connections: rows }: ServiceStatus, nowMs: number): StatusSection {
  const of = (wanted: (outcome: string | null) => boolean) =>
    rows.filter(({ outcome }) => wanted(outcome)).reduce((sum, one) => sum + one.connections, 0);
  const all = of(() => true);
  const failing = of(outcome => outcome !== null && outcome !== 'answered');
  return {
    title: 'Carrier connections',
    summary:
      failing === 0
        ? `${plural(all, 'connection', 'connections')} with credentials. No latest call failed.`
        : `${plural(all, 'connection', 'connections')} with credentials. The latest call of ${failing} failed.`,
    isAlarming: failing > 0,
    rows: rows.map(({ carrierCode, outcome, connections: count, latestAt }) => ({
      carrier: carrierCode,
      'latest call': outcome ?? 'none recorded',
      connections: count,
      'last called': latestAt === null ? '' : `${duration((nowMs - latestAt) / 1000)} ago`,
    })),
  };
}

function newCarrierCodes({ newCarrierCodes: codes }: ServiceStatus, nowMs: number): StatusSection {
  return {
    title: 'Carrier codes without a status',
    summary:
      codes.length === 0
        ? 'Every code of the last 7 days is in a table of codes.'
        : `Carriers sent ${plural(codes.length, 'code', 'codes')} in the last 7 days that no table of codes has.`,
    isAlarming: codes.length > 0,
    rows: codes.map(({ carrierCode, code, companies, firstSeenAt, lastSeenAt }) => ({
      carrier: carrierCode,
      code,
      companies,
      'first seen': `${duration((nowMs - firstSeenAt) / 1000)} ago`,
      'last seen': `${duration((nowMs - lastSeenAt) / 1000)} ago`,
    })),
  };
}

function lateShipments({ lateShipments: late }: ServiceStatus, nowMs: number): StatusSection {
  const since = late.oldestDueAt === null ? '' : `, the oldest ${duration((nowMs - late.oldestDueAt) / 1000)}`;
  return {
    title: 'Shipments behind their schedule',
    summary:
      late.count === 0
        ? 'No shipment has waited for its carrier to be asked for more than 5 minutes.'
        : `${counted(late)} shipments have waited for their carrier to be asked for more than 5 minutes${since}.`,
    isAlarming: late.count > 0,
    rows: [],
  };
}

/** Failed jobs need attention, except deliveries, which fail with their receivers; `doctor` reports dead ones. */
function jobs({ queues, processes: connected }: ServiceStatus): StatusSection {
  const busy = queues.filter(({ ready, active, failed, deferred }) => ready + active + failed + deferred > 0);
  // Workers count jobs every few seconds.
  const isCounted = connected.some(({ worksJobs }) => worksJobs);
  const sum = (of: 'ready' | 'active' | 'failed') => queues.reduce((all, queue) => all + queue[of], 0);
  return {
    title: 'Jobs',
    summary: `${sum('ready')} are due, ${sum('active')} are worked on, ${sum('failed')} have failed${isCounted ? '' : ', when a worker last counted them'}.`,
    isAlarming: queues.some(
      ({ queue, oldestSeconds, failed }) =>
        (oldestSeconds > LATE_SECONDS && !isOfDeadDeliveries(queue)) || (failed > 0 && !isOfDeliveries(queue)),
    ),
    rows: busy.map(({ queue, ready, active, failed, deferred, oldestSeconds }) => ({
      queue,
      due: ready,
      'oldest due for': oldestSeconds > 0 ? duration(oldestSeconds) : '',
      later: deferred,
      active,
      failed,
    })),
  };
}

function counted({ count, isExact }: Counted): string {
  return isExact ? String(count) : `${count} or more`;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** A time in its two largest units. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const at = UNITS.findIndex(([, size]) => whole >= size);
  const [unit, size] = UNITS[at] ?? ['s', 1];
  const [smaller, smallerSize] = UNITS[at + 1] ?? ['s', 1];
  const rest = Math.floor((whole % size) / smallerSize);
  return `${Math.floor(whole / size)} ${unit}${at === -1 || rest === 0 ? '' : ` ${rest} ${smaller}`}`;
}
