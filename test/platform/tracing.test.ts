import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { Log } from '../../src/platform/telemetry/log.ts';
import { startTracing } from '../../src/platform/telemetry/tracing-otlp.ts';
import { askedAt, useLoggedApp, useSandbox } from '../support/carriers.ts';
import { REACHABLE, type Receiver, useReceiver } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { type Busy, beBusy, pollNow } from './busy.ts';

const collector = useReceiver();
const receiver = useReceiver();
const sandbox = useSandbox();
const collectedAt = (collector: Receiver) => ({
  get OTEL_EXPORTER_OTLP_ENDPOINT() {
    return `${collector.url}/`;
  },
});
/** Properties stay as they are, read once the servers are up. */
const both = <One extends object, Other extends object>(one: One, other: Other): One & Other =>
  Object.defineProperties(one, Object.getOwnPropertyDescriptors(other)) as One & Other;

const world = useWorld(both({ ROLE: 'api', ...REACHABLE }, askedAt(sandbox)));
const traced = useLoggedApp(world, both(both({ ROLE: 'all', ...REACHABLE }, askedAt(sandbox)), collectedAt(collector)));

const untraced = useLoggedApp(world, { ROLE: 'api' });

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { code?: number };
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const PATH = '/api/v1/integrations/shipments/tracking/by-tracking-number/{trackingNumber}';
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

let caller: Caller;
let busy: Busy;
let spans: Span[] = [];

const attributeOf = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};
const childrenOf = (span: Span | undefined) => spans.filter(({ parentSpanId }) => parentSpanId === span?.spanId);

beforeAll(async () => {
  caller = traced.as(await world.sandbox());
  busy = await beBusy(caller, receiver);
  const number = `/shipments/tracking/by-tracking-number/${busy.trackingNumber}`;
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'request-7' };
  await caller.rest('GET', number, undefined, headers);
  await caller.rest('GET', number, undefined, { traceparent: `00-${'0'.repeat(32)}-garbled`, 'x-request-id': 'r-8' });
  await pollNow(world, caller);
  // Spans that are not sent yet go out when it stops.
  await traced.app.stop();
  const bodies = collector.requests.map(({ json }) => json);
  spans = bodies.flatMap(body =>
    body.resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
      resource.scopeSpans.flatMap(scope => scope.spans),
    ),
  );
});

