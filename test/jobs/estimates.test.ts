import { afterAll, describe, expect, test } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { dhl } from '../../src/sandbox/dhl-stand-in.ts';
import { fedex } from '../../src/sandbox/fedex-stand-in.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import type { JourneyEstimate } from '../../src/sandbox/scenarios.ts';
import type { SandboxCarrier } from '../../src/sandbox/stand-in.ts';
import { startSandbox } from '../../src/sandbox/stand-ins.ts';
import { ups } from '../../src/sandbox/ups-stand-in.ts';
import { connectSandbox, useLoggedApp } from '../support/carriers.ts';
import { ask, feedShipments } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { DAY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';
import { createWebhook, deliveries } from './webhooks.ts';

/** Carriers' responses about numbers, in place of the sandbox's own estimate. */
const estimates = new Map<string, JourneyEstimate | null>();
/** A number with this in it has an estimate that can't be read. */
const GARBLED = 'GARBLED';

function scripted(carrier: SandboxCarrier): SandboxCarrier {
  return {
    ...carrier,
    answer(request) {
      const answer = carrier.answer({
        ...request,
        journey(number) {
          const journey = request.journey(number);
          const estimate = estimates.get(number);
          return journey.kind === 'events' && estimate !== undefined ? { ...journey, estimate } : journey;
        },
      });
      if (!request.path.includes(GARBLED)) return answer;
      return { ...answer, body: answer.body.toString().replace(/(?<=data_teorica_consegna":")[^"]*/, '99.99.9999') };
    },
  };
}

const sandbox = await startSandbox({ carriers: [gls, brt, dhl, ups, fedex].map(scripted) });
const ENV = { ...REACHABLE, CARRIER_SANDBOX_URL: sandbox.url };
const world = useWorld({ ...ENV, ROLE: 'api' });
// The one worker.
const logged = useLoggedApp(world, { ...ENV, ROLE: 'worker' });
afterAll(() => sandbox.close());
const { pollAfter } = usePolls(world);

/** Without letting time pass, which would move the dates. */
async function poll(caller: Caller): Promise<void> {
  await world.pool.query('update tracking_poll set due_at = now() where company_id = $1', [caller.companyId]);
  await pollAfter(caller, 0);
}

/** At noon in Italy, so many days from now. */
function noon(days: number): Date {
  const [today] = ROME.format(new Date()).split(' ');
  const day = new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
  // 10:00 UTC in summer, 11:00 UTC in winter.
  const times = ['10', '11'].map(hour => new Date(`${day}T${hour}:00:00Z`));
  return times.find(time => ROME.format(time).endsWith(' 12:00:00')) as Date;
}
const ROME = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Rome', dateStyle: 'short', timeStyle: 'medium' });
/** As a clock in Italy shows it: `2026-11-25 23:59:59`. */
const inRome = (time: string | null) => (time === null ? null : ROME.format(new Date(time)));
const endOfDay = (time: Date) => `${ROME.format(time).slice(0, 10)} 23:59:59`;

async function expectedOf(caller: Caller, number: string): Promise<string | null> {
  const { status, body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
  expect(status).toBe(200);
  return body.expectedDeliveryDate;
}

interface Estimate {
  readonly expectedAt: string;
  readonly receivedAt: string;
}

async function estimatesOf(caller: Caller, number: string): Promise<readonly Estimate[]> {
  const query =
    'query ($n: String!) { trackingByNumber(trackingNumber: $n) { carrierEstimates { expectedAt receivedAt } } }';
  return (await ask<{ carrierEstimates: Estimate[] }>(caller, query, { n: number })).carrierEstimates;
}

/** A company that has a shipment with a carrier. */
async function shipping(carrierCode: string, trackingNumber: string, fields: object = {}): Promise<Caller> {
  const caller = await world.sandbox();
  await feedShipments(caller, await connectSandbox(caller, carrierCode), { trackingNumber, ...fields });
  return caller;
}

describe.concurrent('An estimate', () => {
  const platforms = noon(9).toISOString();

  test.each(['BRT', 'DHL', 'UPS', 'FEDEX'])('by %s is shown in place of the platform’s date', async carrierCode => {
    const number = `SHOWN-${carrierCode}-IN_TRANSIT`;
    const caller = await shipping(carrierCode, number, { expectedDeliveryAt: platforms });
    expect([await expectedOf(caller, number), await estimatesOf(caller, number)]).toEqual([platforms, []]);
    const before = Date.now();
    await poll(caller);
    const expected = await expectedOf(caller, number);
    expect(inRome(expected)).toMatch(/ 23:59:59$/);
    const [estimate, ...others] = await estimatesOf(caller, number);
    expect([estimate?.expectedAt, others]).toEqual([expected, []]);
    expect(Date.parse(estimate?.receivedAt ?? '')).toBeGreaterThanOrEqual(before);
  });

  test('is never shown for GLS, which gives none', async () => {
    const caller = await shipping('GLS', 'NONE-IN_TRANSIT', { expectedDeliveryAt: platforms });
    await poll(caller);
    expect([await expectedOf(caller, 'NONE-IN_TRANSIT'), await estimatesOf(caller, 'NONE-IN_TRANSIT')]).toEqual([
      platforms,
      [],
    ]);
  });

  test.each([
    ['BRT', '12:00:00'],
    ['DHL', '23:59:59'],
    ['UPS', '12:00:00'],
    ['FEDEX', '12:00:00'],
  ])('by %s is the end of its time window, or of its day', async (carrierCode, time) => {
    const number = `WINDOW-${carrierCode}-OUT_FOR_DELIVERY`;
    estimates.set(number, { latest: noon(1), hasTime: true });
    const caller = await shipping(carrierCode, number);
    await poll(caller);
    expect(inRome(await expectedOf(caller, number))).toBe(`${ROME.format(noon(1)).slice(0, 10)} ${time}`);
  });

  // With other events each time, and always with the same.
  test.each(['WALK-REVISED', 'REVISED-IN_TRANSIT'])(
    'with the number %s replaces the one before, which is kept; a repeated one changes nothing, and a withdrawn one stays',
    async number => {
      const caller = await shipping('BRT', number, { expectedDeliveryAt: platforms });
      const said = [null, noon(4), noon(4), noon(6), noon(5), null];
      const shown: (string | null)[] = [];
      for (const latest of said) {
        estimates.set(number, latest && { latest, hasTime: false });
        await poll(caller);
        shown.push(await expectedOf(caller, number));
      }
      const wanted = [noon(4), noon(4), noon(6), noon(5), noon(5)].map(endOfDay);
      expect([shown[0], ...shown.slice(1).map(inRome)]).toEqual([platforms, ...wanted]);
      const kept = await estimatesOf(caller, number);
      expect(kept.map(({ expectedAt }) => inRome(expectedAt))).toEqual([noon(5), noon(6), noon(4)].map(endOfDay));
      const told = kept.map(({ receivedAt }) => receivedAt);
      expect(told).toEqual(told.toSorted().toReversed());
    },
  );

  test("of a carrier does not change the date of the platform, and the platform's date does not change it", async () => {
    const number = 'BOTH-IN_TRANSIT';
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'DHL');
    await feedShipments(caller, connection, { trackingNumber: number, expectedDeliveryAt: platforms });
    await poll(caller);
    const carriers = await expectedOf(caller, number);
    expect(carriers).not.toBe(platforms);
    await feedShipments(caller, connection, { trackingNumber: number, expectedDeliveryAt: noon(3).toISOString() });
    expect(await expectedOf(caller, number)).toBe(carriers);
    const { rows } = await world.pool.query(
      'select expected_delivery_date as "platforms" from shipment where company_id = $1',
      [caller.companyId],
    );
    expect(rows).toEqual([{ platforms: noon(3) }]);
  });

  test('is in the webhooks of the events that come with it', async () => {
    const number = 'HOOKED-OUT_FOR_DELIVERY';
    estimates.set(number, { latest: noon(1), hasTime: true });
    const caller = await world.sandbox();
    const { id } = await createWebhook(caller, 'http://127.0.0.1:9/');
    await feedShipments(caller, await connectSandbox(caller, 'UPS'), { trackingNumber: number });
    await poll(caller);
    const bodies = (await deliveries(caller, id)).map(({ body }) => JSON.parse(body));
    expect(bodies.length).toBeGreaterThan(0);
    expect(new Set(bodies.map(({ data }) => data.expectedDeliveryDate))).toEqual(new Set([noon(1).toISOString()]));
  });

  test('that is unreadable or years away is left out and logged, and its events are stored', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'BRT');
    estimates.set('FARAWAY-IN_TRANSIT', { latest: noon(1000), hasTime: true });
    for (const trackingNumber of [`${GARBLED}-IN_TRANSIT`, 'FARAWAY-IN_TRANSIT']) {
      await feedShipments(caller, connection, { trackingNumber, expectedDeliveryAt: platforms });
      await poll(caller);
      expect([await expectedOf(caller, trackingNumber), await estimatesOf(caller, trackingNumber)]).toEqual([
        platforms,
        [],
      ]);
      const { body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${trackingNumber}`);
      expect(body.timeline).toHaveLength(3);
    }
    const lines = logged.log().split('\n');
    const own = lines.filter(line => line.includes('carrier estimates unreadable') && line.includes(caller.companyId));
    expect(own.map(line => JSON.parse(line).unreadable)).toEqual([1, 1]);
  });

  test('of a carrier that changes it again and again is kept with its fifty newest versions', async () => {
    const number = 'RESTLESS-IN_TRANSIT';
    const caller = await shipping('DHL', number);
    await world.pool.query(
      `insert into shipment_estimate (company_id, shipment_id, told_at, expected_at)
        select company_id, id, now() - n * interval '1 hour', now() + n * interval '1 day' from shipment, generate_series(1, 60) n
          where company_id = $1`,
      [caller.companyId],
    );
    await poll(caller);
    const kept = await estimatesOf(caller, number);
    expect(kept).toHaveLength(50);
    expect(kept[0]?.expectedAt).toBe(await expectedOf(caller, number));
    const told = kept.map(({ receivedAt }) => receivedAt);
    expect(told).toEqual(told.toSorted().toReversed());
  });
});
