import { createHash } from 'node:crypto';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { Caps } from '../../../platform/limits/caps.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import { MAX_BATCH } from '../../common/batch.rules.ts';
import type { Accounts, ConnectionAccount } from '../carriers/accounts.service.ts';
import type { CarrierEnvironment, CarrierEvent, CarrierPort, TrackingFinding } from '../carriers/carrier.port.ts';
import { judgeCredentials } from '../carriers/credentials.service.ts';
import { recordCarrierEstimates } from '../tracking/estimates/estimates.service.ts';
import type { TrackingEventInput } from '../tracking/events.input.ts';
import { recordTrackingEvents } from '../tracking/events.service.ts';
import { recordRelated } from '../tracking/related-shipments.service.ts';
import type { Announcer } from '../tracking/tracking.announcements.ts';
import type { AccountLoads } from './account-load.service.ts';
import { movedInTheirDays } from './day-events.rules.ts';
import type { PollJob } from './poll.queues.ts';
import {
  type CompletedPoll,
  completePolls,
  type LeasedShipment,
  leasedShipments,
  moveDayEvents,
  recordedUntimed,
  storedDayEvents,
} from './poll.repository.ts';
import { nextPollMs, outcomeOf } from './poll.rules.ts';
import { byTheirTimes, notRecorded, type UntimedEvent } from './unusable-times.rules.ts';

/** The tools to ask a carrier and to record the response. */
export interface AskTools {
  readonly carriers: CarrierPort;
  readonly accounts: Accounts;
  readonly announcer: Announcer;
  readonly caps: Pick<Caps, 'shipmentEvents'>;
  readonly log: Log;
}

interface PollTools extends AskTools {
  readonly loads: AccountLoads;
}

/** A job that starts with less time left could still run when its shipments are leased to others. */
const SPARE_MS = 5 * 60_000;

/** A shipment with its carrier's response. */
export interface Answered {
  readonly shipment: LeasedShipment;
  readonly finding: TrackingFinding;
  readonly answer: Buffer | null;
}

/**
 * Asks a carrier about the shipments of a job, records news since the last time, and sets when each is due next. If a
 * worker dies in between, its shipments are asked about again, and their recorded events are known.
 */
export async function pollShipments(tenant: Tenant, job: PollJob, tools: PollTools): Promise<void> {
  const { carrierCompanyId: carrierConnectionId, shipmentIds, leasedUntil } = job;
  if (Date.parse(leasedUntil) - Date.now() < SPARE_MS) return;
  const connection = await tools.accounts.of(tenant, carrierConnectionId, 'tracking', 'tracking_poll');
  if (!connection || connection.lacks === 'activity') {
    const gone = shipmentIds.map(shipmentId => ({ shipmentId, dueInMs: null, misses: 0, outcome: null, answer: null }));
    return completePolls(tenant, gone, leasedUntil);
  }
  const shipments = await leasedShipments(tenant, shipmentIds, leasedUntil);
  if (shipments.length === 0) return;
  const answered = await askAbout(connection, shipments, tools);
  await judge(tenant, connection, answered, tools);
  const news = answered.filter(isNews);
  await record(tenant, carrierConnectionId, news, tools);
  // Read after recording; shipments that have ended are no longer polled, and need no completion.
  const recorded = news.map(({ shipment }) => shipment.shipmentId);
  const after = recorded.length === 0 ? [] : await leasedShipments(tenant, recorded, leasedUntil);
  const statuses = new Map(after.map(shipment => [shipment.shipmentId, shipment]));
  const { account, environment } = connection;
  const pace = account ? tools.carriers.numbersPerMinute(account) : Number.POSITIVE_INFINITY;
  const intervalFactor = await tools.loads.intervalFactor(tenant, carrierConnectionId, pace);
  const completed = answered.map(one => {
    const now = statuses.get(one.shipment.shipmentId) ?? one.shipment;
    return completedPoll(one, now, environment, intervalFactor);
  });
  await completePolls(tenant, completed, leasedUntil);

  const about = { companyId: tenant.companyId, carrierConnectionId, carrierCode: connection.carrier.code };
  const rejected = answered.filter(({ finding }) => finding.kind === 'refused').length;
  if (rejected > 0) tools.log.info({ ...about, rejected }, 'carrier rejects the credentials of a connection');
  tools.log.debug({ ...about, polled: answered.length, news: news.length }, 'shipments polled');
}

/** Unreadable credentials are treated like rejected ones: they may become valid again. */
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

