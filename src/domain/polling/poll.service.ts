import { createHash } from 'node:crypto';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import type { Caps } from '../../platform/limits/caps.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Accounts, ConnectionAccount } from '../carriers/accounts.service.ts';
import type { CarrierEnvironment, CarrierEvent, CarrierPort, TrackingFinding } from '../carriers/carrier.port.ts';
import { judgeCredentials } from '../carriers/credentials-verdict.service.ts';
import { MAX_BATCH } from '../common/batch.rules.ts';
import { recordCarrierEstimates } from '../tracking/estimates/estimates.service.ts';
import type { TrackingEventInput } from '../tracking/events.input.ts';
import { recordTrackingEvents } from '../tracking/events.service.ts';
import { recordRelated } from '../tracking/related-shipments.service.ts';
import type { StatusCode } from '../tracking/status.rules.ts';
import type { Announcer } from '../tracking/tracking.announcements.ts';
import type { AccountLoads } from './account-load.service.ts';
import type { PollJob } from './poll.queues.ts';
import {
  type LeasedShipment,
  leasedShipments,
  recordedUntimed,
  type SettledPoll,
  settlePolls,
} from './poll.repository.ts';
import { nextPollMs, outcomeOf } from './poll.rules.ts';
import { byTheirTimes, notRecorded, type UntimedEvent } from './unusable-times.rules.ts';

/** What it takes to ask a carrier and to record what it says. */
export interface AskTools {
  readonly carriers: CarrierPort;
  readonly accounts: Accounts;
  readonly announcer: Announcer;
  readonly caps: Pick<Caps, 'shipmentEvents'>;
  readonly log: Log;
}

export interface PollTools extends AskTools {
  readonly loads: AccountLoads;
}

/** A job that comes to its turn with less than that left could still be at it when its shipments are leased to others. */
const SPARE_MS = 5 * 60_000;

/** A shipment with what its carrier answered. */
export interface Answered {
  readonly shipment: LeasedShipment;
  readonly finding: TrackingFinding;
  readonly answer: Buffer | null;
}

/**
 * Asks a carrier about the shipments of a job, records what it says that it did not say the last time, and settles when
 * each is due next. What a worker records and does not live to settle is asked again, and its events are stored already.
 */
export async function pollShipments(tenant: Tenant, job: PollJob, tools: PollTools): Promise<void> {
  const { carrierCompanyId, shipmentIds, leasedUntil } = job;
  if (Date.parse(leasedUntil) - Date.now() < SPARE_MS) return;
  const connection = await tools.accounts.of(tenant, carrierCompanyId, 'tracking_poll');
  if (!connection || connection.lacks === 'activity') {
    const gone = shipmentIds.map(shipmentId => ({ shipmentId, dueInMs: null, misses: 0, outcome: null, answer: null }));
    return settlePolls(tenant, gone, leasedUntil);
  }
  const shipments = await leasedShipments(tenant, shipmentIds, leasedUntil);
  if (shipments.length === 0) return;
  const answered = await askAbout(connection, shipments, tools);
  await judge(tenant, connection, answered, tools);
  const news = answered.filter(isNews);
  await record(tenant, carrierCompanyId, news, tools);
  // As they are now; those that have ended are polled no more, and have nothing to be settled.
  const recorded = news.map(({ shipment }) => shipment.shipmentId);
  const after = recorded.length === 0 ? [] : await leasedShipments(tenant, recorded, leasedUntil);
  const statuses = new Map(after.map(({ shipmentId, statusCode }) => [shipmentId, statusCode]));
  const { account, environment } = connection;
  const pace = account ? tools.carriers.numbersPerMinute(account) : Number.POSITIVE_INFINITY;
  const stretch = await tools.loads.stretch(tenant, carrierCompanyId, pace);
  const settled = answered.map(one => {
    const statusCode = statuses.get(one.shipment.shipmentId) ?? one.shipment.statusCode;
    return settledPoll(one, statusCode, environment, stretch);
  });
  await settlePolls(tenant, settled, leasedUntil);

  const about = { companyId: tenant.companyId, carrierCompanyId, carrierCode: connection.carrier.code };
  const rejected = answered.filter(({ finding }) => finding.kind === 'refused').length;
  if (rejected > 0) tools.log.info({ ...about, rejected }, 'carrier rejects the credentials of a connection');
  tools.log.debug({ ...about, polled: answered.length, news: news.length }, 'shipments polled');
}

/** Credentials that can't be opened are like ones that the carrier rejects: they may be right again. */
export async function askAbout(
  { account }: ConnectionAccount,
  shipments: readonly LeasedShipment[],
  { carriers }: Pick<AskTools, 'carriers'>,
): Promise<Answered[]> {
  const numbers = shipments.map(shipment => shipment.trackingKey);
  const findings: readonly TrackingFinding[] = account
    ? await carriers.track(account, numbers)
    : numbers.map(() => ({ kind: 'refused' }));
  return shipments.flatMap((shipment, i) => answeredOf(shipment, findings[i]));
}

/** Notes whether the carrier takes the credentials of the connection. */
export function judge(
  tenant: Tenant,
  connection: ConnectionAccount,
  answered: readonly Answered[],
  { announcer }: Pick<AskTools, 'announcer'>,
): Promise<void> {
  return judgeCredentials(
    tenant,
    connection,
    answered.map(({ finding }) => finding.kind),
    announcer,
  );
}

