import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { demoMerchant, type Fields, type Merchant, MILANO, PALERMO, PARCEL } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { ask, order, refusal, times, upsertOrders } from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { statementsOf } from '../support/statements.ts';
import { useWorld } from '../support/world.ts';
import { QUOTE_FIELDS } from './quote-calls.ts';

const world = useWorld({ ROLE: 'api' });

const OUTCOME = `index code errors { pointer code message } quote { ${QUOTE_FIELDS} }`;
const QUOTES = `query ($inputs: [QuoteInput!]!) { quoteShipments(inputs: $inputs) { ${OUTCOME} } }`;
const ORDERS = `query ($ids: [ID!]!) { quoteOrders(ids: $ids) { ${OUTCOME} } }`;
const ONE = `query ($input: QuoteInput!) { quoteShipment(input: $input) { ${QUOTE_FIELDS} } }`;

interface Outcome {
  readonly index: number;
  readonly code: string | null;
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly message: string }[];
  readonly quote: object | null;
}

let shop: Merchant;
let ids: string[];
beforeAll(async () => {
  shop = await demoMerchant(await world.company());
  const { caller } = shop;
  const { warehouseId } = shop.body({}) as { warehouseId: number };
  const parcels = [{ weight: '4', length: '40', width: '30', height: '30', quantity: 2 }];
  const { results } = await upsertOrders(caller, [
    order('whole', { warehouseId, parcels, codAmount: '100', insuranceAmount: '50' }),
    order('no sizes', { warehouseId, parcels: [{ weight: '4', quantity: 1 }] }),
    order('nothing', {}),
  ]);
  ids = results.map(({ databaseId }) => String(databaseId));
});

const someInput = fc.oneof(
  fc
    .record(
      {
        destination: fc.constantFrom(
          MILANO,
          PALERMO,
          { postalCode: '57030', city: 'Marciana' },
          { postalCode: '00000', city: 'x' },
          {
            country: 'FR',
            postalCode: '75001',
            city: 'Paris',
          },
        ),
        parcels: fc.constantFrom(
          [PARCEL],
          [{ ...PARCEL, quantity: 3 }],
          [{ ...PARCEL, weight: 2_000 }],
          [{ ...PARCEL, weight: -1 }],
          [],
        ),
        codAmount: fc.constantFrom(10, 99.5, 5_000),
        insuranceAmount: fc.constantFrom(1, 700),
        options: fc.constantFrom([], ['phone_notice'], ['saturday', 'none']),
        carrierConnectionIds: fc.constantFrom([1], [2_000_000]),
        warehouseId: fc.constantFrom(2_000_000_000),
        shipmentDate: fc.constantFrom('2026-06-15', '2019-01-01'),
      },
      { requiredKeys: [] },
    )
    .map(fields => (base: Merchant) => base.body({ shipmentDate: '2026-06-15', ...fields })),
  fc.nat(3).map(i => () => ({ orderId: Number(ids[i] ?? 2_000_000_000), shipmentDate: '2026-06-15' })),
);

/** The result of `quoteShipment`, or its errors, in the form of an outcome. */
async function alone(
  input: Fields,
): Promise<Pick<Outcome, 'code' | 'quote'> & { readonly reasons: readonly string[] }> {
  const answer = await shop.caller.graphql<{ quoteShipment: object | null }>(ONE, { input });
  const failure = failureOf(answer);
  const reasons = failure?.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [];
  return { code: failure?.code ?? null, quote: answer.data?.quoteShipment ?? null, reasons };
}

/** Without the moment at which it was quoted. */
const timeless = (value: unknown) => JSON.parse(JSON.stringify(value));

