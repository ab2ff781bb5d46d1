import { beforeAll, describe, expect, test } from 'vitest';
import { connectCarrier, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

// A response shows its own cost, and how much the key can still spend.

const world = useSharedWorld();

interface Cost {
  readonly requested: number;
  readonly actual: number;
  readonly remaining: number;
  readonly resetAt: string;
}

let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
  const connection = await connectCarrier(caller);
  await upsertShipments(
    caller,
    times(3, i => shipment(connection, `N${i}`)),
  );
});

async function asked(query: string, { variables = {}, apiKey = caller.apiKey } = {}) {
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { data?: unknown; errors?: unknown[]; extensions: { cost: Cost } };
  const [, left, seconds] = /"cost";r=(\d+);t=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? [];
  return { ...body, cost: body.extensions.cost, left: Number(left), endsAt: Date.now() + Number(seconds) * 1_000 };
}

describe('A response', () => {
  test.each<[what: string, query: string, variables?: object]>([
    ['read once', '{ shipments(first: 3) { nodes { trackingNumber } } } # once'],
    ['read ten times', '{ shipments(first: 10) { nodes { trackingNumber } } }'],
    ['with variables', 'query ($n: Int) { shipments(first: $n) { nodes { trackingNumber } } }', { n: 2 }],
    ['introspected', '{ __type(name: "Shipment") { fields { name } } }'],
    ['wrong', '{ nothing }'],
    ['with a wrong variable', 'query ($n: Int) { shipments(first: $n) { nodes { id } } }', { n: 'x' }],
    ['with an error beside its data', '{ trackingByNumber(trackingNumber: "never") { id } apiKey { ok } }'],
  ])('has the remaining cost that the header states: %s', async (_what, query, variables) => {
    for (let i = 0; i < 5; i++) {
      const { cost, left, endsAt } = await asked(query, { variables });
      expect(cost.remaining).toBe(left);
      expect(Math.abs(Date.parse(cost.resetAt) - endsAt)).toBeLessThan(2_000);
    }
  });

  test('has its cost as estimated from the page sizes, and its actual cost', async () => {
    const query = (first: number) => `{ shipments(first: ${first}) { nodes { trackingNumber } } }`;
    const [few, many] = [(await asked(query(3))).cost, (await asked(query(250))).cost];
    expect(many.requested).toBeGreaterThan(10 * few.requested);
    expect(Math.abs(many.actual - few.actual)).toBeLessThanOrEqual(1);
    expect(few.actual).toBeGreaterThan(3);
    expect((await asked('{ nothing }')).cost.requested).toBe(0);
  });

  test('has its cost even if it was rejected because of it', async () => {
    const { errors, cost } = await asked(
      `{ ${times(9, i => `a${i}: shipments(first: 250) { nodes { ${times(99, j => `b${j}: id`).join(' ')} } }`).join(' ')} }`,
    );
    expect(errors).toMatchObject([{ extensions: { code: 'graphql_too_complex', cost: cost.requested } }]);
    expect(cost.requested).toBeGreaterThan(200_000);
  });
});