describe('A request', () => {
  const request = () => spans.find(span => span.traceId === TRACE && span.kind === SERVER);

  test('is a span under the caller’s own, with route and status', () => {
    const span = request() as Span;
    expect([span.name, span.parentSpanId]).toEqual([`GET ${PATH}`, PARENT]);
    expect(attributeOf(span, 'http.route')).toBe(PATH);
    expect(attributeOf(span, 'http.response.status_code')).toBe(200);
    expect(attributeOf(span, 'request.id')).toBe('request-7');
  });

  test('has its statements under it, with their names alone', () => {
    const children = childrenOf(request());
    expect(children.length).toBeGreaterThan(0);
    for (const span of children) {
      expect([span.kind, span.traceId]).toEqual([CLIENT, TRACE]);
      expect(span.name).toMatch(/^[a-z-]+$/);
      expect(span.attributes.map(({ key }) => key)).toEqual(['db.system.name']);
    }
  });

  test('with a malformed traceparent begins a trace of its own', () => {
    const span = spans.find(one => attributeOf(one, 'request.id') === 'r-8');
    expect(span?.parentSpanId ?? '').toBe('');
    expect(span?.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
  });

  test('that is rejected does not count as a failure', () => {
    const refused = spans.filter(
      one => one.kind === SERVER && Number(attributeOf(one, 'http.response.status_code')) >= 400,
    );
    expect(refused.length).toBeGreaterThan(2);
    for (const { status } of refused) expect(status.code ?? 0).toBe(0);
  });
});

describe('Log lines', () => {
  type Line = Readonly<Record<'msg' | 'requestId' | 'traceId' | 'queue', string | undefined>>;
  const linesOf = (log: string): Line[] =>
    log
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  const traces = new Map([
    [`00-${TRACE}-${PARENT}-01`, TRACE],
    [`00-${'0'.repeat(32)}-${PARENT}-01`, undefined],
    ['', undefined],
  ]);

  test('of requests, of calls to carriers and of jobs have the id of their trace', () => {
    const lines = linesOf(traced.log());
    expect(lines.find(({ requestId }) => requestId === 'request-7')?.traceId).toBe(TRACE);
    const begun = spans.find(one => attributeOf(one, 'request.id') === 'r-8');
    expect(lines.find(({ requestId }) => requestId === 'r-8')?.traceId).toBe(begun?.traceId);
    for (const [msg, name] of [
      ['carrier asked', 'job tracking.poll'],
      ['job done', 'job tracking.poll'],
    ] as const) {
      const known = new Set(spans.filter(span => span.name.startsWith(name)).map(({ traceId }) => traceId));
      const ids = lines.filter(line => line.msg === msg).map(({ traceId }) => traceId ?? 'none');
      expect(
        ids.some(id => known.has(id)),
        `${msg} of ${ids}`,
      ).toBe(true);
    }
  });

  test.each([...traces])(
    'of a request with the traceparent "%s" have the trace %s while tracing is off',
    async (traceparent, trace) => {
      const { rest } = untraced.as(caller);
      const requestId = `untraced-${trace}-${traceparent.length}`;
      const headers = { 'x-request-id': requestId, ...(traceparent && { traceparent }) };
      expect((await rest('GET', '/health', undefined, headers)).status).toBe(200);
      const line = linesOf(untraced.log()).find(one => one.requestId === requestId);
      expect([line?.msg, line?.traceId]).toEqual(['request', trace]);
    },
  );
});

test('The requests to a carrier are spans under the request or the job that causes them', () => {
  const asked = spans.filter(({ name }) => name.startsWith('carrier GLS'));
  const parents = new Set(asked.map(span => spans.find(({ spanId }) => spanId === span.parentSpanId)?.name));
  expect(parents).toEqual(new Set(['POST /api/v1/integrations/addresses/check-address', 'job tracking.poll']));
  const outcomes = new Set(asked.map(span => attributeOf(span, 'carrier.outcome')));
  expect(outcomes).toEqual(new Set(['200', '503']));
});

test('Attempts of webhooks and jobs are traces of their own', () => {
  const attempts = spans.filter(({ name }) => name === 'webhook attempt');
  const statuses = new Set(attempts.map(span => attributeOf(span, 'http.response.status_code')));
  expect(statuses).toEqual(new Set([200, 500]));
  for (const { parentSpanId } of attempts) expect(parentSpanId ?? '').toBe('');
  const jobs = spans.filter(({ kind }) => kind === CONSUMER);
  expect(new Set(jobs.map(({ name }) => name))).toContain('job tracking.poll');
});

test('Exported traces hold no secret, no recipient and no address', () => {
  const sent = collector.requests.map(({ body }) => body.toString()).join('\n');
  expect(sent).toContain('"service.name"');
  expect(sent).toContain('shipping-integrations-api');
  expect(sent).toContain(`{"key":"service.version","value":{"stringValue":"${packageJson.version}"}}`);
  for (const hidden of busy.hidden) expect(sent).not.toContain(hidden);
  expect(sent).not.toContain(receiver.url);
  expect(sent).not.toContain(sandbox.url);
});

test('A collector that rejects spans is logged once, and delays nothing', async () => {
  const lines: object[] = [];
  const log = { warn: (line: object) => void lines.push(line) } as unknown as Log;
  collector.answer({ status: 500, body: 'no' });
  const tracing = startTracing(collector.url, log);
  tracing.start('one', { kind: 'server', attributes: {} }).end();
  await tracing.stop();
  expect(lines.length).toBe(1);
  expect(traced.log()).not.toContain('traces are not taken');
});