function answeredOf(shipment: LeasedShipment, finding: TrackingFinding | undefined): Answered[] {
  if (finding === undefined) return [];
  return [{ shipment, finding, answer: finding.kind === 'events' ? digest(finding) : shipment.answer }];
}

/** An answer without an estimate has the digest that it had before there were any, so that it is no news again. */
function digest({ events, related, estimate }: Extract<TrackingFinding, { kind: 'events' }>): Buffer {
  const answer = estimate === null ? [events, related] : [events, related, estimate];
  return createHash('sha256').update(JSON.stringify(answer)).digest();
}

type News = Answered & { readonly finding: Extract<TrackingFinding, { kind: 'events' }> };

/** Whether the carrier knows the shipment. */
export function isKnown(answered: Answered): answered is News {
  return answered.finding.kind === 'events';
}

/** Whether the carrier says something else than the last time. */
function isNews(answered: Answered): answered is News {
  const { shipment, answer } = answered;
  return isKnown(answered) && !(shipment.answer && answer?.equals(shipment.answer));
}

/** Records what a carrier says of shipments. */
export async function record(
  tenant: Tenant,
  carrierCompanyId: number,
  news: readonly News[],
  tools: AskTools,
): Promise<void> {
  // First, as the estimates below, since what subscribers receive shows them.
  const related = news.flatMap(({ shipment: { shipmentId }, finding }) =>
    finding.related.map(one => ({ shipmentId, ...one })),
  );
  if (related.length > 0) await recordRelated(tenant, related);
  const estimates = news.flatMap(({ shipment: { shipmentId }, finding: { estimate } }) =>
    estimate === null ? [] : [{ shipmentId, estimate }],
  );
  if (estimates.length > 0) await recordCarrierEstimates(tenant, estimates, tools.log);
  const receivedAt = new Date();
  const answers = news.map(({ shipment, finding }) => ({ shipment, ...byTheirTimes(finding.events, receivedAt) }));
  const untimedOf = await newUntimed(tenant, answers);
  const untimed = [...untimedOf.values()].reduce((sum, events) => sum + events.length, 0);
  if (untimed > 0) {
    const about = { companyId: tenant.companyId, carrierCompanyId };
    tools.log.warn({ ...about, events: untimed }, 'carrier events recorded without their time');
  }
  const events = answers.map(({ shipment: { shipmentId, trackingKey: trackingNumber }, timed }) =>
    [...timed, ...(untimedOf.get(shipmentId) ?? [])].map(
      ({ carrierTime: _, ...event }: CarrierEvent & Partial<UntimedEvent>): TrackingEventInput => ({
        ...event,
        trackingNumber,
        carrierCompanyId,
      }),
    ),
  );
  for (const batch of batches(events)) {
    await recordTrackingEvents(tenant, batch, tools.announcer, tools.caps, tools.log);
  }
}

/** The events whose time cannot be used, of those shipments that have any which are not recorded yet. */
async function newUntimed(
  tenant: Tenant,
  answers: readonly { readonly shipment: LeasedShipment; readonly untimed: readonly UntimedEvent[] }[],
): Promise<ReadonlyMap<number, readonly UntimedEvent[]>> {
  const concerned = answers.filter(({ untimed }) => untimed.length > 0);
  if (concerned.length === 0) return new Map();
  const recorded = await recordedUntimed(
    tenant,
    concerned.map(({ shipment }) => shipment.shipmentId),
  );
  const recordedOf = Map.groupBy(recorded, ({ shipmentId }) => shipmentId);
  return new Map(
    concerned.map(({ shipment: { shipmentId }, untimed }) => [
      shipmentId,
      notRecorded(untimed, recordedOf.get(shipmentId) ?? []),
    ]),
  );
}

/** @param statusCode after what was recorded */
export function settledPoll(
  { shipment, finding, answer }: Answered,
  statusCode: StatusCode,
  environment: CarrierEnvironment,
  stretch: number,
): SettledPoll {
  const { shipmentId, ageMs } = shipment;
  const isAnswer = finding.kind === 'events' || finding.kind === 'not_found';
  const misses = isAnswer ? 0 : shipment.misses + (finding.kind === 'not_asked' ? 0 : 1);
  const dueInMs = nextPollMs(
    {
      statusCode,
      ageMs,
      isSandbox: environment === 'sandbox',
      stretch,
      noAnswer: isAnswer ? null : finding.kind,
      misses,
      askedMs: isAnswer ? undefined : finding.retryAfterMs,
    },
    Math.random(),
  );
  return { shipmentId, dueInMs, misses, outcome: outcomeOf(finding.kind), answer };
}

/** Batches for `recordTrackingEvents`, with a shipment's events in one unless they are more than one may have. */
function batches(shipments: readonly (readonly TrackingEventInput[])[]): TrackingEventInput[][] {
  const made: TrackingEventInput[][] = [];
  for (const events of shipments) {
    const last = made.at(-1);
    if (last && last.length + events.length <= MAX_BATCH) last.push(...events);
    else for (let at = 0; at < events.length; at += MAX_BATCH) made.push(events.slice(at, at + MAX_BATCH));
  }
  return made;
}
