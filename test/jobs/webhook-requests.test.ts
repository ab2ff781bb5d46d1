import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { connectCarrier, feedEvents, feedShipments } from '../support/platform-side.ts';
import type { Received } from '../support/receiver.ts';
import { DAY, HOUR, passTime } from '../support/time.ts';
import type { Caller } from '../support/world.ts';
import { useWebhookReceivers } from './webhook-receivers.ts';
import { deliveries, once, rotateSecret, sendTest } from './webhooks.ts';

const given = useWebhookReceivers();
const { world, receive, open, closers } = given;

const AT = '2026-11-20T10:00:00Z';

/** Throws where the request is not signed with the secret, for a library that is not ours. */
const VERIFIERS = {
  standardwebhooks: (secret: string, { body, headers }: Received) =>
    new StandardWebhook(secret).verify(body, headers as Record<string, string>),
  svix: (secret: string, { body, headers }: Received) =>
    new SvixWebhook(secret).verify(body, headers as Record<string, string>),
};

/** Which of the secrets a request is signed with, as both libraries say. */
function signers(request: Received, ...secrets: string[]): boolean[] {
  const [mine, theirs] = Object.values(VERIFIERS).map(verify =>
    secrets.map(secret => {
      try {
        verify(secret, request);
        return true;
      } catch {
        return false;
      }
    }),
  );
  expect(mine).toEqual(theirs);
  return mine ?? [];
}

describe('A webhook request', () => {
  test('has a signature that published libraries verify, with both secrets after a rotation and with only the new one a day later', async () => {
    const caller = await world.company();
    const receiver = await receive();
    const { id, secret: first } = await open(caller, receiver.url);
    const signedBy = async (...secrets: string[]) => {
      const { eventId } = await sendTest(caller, id);
      const [request] = await receiver.waitFor(1, ({ json }) => json.id === eventId);
      return request ? signers(request, ...secrets) : [];
    };
    expect(await signedBy(first)).toEqual([true]);
    const { secret: second } = await rotateSecret(caller, id);
    expect(await signedBy(first, second)).toEqual([true, true]);
    await passTime(world.pool, DAY - HOUR);
    const { secret: third } = await rotateSecret(caller, id);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await signedBy(first, second, third)).toEqual([true, true, true]);
    await passTime(world.pool, 2 * HOUR);
    expect(await signedBy(first, second, third)).toEqual([false, true, true]);
    await passTime(world.pool, DAY);
    expect(await signedBy(first, second, third)).toEqual([false, false, true]);
  });

  test('has the id of its event on every attempt, with a new timestamp and signature', async () => {
    const caller = await world.company();
    const receiver = await receive((_, n) => ({ status: n < 3 ? 500 : 204 }));
    const { id, secret } = await open(caller, `${receiver.url}/hooks/%C3%A8?key=a%20b&c`);
    const sent = await sendTest(caller, id);
    for (const attemptCount of [1, 2]) {
      await once(caller, sent.id, { attemptCount });
      const second = Math.floor(Date.now() / 1_000);
      await vi.waitUntil(() => Math.floor(Date.now() / 1_000) > second, { timeout: 3_000 });
      await passTime(world.pool, HOUR);
    }
    const { body } = await once(caller, sent.id, { status: 'success', attemptCount: 3 });
    expect(receiver.requests).toHaveLength(3);
    for (const request of receiver.requests) {
      expect(request).toMatchObject({ method: 'POST', path: '/hooks/%C3%A8?key=a%20b&c' });
      expect(request.headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `Shipping-Integrations-API/${packageJson.version} (webhooks)`,
        'webhook-id': sent.eventId,
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      });
      expect(Math.abs(Number(request.headers['webhook-timestamp']) * 1_000 - request.at)).toBeLessThan(2_000);
      expect(signers(request, secret)).toEqual([true]);
      expect(request.body.equals(Buffer.from(body))).toBe(true);
      expect(request.json).toMatchObject({ id: sent.eventId, type: sent.eventType, sequence: 0 });
    }
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
  });

  /** Texts as they are sent in and as they are stored: on one line, composed, without invisible characters. */
  const TEXTS: readonly (readonly [sent: string, kept: string])[] = [
    ['line\u2028and paragraph\u2029separators', 'line and paragraph separators'],
    ['emoji 📦🚚 and a family 👨\u200d👩\u200d👧', 'emoji 📦🚚 and a family 👨👩👧'],
    ['beyond the BMP: 𠮷野家, 𝒜, \u{10ffff}', 'beyond the BMP: 𠮷野家, 𝒜, \u{10ffff}'],
    ['è composed, e\u0300 not', 'è composed, è not'],
    ['"quotes" \\ and </script> & \ufeff\ufffd', '"quotes" \\ and </script> & \ufffd'],
    ['right \u202e to left', 'right \u202e to left'],
  ];

  test.each(TEXTS)('equals the stored and the signed bytes: %j', async (text, kept) => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    const receiver = await receive();
    const { id, secret } = await open(caller, receiver.url);
    const recipient = { companyName: text, address: text, postalCode: '20121', city: text };
    await feedShipments(caller, brt, { trackingNumber: 'u1', recipient });
    const event = { description: text, location: text, note: text };
    await feedEvents(caller, { trackingNumber: 'u1', occurredAt: AT, statusCode: 'shipped', ...event });
    const request = await receiver.next();
    const [stored] = await deliveries(caller, id);
    const { rows } = await world.pool.query<{ bytes: Buffer }>(
      `select convert_to(body, 'UTF8') as bytes from webhook_event where id = $1`,
      [stored?.eventId],
    );
    expect(request.body.equals(rows[0]?.bytes ?? Buffer.of())).toBe(true);
    expect(request.body.equals(Buffer.from(stored?.body ?? ''))).toBe(true);
    expect(signers(request, secret)).toEqual([true]);
    const shown = { description: kept, location: kept, note: kept };
    const place = { companyName: kept, city: kept };
    expect(request.json.data).toMatchObject({ recipient: place, timeline: [shown], event: shown });
  });
});

