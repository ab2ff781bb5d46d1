import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { ups } from '../../src/sandbox/ups-stand-in.ts';
import { arrivals, byOrder, type Event, expectedOf, FINAL, stepText } from '../graphql/status-model.ts';
import { at, fired, stepsOf } from '../graphql/step-calls.ts';
import { connectSandbox, useSandbox } from '../support/carriers.ts';
import { ask, shipment, upsertShipments } from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { REACHABLE } from '../support/receiver.ts';
import { MINUTE } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';
import { createWebhook } from './webhooks.ts';

/** The carrier's data for each number. */
const known = new Map<string, readonly Event[]>();

/** UPS, which has a code for every status and lists all events of a parcel, the newest first. */
const sandbox = useSandbox({
  carriers: [
    {
      ...ups,
      answer: request =>
        ups.answer({
          ...request,
          journey: number => ({
            kind: 'events',
            events: (known.get(number) ?? []).toSorted(byOrder).map(({ minute, statusCode }) => ({
              status: statusCode as StatusCode,
              time: new Date(at(minute)),
              place: 'Milano',
            })),
            estimate: null,
          }),
        }),
    },
  ],
});
const world = useWorld({
  ...REACHABLE,
  get CARRIER_SANDBOX_URL() {
    return sandbox.url;
  },
});
const { pollAfter } = usePolls(world);

const REFRESH = `mutation ($id: ID!) {
  refreshTracking(input: { shipmentId: $id }) { shipment { polling { outcome } } userErrors { code pointer message } }
}`;

/** Histories without two events of equal weight at one time: their order of arrival depends on the carrier's list. */
const histories = arrivals.filter(batches => {
  const events = batches.flat();
  return events.every(one => events.every(other => one === other || byOrder(one, other) !== 0));
});

interface Found {
  readonly statusCode: string;
  readonly deliveredAt: string | null;
}

interface History {
  readonly number: string;
  readonly batches: readonly (readonly Event[])[];
  /** The requests of the service so far, poll by poll. */
  readonly heard: (readonly Event[])[];
}

const isOver = ({ heard }: History) => FINAL.has(expectedOf(heard, true).status ?? '');

test('Whatever a carrier lists, poll by poll, a shipment has the statuses, dates and webhooks of the events sent one by one', async () => {
  const caller = await world.sandbox();
  // Nobody listens there: the fired events are read from the database.
  await createWebhook(caller, 'http://127.0.0.1:9/');
  const connection = await connectSandbox(caller, 'UPS');
  const cases = fc.sample(histories, { seed: Number(process.env.PROPERTY_SEED ?? 1), numRuns: runs(60) });
  const all = cases.map((batches, n): History => ({ number: `1ZHISTORY${n}`, batches, heard: [] }));
  const shipments = all.map(({ number }) => shipment(connection, number));
  const { results } = await upsertShipments(caller, shipments);

  const check = async () => {
    const numbers = all.map(({ number }) => number);
    const query = 'query ($numbers: [String!]!) { trackingByNumbers(numbers: $numbers) { statusCode deliveredAt } }';
    const found = await ask<Found[]>(caller, query, { numbers });
    const wanted = all.map(({ heard }) => expectedOf(heard, true));
    expect(found).toEqual(
      wanted.map(({ status = 'created', deliveredDate }) => ({ statusCode: status, deliveredAt: deliveredDate })),
    );
  };
  for (let poll = 1; poll <= Math.max(...cases.map(({ length }) => length)); poll++) {
    for (const one of all) {
      known.set(one.number, one.batches.slice(0, poll).flat());
      // Nobody asks about a shipment that has ended.
      if (!isOver(one)) one.heard.push(one.batches[poll - 1] ?? []);
    }
    await pollAfter(caller, MINUTE);
    await check();
  }
  // Unless a caller has the carrier asked.
  const ended = all.flatMap((one, n) => (isOver(one) ? [{ one, id: results[n]?.databaseId }] : []));
  expect(ended.length).toBeGreaterThan(runs(10));
  await Promise.all(ended.map(({ id }) => ask(caller, REFRESH, { id })));
  for (const { one } of ended) one.heard.push(one.batches.slice(one.heard.length).flat());
  await check();
  for (const { number, heard } of all) {
    const webhooks = stepsOf(await fired(world, caller, number));
    expect([number, webhooks]).toEqual([number, expectedOf(heard, true).fires.map(stepText)]);
  }
});
