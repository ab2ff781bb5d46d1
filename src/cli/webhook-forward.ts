import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import type { StatusCode } from '../domain/tracking/status.rules.ts';
import { EVERY_EVENT, eventOfStatus, SUBSCRIPTIONS } from '../domain/webhooks/events/event.rules.ts';
import { makeSecret, signature, signingKey } from '../domain/webhooks/secrets/secret.rules.ts';
import { StartupError } from '../platform/startup-error.ts';
import { stopCalled, wantsJson, words } from './options.ts';

/**
 * Posts webhooks to a receiver that the service cannot reach, such as one on a developer's machine: it follows the
 * changes of shipments by a stream, and makes and signs the webhook that the service would send.
 */

export interface ForwardOptions {
  readonly key: string;
  readonly url: string;
  readonly events: string;
  readonly forward: string;
}

const ANSWER_WITHIN_MS = 15_000;
const RETRY_MS = 1_000;

const LOG = '{ changeLog { cursor } }';
const CHANGES = `subscription ($after: String) {
  changes(after: $after, filter: { kinds: [STATUS] }) {
    nodes {
      number recordedAt shipment { trackingNumber }
      ... on ShipmentStatusChanged { statusCode previousStatusCode event { occurredAt } }
    }
    cursor hasGap
  }
}`;

const code = z.string().transform(name => name.toLowerCase() as StatusCode);
const Change = z.object({
  number: z.number(),
  recordedAt: z.string(),
  shipment: z.object({ trackingNumber: z.string() }).nullable(),
  statusCode: code,
  previousStatusCode: code,
  event: z.object({ occurredAt: z.string() }).nullable(),
});
type Change = z.infer<typeof Change>;

const Result = z.object({
  data: z
    .object({
      changes: z.object({ nodes: z.array(Change), cursor: z.string(), hasGap: z.boolean() }).optional(),
      changeLog: z.object({ cursor: z.string() }).optional(),
    })
    .nullish(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ status: z.number() }).optional() }))
    .default([]),
});

const TrackingRecord = z.looseObject({
  status: z.string(),
  timeline: z.array(z.looseObject({ timestamp: z.string(), statusCode: z.string() })),
});

/** Forwards until it is stopped, and survives an outage of the service. */
export async function forwardWebhooks(options: ForwardOptions, command: Command): Promise<void> {
  if (!words(options.events).every(event => SUBSCRIPTIONS.includes(event))) {
    throw new InvalidArgumentError(`--events must be a comma-separated list of ${SUBSCRIPTIONS.join(', ')}.`);
  }
  const asJson = wantsJson(command);
  const over = new AbortController();
  void stopCalled().then(() => over.abort());
  const secret = makeSecret();
  const { value: log } = await resultsOf(options, { query: LOG }, over.signal).next();
  let after = log?.data?.changeLog?.cursor;
  if (after === undefined) throw new StartupError(`${options.url} is not a Shipping Integrations API: check --url.`);
  process.stdout.write(
    asJson
      ? `${JSON.stringify({ forward: options.forward, secret })}\n`
      : `Forwarding to ${options.forward} until Ctrl-C. Verify with the secret ${secret}\n\n`,
  );
  while (!over.signal.aborted) {
    try {
      for await (const { data } of resultsOf(options, { query: CHANGES, variables: { after } }, over.signal)) {
        if (!data?.changes) continue;
        if (data.changes.hasGap) throw new StartupError('Changes since the last one are no longer kept. Start again.');
        for (const change of data.changes.nodes) await forward(change, options, secret, asJson);
        after = data.changes.cursor;
      }
    } catch (error) {
      if (over.signal.aborted) return;
      if (!(error instanceof Away)) throw error;
    }
    await setTimeout(RETRY_MS, undefined, { signal: over.signal }).catch(() => undefined);
  }
}

/** The service cannot be reached, or has ended the stream. */
class Away extends StartupError {}

/** The results of an operation: one for a query, and one for each event of a subscription. */
async function* resultsOf({ url, key }: ForwardOptions, operation: object, signal: AbortSignal) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
    },
    body: JSON.stringify(operation),
    signal,
  }).catch((error: Error) => {
    const { code: reason } = (error.cause ?? {}) as NodeJS.ErrnoException;
    throw new Away(`The service at ${url} can't be reached (${reason ?? error.name}).`);
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield resultIn(await response.text(), url);
    return;
  }
  let rest = '';
  try {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + text).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const lines = event.split('\n');
        const data = lines.includes('event: next') && lines.find(line => line.startsWith('data: '))?.slice(6);
        if (data) yield resultIn(data, url);
      }
    }
  } catch (error) {
    throw error instanceof StartupError ? error : new Away(`The stream of ${url} was interrupted.`);
  }
}

/** @throws StartupError if the service rejected the operation */
function resultIn(text: string, url: string): z.infer<typeof Result> {
  const { data: result } = Result.safeParse(parsed(text));
  if (!result) throw new StartupError(`${url} did not return a result: check --url.`);
  const [error] = result.errors;
  if (!error) return result;
  const { status = 500 } = error.extensions ?? {};
  const message = `The service rejected the request: ${error.message}`;
  throw status >= 500 || status === 429 ? new Away(message) : new StartupError(message);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends the webhook of a change, if it is wanted, and prints the outcome. */
async function forward(change: Change, options: ForwardOptions, secret: string, asJson: boolean): Promise<void> {
  const type = eventOfStatus(change.statusCode);
  const wanted = words(options.events);
  if (type === null || !(wanted.includes(type) || wanted.includes(EVERY_EVENT)) || change.shipment === null) return;
  const { number, recordedAt, statusCode, previousStatusCode, event, shipment } = change;
  const record = await recordOf(shipment.trackingNumber, options);
  const entry =
    record.timeline.find(one => one.timestamp === event?.occurredAt && one.statusCode === statusCode) ?? null;
  const data = { ...record, statusCode, previousStatusCode, event: entry };
  const id = randomUUID();
  // The number of the change also increases within a shipment.
  const body = JSON.stringify({ id, type, timestamp: recordedAt, sequence: number, change: number, data });
  const result = await post(options.forward, id, body, secret);
  const about = { at: new Date().toISOString(), result, id, type, change: number, ...shipment };
  const line = [about.at, result, type, `#${number}`, shipment.trackingNumber].join('  ').replace(/\p{Cc}/gu, '?');
  process.stdout.write(`${asJson ? JSON.stringify(about) : line}\n`);
}

async function recordOf(trackingNumber: string, { url, key }: ForwardOptions): Promise<z.infer<typeof TrackingRecord>> {
  const path = `/api/v1/integrations/shipments/tracking/by-tracking-number/${encodeURIComponent(trackingNumber)}`;
  const answer = await fetch(url + path, { headers: { 'x-api-key': key } }).then(
    response => response.json() as unknown,
    () => undefined,
  );
  const { data: record } = TrackingRecord.safeParse(answer);
  if (!record) throw new Away(`The record of ${trackingNumber} could not be read.`);
  return record;
}

/** The status of the response, or the reason why there is none. */
async function post(url: string, id: string, body: string, secret: string): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature([signingKey(secret)], id, timestamp, body),
  };
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    const { code: reason } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    return reason ?? (error as Error).name;
  }
}