/** Records whether the carrier accepts the credentials of the connection. */
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

function digest({ events, related, estimate }: Extract<TrackingFinding, { kind: 'events' }>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([events, related, estimate]))
    .digest();
}

type News = Answered & { readonly finding: Extract<TrackingFinding, { kind: 'events' }> };

export function isKnown(answered: Answered): answered is News {
  return answered.finding.kind === 'events';
}

/** Whether the response differs from the last one. */
function isNews(answered: Answered): answered is News {
  const { shipment, answer } = answered;
  return isKnown(answered) && !(shipment.answer && answer?.equals(shipment.answer));
}

/** Records a carrier's responses about shipments. */
export async function record(
  tenant: Tenant,
  carrierConnectionId: number,
  news: readonly News[],
  tools: AskTools,
): Promise<void> {
  // Recorded before events, like the estimates below, because subscribers receive them together.
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
  await placeDayEvents(tenant, answers);
  const untimedOf = await newUntimed(tenant, answers);
  const untimed = [...untimedOf.values()].reduce((sum, events) => sum + events.length, 0);
  if (untimed > 0) {
    const about = { companyId: tenant.companyId, carrierConnectionId };
    tools.log.warn({ ...about, events: untimed }, 'carrier events recorded without their time');
  }
  const events = answers.map(({ shipment: { shipmentId, trackingKey: trackingNumber }, timed }) =>
    [...timed, ...(untimedOf.get(shipmentId) ?? [])].map(
      ({
        carrierTime: _,
        timestamp: occurredAt,
        ...event
      }: CarrierEvent & Partial<UntimedEvent>): TrackingEventInput => ({
        ...event,
        occurredAt,
        trackingNumber,
        carrierConnectionId,
      }),
    ),
  );
  for (const batch of batches(events)) {
    await recordTrackingEvents(tenant, batch, tools.announcer, tools.caps, tools.log);
  }
}

/** Moves stored events without a time to where their carrier's lists have them now. */
async function placeDayEvents(
  tenant: Tenant,
  answers: readonly { readonly shipment: LeasedShipment; readonly byDay: readonly CarrierEvent[] }[],
): Promise<void> {
  const concerned = answers.filter(({ byDay }) => byDay.length > 0);
  if (concerned.length === 0) return;
  const shipmentIds = concerned.map(({ shipment }) => shipment.shipmentId);
  const storedOf = Map.groupBy(await storedDayEvents(tenant, shipmentIds), ({ shipmentId }) => shipmentId);
  const moved = concerned.flatMap(({ shipment: { shipmentId }, byDay }) =>
    movedInTheirDays(byDay, storedOf.get(shipmentId) ?? []).map(event => ({ shipmentId, ...event })),
  );
  if (moved.length > 0) await moveDayEvents(tenant, moved);
}

/** The events without a usable time, of shipments for which some are not stored yet. */
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

/** @param now the status after the response was recorded */
export function completedPoll(
  { shipment, finding, answer }: Answered,
  { statusCode, statusAgeMs }: Pick<LeasedShipment, 'statusCode' | 'statusAgeMs'>,
  environment: CarrierEnvironment,
  intervalFactor: number,
): CompletedPoll {
  const { shipmentId, ageMs } = shipment;
  const isAnswer = finding.kind === 'events' || finding.kind === 'not_found';
  const misses = isAnswer ? 0 : shipment.misses + (finding.kind === 'not_asked' ? 0 : 1);
  const dueInMs = nextPollMs(
    {
      statusCode,
      ageMs,
      statusAgeMs,
      isSandbox: environment === 'sandbox',
      intervalFactor,
      noAnswer: isAnswer ? null : finding.kind,
      misses,
      askedMs: isAnswer ? undefined : finding.retryAfterMs,
    },
    Math.random(),
  );
  return { shipmentId, dueInMs, misses, outcome: outcomeOf(finding.kind), answer };
}

/** Batches for `recordTrackingEvents`, with a shipment's events in one unless they exceed its limit. */
function batches(shipments: readonly (readonly TrackingEventInput[])[]): TrackingEventInput[][] {
  const made: TrackingEventInput[][] = [];
  for (const events of shipments) {
    const last = made.at(-1);
    if (last && last.length + events.length <= MAX_BATCH) last.push(...events);
    else for (let at = 0; at < events.length; at += MAX_BATCH) made.push(events.slice(at, at + MAX_BATCH));
  }
  return made;
}
