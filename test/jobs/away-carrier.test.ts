import { afterEach, expect, test, vi } from 'vitest';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import { OFFLINE } from '../../src/sandbox/stand-in.ts';
import { askedAt, connectSandbox, useSandbox } from '../support/carriers.ts';
import { ask, feedShipments } from '../support/platform-side.ts';
import { MINUTE } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';

/** For so long a connection is not asked, first and at most. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10_000, 2 * MINUTE];

let isAway = false;
const sandbox = useSandbox({
  carriers: [{ ...gls, answer: request => (isAway ? OFFLINE : gls.answer(request)) }],
});
const world = useWorld(askedAt(sandbox));
const { pollAfter } = usePolls(world);

afterEach(() => {
  isAway = false;
  vi.useRealTimers();
});

interface Polling {
  readonly lastPolledAt: string | null;
  readonly nextPollAt: string | null;
  readonly outcome: string | null;
  readonly consecutiveFailures: number;
}

interface Shipment {
  readonly id: number;
  readonly polling: Polling;
}

const FIELDS = 'id: databaseId polling { lastPolledAt nextPollAt outcome consecutiveFailures }';

/** The shipments of a company, in the order in which they were sent. */
async function shipments(caller: Caller): Promise<Shipment[]> {
  const query = `{ shipments(first: 30, orderBy: CREATED_ASC) { edges { node { ${FIELDS} } } } }`;
  const { edges } = await ask<{ edges: { node: Shipment }[] }>(caller, query);
  return edges.map(({ node }) => node).toSorted((a, b) => a.id - b.id);
}

const refresh = (caller: Caller, id: number) =>
  ask<Shipment>(
    caller,
    `mutation ($id: ID!) { refreshTracking(input: { shipmentId: $id }) { shipment { ${FIELDS} } userErrors { code pointer message } } }`,
    { id },
  );

test('A shipment that is not polled because its carrier did not respond for others has no failure, and is polled once the carrier responds', async () => {
  const caller = await world.sandbox();
  const connection = await connectSandbox(caller, 'GLS');
  // Sixteen are asked about at once, so that the last ones are left when the fifth request has failed.
  const numbers = Array.from({ length: 24 }, (_, n) => ({ trackingNumber: `AWAY${n} IN_TRANSIT` }));
  await feedShipments(caller, connection, ...numbers);
  isAway = true;
  await pollAfter(caller, MINUTE);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });

  const all = await shipments(caller);
  const notAsked = all.filter(({ polling }) => polling.outcome === 'not_asked');
  const asked = all.filter(one => !notAsked.includes(one));
  expect(asked.map(({ polling: { outcome, consecutiveFailures } }) => [outcome, consecutiveFailures])).toEqual(
    asked.map(() => ['unavailable', 1]),
  );
  expect(notAsked.length).toBeGreaterThan(0);
  for (const { polling } of notAsked) {
    expect(polling).toMatchObject({ lastPolledAt: null, consecutiveFailures: 0 });
    expect(Date.parse(polling.nextPollAt ?? '') - Date.now()).toBeLessThanOrEqual(FIRST_PAUSE_MS);
  }
  // A caller does not have it asked any sooner.
  const refreshed = await refresh(caller, notAsked.at(-1)?.id ?? 0);
  expect(refreshed.polling).toMatchObject({ outcome: 'not_asked', lastPolledAt: null, consecutiveFailures: 0 });

  isAway = false;
  vi.setSystemTime(Date.now() + LONGEST_PAUSE_MS);
  // The first one finds out for the others.
  for (let poll = 0; poll < 2; poll++) await pollAfter(caller, 2 * FIRST_PAUSE_MS);
  const ids = new Set(notAsked.map(({ id }) => id));
  for (const { id, polling } of await shipments(caller)) {
    if (ids.has(id)) expect(polling).toMatchObject({ outcome: 'answered', consecutiveFailures: 0 });
  }
});