describe('A transaction', () => {
  /** How many events, deliveries and jobs there are for a company. */
  async function traces({ companyId }: Caller) {
    const { rows } = await world.pool.query(
      `select (select count(*)::integer from tracking_event where company_id = $1) as told,
          (select coalesce(sum(event_sequence), 0)::integer from shipment where company_id = $1) as sequences,
          (select count(*)::integer from webhook_event where company_id = $1) as events,
          (select count(*)::integer from webhook_delivery where company_id = $1) as deliveries,
          (select count(*)::integer from pgboss.job where name = 'webhooks.deliver' and data ->> 'companyId' = $1::text) as jobs`,
      [companyId],
    );
    return rows[0];
  }

  test('that fails at commit leaves no event, delivery or job, and one that is committed leaves all of them', async () => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    const receiver = await receive();
    const { id } = await open(caller, receiver.url);
    await open(caller, `${receiver.url}/other`, ['tracking.order_shipped', 'tracking.order_shipped']);
    await open(caller, `${receiver.url}/none`, ['tracking.delivered']);
    await feedShipments(caller, brt, { trackingNumber: 't1' }, { trackingNumber: 't2' });
    await world.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused at commit'; end $$;
      create constraint trigger refuse after insert on webhook_delivery deferrable initially deferred
        for each row execute function refuse()`);
    closers.push(() => world.pool.query('drop function if exists refuse cascade'));
    const shipped = ['t1', 't2'].map(trackingNumber => ({ trackingNumber, occurredAt: AT, statusCode: 'shipped' }));
    const record = () =>
      caller.graphql(
        'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { created userErrors { code pointer message } } }',
        {
          input: shipped,
        },
      );
    expect((await record()).errors?.[0]?.extensions.code).toBe('internal_error');
    expect(await traces(caller)).toEqual({ told: 0, sequences: 0, events: 0, deliveries: 0, jobs: 0 });
    expect(receiver.requests).toEqual([]);

    await world.pool.query('drop function refuse cascade');
    expect((await record()).data).toEqual({ recordTrackingEvents: { created: 2, userErrors: [] } });
    expect(await traces(caller)).toEqual({ told: 2, sequences: 2, events: 2, deliveries: 4, jobs: 4 });
    await receiver.waitFor(4);
    expect(
      receiver.requests.map(({ path, json }) => `${path} ${json.data.trackingNumber} ${json.sequence}`).toSorted(),
    ).toEqual(['/ t1 1', '/ t2 1', '/other t1 1', '/other t2 1']);
    expect((await deliveries(caller, id)).map(({ sequence }) => sequence)).toEqual([1, 1]);
  });
});
