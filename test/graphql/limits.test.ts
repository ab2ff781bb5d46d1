import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../src/graphql/graphiql.ts';
import { times } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

const check =
  'checkAddress(input: { carrierConnectionId: 1, address: "a", city: "b", provincia: "MI", zip: "20121" }) { code }';
const connectionTest = 'testCarrierConnection(input: { id: 1 }) { outcome userErrors { code } }';
const tariffImport = 'importTariff(input: { carrierConnectionId: 1, tariff: {} }) { tariff { databaseId } }';
const aliases = (count: number, field: string) => times(count, i => `f${i}: ${field}`).join(' ');
const rich = `edges { node { trackingNumber statusLabel statusCode weight carrier { name } recipient { city province country }
  order { orderNumber parcels { weight quantity } recipient { city } } warehouse { name address city }
  timeline { nodes { occurredAt statusCode statusLabel description location note } } relatedShipments(first: 10) { nodes { type trackingNumber } } } }`;
/** A shipment's order has shipments, each with its order, to any depth. */
const nested = (levels: number): string =>
  levels === 0 ? 'id' : `order { shipments(first: 10) { nodes { ${nested(levels - 1)} } } }`;
const introspection = getIntrospectionQuery();
const [, introspected = ''] = /query IntrospectionQuery \{([\s\S]*?)\n {4}\}\n/.exec(introspection) ?? [];

interface Case {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

/** As it is seen first, and compiled, since it came back. */
const TIMES = 5;

describe('A document within the limits', () => {
  const cases: [what: string, document: Case][] = [
    ['250 shipments with order, warehouse and timeline', { query: `{ shipments(first: 250) { ${rich} } }` }],
    ['ten levels', { query: `{ shipments(first: 1) { edges { node { ${nested(2)} } } } }` }],
    ['the schema', { query: introspection }],
    [
      'a page whose size is a variable',
      { query: `query ($n: Int) { shipments(first: $n) { ${rich} } }`, variables: { n: 9 } },
    ],
  ];
  test.each(cases)('is answered: %s', async (_what, { query, variables }) => {
    for (let i = 0; i < TIMES; i++) {
      const { status, errors } = await caller.graphql(query, variables);
      expect([status, errors]).toEqual([200, undefined]);
    }
  });

  test('is answered with three requests to carriers', async () => {
    for (const query of [`{ ${aliases(3, check)} }`, `mutation { ${aliases(3, connectionTest)} }`]) {
      const { data, errors } = await caller.graphql<Record<string, { userErrors: { code: string }[] } | null>>(query);
      const returned = Object.values(data ?? {}).flatMap(payload => payload?.userErrors.map(({ code }) => code) ?? []);
      expect(new Set(errors?.map(({ extensions }) => extensions.code) ?? returned)).toEqual(
        new Set(['carrier_connection_not_found']),
      );
    }
  });
});

describe('A document beyond the limits', () => {
  const tooMuch = { code: 'graphql_too_complex', status: 400, limit: 200_000 };
  const cases: [what: string, document: Case, told: Record<string, unknown>][] = [
    [
      'eleven levels',
      { query: `{ shipments(first: 1) { edges { node { ${nested(3)} } } } }` },
      { code: 'graphql_too_deep', status: 400, depth: 13, limit: 10 },
    ],
    [
      'levels in fragments',
      {
        query: `{ shipments { edges { node { ...A } } } } fragment A on Shipment { order { shipments { nodes { ...B } } } } fragment B on Shipment { ${nested(2)} }`,
      },
      { code: 'graphql_too_deep', depth: 13 },
    ],
    ['pages by aliases', { query: `{ ${aliases(20, `shipments(first: 250) { ${rich} }`)} }` }, tooMuch],
    [
      'a page by its variable',
      {
        query: `query ($n: Int, $of: [TrackingStatusCode!]) { ${aliases(20, `shipments(last: $n, filter: { statusCodes: $of }) { ${rich} }`)} }`,
        variables: { n: 250 },
      },
      tooMuch,
    ],
    [
      'lists within lists',
      {
        query: `{ shipments(first: 250) { edges { node { order { shipments { nodes { order { shipments { totalCount } } } } } } } } }`,
      },
      tooMuch,
    ],
    ['a fourth question to carriers', { query: `{ ${aliases(4, check)} }` }, { ...tooMuch, cost: 240_004 }],
    [
      'a twelfth whole tariff',
      { query: `{ ${aliases(12, 'tariff(id: 1) { document }')} }` },
      { ...tooMuch, cost: 216_012 },
    ],
    [
      'a fourth import of a tariff',
      { query: `mutation { ${aliases(4, tariffImport)} }` },
      { ...tooMuch, cost: 200_008 },
    ],
    ['a fourth test of a connection', { query: `mutation { ${aliases(4, connectionTest)} }` }, tooMuch],
    [
      'questions to carriers in fragments',
      {
        query: `{ ...A ...B } fragment A on Query { ${aliases(2, check)} } fragment B on Query { x: ${check} y: ${check} }`,
      },
      tooMuch,
    ],
    [
      'the schema many times',
      {
        query: introspection.replace(
          introspected,
          introspected.repeat(1) + times(5, i => `s${i}: ${introspected}`).join(' '),
        ),
      },
      tooMuch,
    ],
  ];
  test.each(cases)(
    'is rejected as a whole, and the error states the cost: %s',
    async (_what, { query, variables }, told) => {
      for (let i = 0; i < TIMES; i++) {
        const { data, errors } = await caller.graphql(query, variables);
        expect(data ?? null).toBeNull();
        expect(errors).toMatchObject([{ extensions: told }]);
      }
    },
  );

  test('is rejected for a large page, even if it was compiled with a small one', async () => {
    const query = `query ($n: Int) { ${aliases(20, `shipments(first: $n) { ${rich} }`)} }`;
    for (const n of [1, 1, 1, 1, 1]) expect((await caller.graphql(query, { n })).errors).toBeUndefined();
    for (const n of [250, 250])
      expect((await caller.graphql(query, { n })).errors).toMatchObject([{ extensions: tooMuch }]);
    expect((await caller.graphql(query, { n: 1 })).errors).toBeUndefined();
  });

  test('is rejected with the status 400 for clients that accept GraphQL’s media type', async () => {
    const response = await fetch(`${world.app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        'x-api-key': caller.apiKey,
      },
      body: JSON.stringify({ query: `{ ${aliases(4, check)} }` }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'graphql_too_complex' } }] });
  });

  test('is reported with its argument if no page may have the requested size', async () => {
    const { errors } = await caller.graphql('{ shipments(first: 1000000) { edges { cursor } } }');
    expect(errors?.[0]?.extensions.code).toBe('validation_failed');
  });
});

test('The examples of GraphiQL are documents within the limits', async () => {
  const answers = await Promise.all(EXAMPLES.map(query => caller.graphql(query)));
  // The lists of an empty company; the demo company has all of them.
  expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([
    undefined,
    undefined,
    'order_not_found',
    'carrier_connection_not_found',
    undefined,
  ]);
});
