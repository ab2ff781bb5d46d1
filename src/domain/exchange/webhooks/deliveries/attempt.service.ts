import type { KeyObject } from 'node:crypto';
import type { Database } from '../../../../platform/database/database.ts';
import type { LeasedJob } from '../../../../platform/jobs/queues.ts';
import { ownTurn } from '../../../../platform/limits/turns.ts';
import type { Outbound, OutboundRequest, PostResult } from '../../../../platform/outbound/outbound.ts';
import { SERVICE_VERSION } from '../../../../platform/service-version.ts';
import { type Tracing, traced } from '../../../../platform/telemetry/tracing.ts';
import { holdsBack } from '../endpoints/endpoint.rules.ts';
import { signature } from '../secrets/secret.rules.ts';
import type { SigningKeys } from '../secrets/webhook-secrets.service.ts';
import type { DeliveryJob } from '../webhooks.queues.ts';
import { type DueDelivery, dueDeliveries, type Target, targets } from './attempt.repository.ts';
import type { DeliveryUpdate } from './attempt-results.repository.ts';
import type { Finding } from './breaker.rules.ts';
import { type RenderTools, renderedBody } from './rendered-body.service.ts';
import { judge, waitingStatus } from './verdict.rules.ts';

/** The wait after an unreadable secret, or while the database is down. It costs the delivery no attempt. */
const UNREADABLE_MS = 60_000;

/** A longer body takes some tenths of a millisecond to sign and send. */
const LONG_BODY = 20_000;

const USER_AGENT = `Shipping-Integrations-API/${SERVICE_VERSION} (webhooks)`;

export interface AttemptTools extends RenderTools {
  readonly outbound: Outbound;
  readonly keys: SigningKeys;
  readonly tracing: Tracing | undefined;
}

/** The input of an attempt; undefined if the delivery or its endpoint is gone. */
export interface Prepared {
  readonly due: DueDelivery | undefined;
  readonly target: Target | undefined;
}

export interface AttemptResult {
  /** The new state of the delivery; null if the job is outdated. */
  readonly row: DeliveryUpdate | null;
  readonly finding: Finding | null;
  /** Whether the endpoint's health must be calculated: it has failures, or a new one. */
  readonly affectsHealth: boolean;
}

/** Reads the deliveries of jobs and their endpoints in batches; one for each job, in their order. */
export async function prepareAttempts(database: Database, jobs: readonly DeliveryJob[]): Promise<Prepared[]> {
  const [due, known] = await Promise.all([dueDeliveries(database, jobs), targets(database, jobs)]);
  return jobs.map(({ endpointId }, i) => ({ due: due[i], target: known.get(endpointId) }));
}

/** The jobs in hand of paused or disabled endpoints, in case the notification was lost. */
export async function jobsOfStopped(
  database: Database,
  leased: readonly LeasedJob<DeliveryJob>[],
): Promise<ReadonlySet<LeasedJob<DeliveryJob>>> {
  const known = await targets(
    database,
    leased.map(({ data }) => data),
  );
  return new Set(
    leased.filter(({ data }) => {
      const state = known.get(data.endpointId)?.state;
      return state === 'disabled' || state === 'paused';
    }),
  );
}

/** Makes the attempt of a job, unless the delivery or its endpoint no longer needs it. */
export async function attempt(
  tools: AttemptTools,
  job: DeliveryJob,
  { due, target }: Prepared,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { companyId, deliveryId, ticket, isProbe = false } = job;
  const isMeant = due !== undefined && due.ticket === ticket && !due.isHeldBack;
  if (!isMeant || due.status === 'success' || due.status === 'cancelled' || target === undefined) {
    return { row: null, finding: null, affectsHealth: false };
  }
  // A failed delivery with a new job was redriven, and starts again.
  const tries = due.status === 'failed' ? 0 : due.tries;
  const status = waitingStatus(tries);
  const row: DeliveryUpdate = {
    companyId,
    deliveryId,
    ticket,
    tries,
    status,
    nextAt: new Date(),
    isHeldBack: false,
    attempt: null,
  };
  const untried = (change: Partial<DeliveryUpdate>) => ({
    row: { ...row, ...change },
    finding: null,
    affectsHealth: false,
  });
  if (target.state === 'disabled') return untried({ status: 'cancelled', nextAt: null });
  const isProbing = isProbe && target.state === 'backing_off';
  if (holdsBack(target.state) && !isProbing) return untried({ isHeldBack: true });
  const keys = open(tools, companyId, target);
  if (keys === undefined) return untried({ nextAt: new Date(Date.now() + UNREADABLE_MS) });

  const body = await bodyFor(tools, job, due, target);
  if (body === undefined) return untried({ nextAt: new Date(Date.now() + UNREADABLE_MS) });
  // Dozens of jobs start at once: signing and sending long bodies together would block the event loop.
  if (body.length > LONG_BODY) await ownTurn(companyId);
  const startedAt = new Date();
  const result = await post(
    tools,
    target,
    due.eventId,
    signedRequest({ ...due, body }, target, keys, startedAt, signal),
  );
  const { finding, outcome, ...verdict } = judge(result, tries, isProbe, new Date(), Math.random());
  const { durationMs } = result;
  tools.metrics.webhookAttempts.observe({ outcome }, durationMs / 1000);
  const [httpStatus, answer] = result.outcome === 'answered' ? [result.status, result.body] : [null, null];
  return {
    row: { ...row, ...verdict, attempt: { startedAt, durationMs, outcome, httpStatus, answer } },
    finding,
    affectsHealth: target.hasFailures || finding?.result !== 'success',
  };
}

/** The body to post; undefined if it cannot be rendered now, which costs the delivery no attempt. */
async function bodyFor(
  tools: AttemptTools,
  job: DeliveryJob,
  due: DueDelivery,
  { selection, ...target }: Target,
): Promise<string | undefined> {
  if (selection === null || !due.isToRender) return due.body;
  try {
    return await renderedBody(tools, job, due, { ...target, selection });
  } catch (error) {
    const { companyId, endpointId } = job;
    tools.log.error(
      { companyId, endpointId, reason: (error as Error).message },
      'webhook selection cannot be rendered now',
    );
    return undefined;
  }
}

function signedRequest(
  { eventId, number, body }: DueDelivery,
  { endpointId }: Target,
  keys: readonly KeyObject[],
  at: Date,
  signal: AbortSignal,
): Omit<OutboundRequest, 'method'> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature(keys, eventId, timestamp, body),
    ...(number !== null && { 'webhook-delivery-number': String(number) }),
  };
  // A separate pool, because endpoints of many companies may share one host.
  return { headers, body, pool: endpointId, signal };
}

function post(
  { tracing, outbound }: AttemptTools,
  { url, endpointId }: Target,
  eventId: string,
  request: Omit<OutboundRequest, 'method'>,
): Promise<PostResult> {
  const attributes = { 'webhook.endpoint.id': endpointId, 'webhook.event.id': eventId };
  return traced(tracing, 'webhook attempt', { kind: 'client', attributes }, async span => {
    const result = await outbound.post(url, request);
    span?.add({ 'webhook.outcome': result.outcome });
    if (result.outcome === 'answered') span?.add({ 'http.response.status_code': result.status });
    else span?.fail(result.outcome);
    return result;
  });
}

function open({ keys, log }: AttemptTools, companyId: string, { endpointId, boxes }: Target): KeyObject[] | undefined {
  try {
    return keys.of(companyId, endpointId, boxes);
  } catch (error) {
    log.error({ companyId, endpointId, reason: (error as Error).message }, 'webhook secret cannot be opened');
    return undefined;
  }
}
