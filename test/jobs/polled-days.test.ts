import { expect, test } from 'vitest';
import type { StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import { fired, stepsOf } from '../graphql/step-calls.ts';
import { connectSandbox, useSandbox } from '../support/carriers.ts';
import { ask, shipment, upsertShipments } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { MINUTE } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';
import { createWebhook } from './webhooks.ts';

// GLS dates the first event of a shipment by its day alone: `<Ora> </Ora>`.

interface Told {
  readonly status: StatusCode;
  readonly time: string;
  /** Events without a time are at this place. */
  readonly place: 'MILANO' | 'SENZA ORA';
}

let known: readonly Told[] = [];
const sandbox = useSandbox({
  carriers: [
    {
      ...gls,
      answer(request) {
        const events = known.map(({ time, ...event }) => ({ ...event, time: new Date(time) }));
        const answer = gls.answer({ ...request, journey: () => ({ kind: 'events', events, estimate: null }) });
        const body = answer.body
          .toString('latin1')
          .replace(/<Ora>[^<]*(?=<\/Ora>(?:(?!<Ora>).)*?SENZA ORA)/gs, '<Ora> ');
        return { ...answer, body: Buffer.from(body, 'latin1') };
      },
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

test('An event that has only a date keeps its status, and its place in a list that grows', async () => {
  const caller = await world.sandbox();
  await createWebhook(caller, 'http://127.0.0.1:9/');
  const connection = await connectSandbox(caller, 'GLS');
  await upsertShipments(caller, [shipment(connection, 'n')]);
  const shown = async () => {
    const query = `{ trackingByNumber(trackingNumber: "n") {
      statusCode timeline { nodes { occurredAt statusCode note } } } }`;
    const { statusCode, timeline } = await ask<{
      statusCode: string;
      timeline: { nodes: { occurredAt: string; statusCode: string; note: string | null }[] };
    }>(caller, query);
    return [statusCode, ...timeline.nodes.map(event => [event.occurredAt, event.statusCode, event.note])];
  };
  const note = 'Orario non indicato dal corriere';
  const first: Told = { status: 'shipped', time: '2026-11-20T11:00:00Z', place: 'SENZA ORA' };
  known = [first];
  await pollAfter(caller, MINUTE);
  expect(await shown()).toEqual(['shipped', ['2026-11-20T22:59:59.999Z', 'shipped', note]]);

  known = [first, { status: 'in_transit', time: '2026-11-20T17:30:00Z', place: 'MILANO' }];
  await pollAfter(caller, MINUTE);
  expect(await shown()).toEqual([
    'in_transit',
    ['2026-11-20T17:29:59.999Z', 'shipped', note],
    ['2026-11-20T17:30:00.000Z', 'in_transit', null],
  ]);

  // A delivery of a day ends the scans of the day.
  known = [...known, { status: 'delivered', time: '2026-11-21T08:00:00Z', place: 'SENZA ORA' }];
  await pollAfter(caller, MINUTE);
  expect((await shown())[0]).toBe('delivered');
  expect((await shown()).at(-1)).toEqual(['2026-11-21T22:59:59.999Z', 'delivered', note]);
  expect(stepsOf(await fired(world, caller)).map(step => step.replace(/ at .*/, ''))).toEqual([
    'created > shipped',
    'shipped > in_transit',
    'in_transit > delivered',
  ]);
});

test('A shipment that is expected on a date is late after the end of that day', async () => {
  const caller = await world.sandbox();
  const connection = await connectSandbox(caller, 'GLS');
  const dayOf = (ms: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' }).format(ms);
  const [today, yesterday] = [dayOf(Date.now()), dayOf(Date.now() - 86_400_000)];
  await upsertShipments(caller, [
    shipment(connection, 'today', { expectedDeliveryAt: today }),
    shipment(connection, 'yesterday', { expectedDeliveryAt: yesterday }),
    shipment(connection, 'summer', { expectedDeliveryAt: '2026-07-01' }),
  ]);
  const query =
    '{ shipments(first: 9, filter: { isLate: true, isOpen: true }) { nodes { trackingNumber expectedDeliveryAt } } }';
  const nodes = await ask<{ nodes: { trackingNumber: string; expectedDeliveryAt: string }[] }>(caller, query);
  expect(nodes.nodes.map(({ trackingNumber }) => trackingNumber).toSorted()).toEqual(['summer', 'yesterday']);
  expect(nodes.nodes.find(({ trackingNumber }) => trackingNumber === 'summer')?.expectedDeliveryAt).toBe(
    '2026-07-01T21:59:59.999Z',
  );
});