test('A quote in a list is the same as alone', async () => {
  let quoted = 0;
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(someInput, { minLength: 1, maxLength: 12 }), async makers => {
      const inputs = makers.map(make => make(shop));
      const outcomes = await ask<Outcome[]>(shop.caller, QUOTES, { inputs });
      expect(outcomes.map(({ index }) => index)).toEqual(inputs.map((_, i) => i));
      for (const [i, { code, quote, errors }] of outcomes.entries()) {
        const single = await alone(inputs[i] ?? {});
        expect(timeless({ code, quote })).toEqual(timeless({ code: single.code, quote: single.quote }));
        if (single.reasons.length > 0) {
          const reasons = errors.map(error => `${error.pointer.replace(`/inputs/${i}`, '')} ${error.code}`);
          expect(reasons).toEqual(single.reasons);
        }
        expect(errors.length > 0).toBe(quote === null);
        if (quote === null) failed++;
        else quoted++;
      }
    }),
    { numRuns: runs(25) },
  );
  // Few runs: enough of both that neither is a property of nothing.
  expect(quoted).toBeGreaterThan(runs(5));
  expect(failed).toBeGreaterThan(runs(5));
});

test('Orders are quoted by their fields, and each reports the fields that it lacks', async () => {
  const outcomes = await ask<Outcome[]>(shop.caller, ORDERS, { ids: [...ids, '2000000000', 'x'] });
  const single = await alone({ orderId: Number(ids[0]) });
  expect(outcomes[0]).toMatchObject({ code: null, quote: single.quote, errors: [] });
  expect(
    outcomes.slice(1).map(({ code, errors }) => [code, ...errors.map(error => `${error.pointer} ${error.code}`)]),
  ).toEqual([
    ['validation_failed', '/ids/1 order_not_quotable'],
    ['validation_failed', '/ids/2 order_not_quotable'],
    ['order_not_found', '/ids/3 order_not_found'],
    ['order_not_found', '/ids/4 order_not_found'],
  ]);
  expect(outcomes[1]?.errors[0]?.message).toContain('parcels/0/length is missing');
  expect(outcomes[2]?.errors[0]?.message).toContain('warehouseId is missing');
});

// A notification that comes late on a busy machine lets the connections be read again, once for all orders.
const CACHED: ReadonlySet<string> = new Set(['quoted-connections']);

test('Fifty orders are read by one statement, and their tariffs by none', async () => {
  await ask(shop.caller, ORDERS, { ids: ids.slice(0, 1) });
  const statements = await statementsOf(world, () => ask(shop.caller, ORDERS, { ids: times(50, i => ids[i % 3]) }));
  expect(statements.filter(name => !CACHED.has(name)).toSorted()).toEqual([
    // One of them has parcels without sides.
    'default-parcel',
    'order-by-id',
    'warehouse-place',
  ]);
  expect(statements.filter(name => CACHED.has(name)).length).toBeLessThanOrEqual(1);
});

test('A list has at most fifty quotes', async () => {
  expect(await refusal(shop.caller, ORDERS, { ids: times(51, () => ids[0]) })).toBe('validation_failed: /ids too_many');
  const inputs = times(51, () => shop.body({}));
  expect(await refusal(shop.caller, QUOTES, { inputs })).toBe('validation_failed: /inputs too_many');
});

test('Each item of a list counts as a quote of the key, in a literal, in a variable and in its default', async () => {
  const { apiKeyId, graphql } = await world.key(shop.caller.companyId);
  await world.app.database.pool.query(`update api_key set rates = '{"quotes": 10}' where id = $1`, [apiKeyId]);
  const { data } = await graphql('query ($ids: [ID!]!) { quoteOrders(ids: $ids) { index } }', {
    ids: times(5, () => ids[0]),
  });
  expect(data).toMatchObject({ quoteOrders: { length: 5 } });
  const given = JSON.stringify(times(4, () => ids[0]));
  const byDefault = await graphql(`query ($ids: [ID!]! = ${given}) { quoteOrders(ids: $ids) { index } }`);
  expect(byDefault.data).toMatchObject({ quoteOrders: { length: 4 } });
  expect(
    failureOf(await graphql(`{ quoteOrders(ids: ["${ids[0]}", "${ids[0]}", "${ids[0]}"]) { index } }`))?.code,
  ).toBe('rate_limited');
});
