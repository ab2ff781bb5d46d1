import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/rest-client.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { connectCarrier, createWarehouse, feedOrders, feedShipments, upsertOrders, WAREHOUSE } from './feed.ts';
import { send, unnamed } from './raw-http.ts';

const world = useWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

const FIELDS = ['name', 'typeId', 'address', 'postalCode', 'city', 'state', 'country'] as const;
const TEXTS = ['name', 'address', 'postalCode', 'city', 'state'] as const;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What is wrong where, by place and without the words. */
function refusal({ status, body }: Answer): [pointer: string, code: string][] {
  expect([status, body?.code]).toEqual([422, 'validation_failed']);
  const errors = body.errors as { pointer: string; code: string; message: string }[];
  for (const { message } of errors) expect(message).toMatch(/\w/);
  return errors.map(({ pointer, code }): [string, string] => [pointer, code]).toSorted();
}

/** Until the clock shows a later millisecond than this one. */
function untilAfter(instant: string) {
  while (Date.now() <= Date.parse(instant));
}

describe('create', () => {
  test('answers 201 with exactly the fields of a warehouse', async () => {
    const before = Date.now();
    const { status, body } = await caller.rest('POST', '/warehouses', WAREHOUSE);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      ...WAREHOUSE,
      isPrincipal: true,
      warehouseType: { id: 1, name: 'Principale' },
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
    });
    expect(Number.isInteger(body.id)).toBe(true);
    expect(Date.parse(body.createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.createdAt)).toBeLessThanOrEqual(Date.now());
    expect(body.updatedAt).toBe(body.createdAt);
  });

  test.each([
    { typeId: 1, name: 'Principale', isPrincipal: true },
    { typeId: 2, name: 'Logistica', isPrincipal: false },
    { typeId: 3, name: 'Drop Shipping', isPrincipal: false },
    { typeId: 4, name: 'Secondario', isPrincipal: false },
  ])('type $typeId is $name', async ({ typeId, name, isPrincipal }) => {
    const { body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, typeId });
    expect(body).toMatchObject({ typeId, isPrincipal, warehouseType: { id: typeId, name } });
  });

  test('several warehouses may be principal', async () => {
    const own = await world.company();
    await createWarehouse(own, { typeId: 1 });
    await createWarehouse(own, { typeId: 1 });
    const { body } = await own.rest('GET', '/warehouses');
    expect(body.map(({ isPrincipal }: { isPrincipal: boolean }) => isPrincipal)).toEqual([true, true]);
  });

  test('texts are trimmed', async () => {
    const padded = Object.fromEntries(TEXTS.map(field => [field, ` \t${WAREHOUSE[field]}\n `]));
    const { body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, ...padded, country: ' it ' });
    expect(body).toMatchObject(WAREHOUSE);
  });

  test.each([
    ['it', 'IT', '20138'],
    ['De', 'DE', '10827'],
    ['gb', 'GB', 'EC1A 1BB'],
    ['aq', 'AQ', 'BIQQ 1ZZ'],
  ])('country %s is stored as %s', async (sent, stored, postalCode) => {
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, country: sent, postalCode });
    expect(status).toBe(201);
    expect(body.country).toBe(stored);
  });

  test.each([
    ['name', 200],
    ['address', 200],
    ['city', 200],
    ['state', 200],
    // Ghana is a country without a known form of postal codes.
    ['postalCode', 20],
  ])('%s may have %d characters', async (field, length) => {
    const text = 'x'.repeat(length);
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, country: 'GH', [field]: text });
    expect(status).toBe(201);
    expect(body[field]).toBe(text);
  });

  test('a character is a character, however many units of UTF-16 it takes', async () => {
    const name = '📦'.repeat(200);
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, name });
    expect(status).toBe(201);
    expect(body.name).toBe(name);
    expect(refusal(await caller.rest('POST', '/warehouses', { ...WAREHOUSE, name: `${name}📦` }))).toEqual([
      ['/name', 'too_long'],
    ]);
  });

  test('accents, quotes, markup and other scripts come back as they were sent', async () => {
    const texts = {
      name: `L'Àncora "Più" <b>&amp;</b> \\ / %00`,
      city: '東京 Ђ ع 👩‍👩‍👧',
      address: "'; drop table warehouse; --",
    };
    const { body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, ...texts });
    expect(body).toMatchObject(texts);
    expect((await caller.rest('GET', `/warehouses/${body.id}`)).body).toEqual(body);
  });
});

interface WrongCase {
  name: string;
  /** Changes to a good body. */
  change: Record<string, unknown>;
  wrong: [pointer: string, code: string][];
}

const BLANK: [string, unknown][] = [
  ['empty', ''],
  ['blank', '   '],
  ['only line breaks', '\n\t\r\n'],
  ['null', null],
];
const NOT_TEXT: [string, unknown][] = [
  ['a number', 7],
  ['true', true],
  ['a list', ['x']],
  ['an object', { x: 1 }],
];
const BAD_TEXT: [string, string][] = [
  ['U+0000 inside', 'a\u0000b'],
  ['U+0000 alone', '\u0000'],
  ['a bell', 'a\u0007b'],
  ['a line break inside', 'a\nb'],
  ['a tab inside', 'a\tb'],
  ['U+007F', 'a\u007fb'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\udce6a'],
];

const WRONG_TEXTS: WrongCase[] = TEXTS.flatMap(field => [
  ...BLANK.map(([what, value]) => ({
    name: `${field} ${what}`,
    change: { [field]: value },
    wrong: [[`/${field}`, 'required']] as [string, string][],
  })),
  ...NOT_TEXT.map(([what, value]) => ({
    name: `${field} ${what}`,
    change: { [field]: value },
    wrong: [[`/${field}`, 'wrong_type']] as [string, string][],
  })),
  ...BAD_TEXT.map(([what, value]) => ({
    name: `${field} with ${what}`,
    change: { [field]: value, country: 'GH' },
    wrong: [[`/${field}`, 'invalid_text']] as [string, string][],
  })),
  {
    name: `${field} too long`,
    change: { [field]: 'x'.repeat(field === 'postalCode' ? 21 : 201), country: 'GH' },
    wrong: [[`/${field}`, 'too_long']],
  },
]);

const WRONG_TYPE_IDS: WrongCase[] = (
  [
    [0, 'not_allowed'],
    [5, 'not_allowed'],
    [-1, 'not_allowed'],
    [2_147_483_647, 'not_allowed'],
    [2_147_483_648, 'wrong_type'],
    [1.5, 'wrong_type'],
    [1e100, 'wrong_type'],
    ['1', 'wrong_type'],
    ['', 'wrong_type'],
    [true, 'wrong_type'],
    [[1], 'wrong_type'],
    [{}, 'wrong_type'],
    [null, 'required'],
  ] as [unknown, string][]
).map(([typeId, code]) => ({
  name: `typeId ${JSON.stringify(typeId)}`,
  change: { typeId },
  wrong: [['/typeId', code]],
}));

const WRONG_COUNTRIES: WrongCase[] = [
  ...['XX', 'UK', 'ZZ', 'EU', 'XK', 'AA', 'IIT', 'ITA', 'I', 'I T', 'Italia', '39', '', '  ', 'IT\u0000'].map(
    country => [country, 'unknown_country'] as const,
  ),
  // Upper case would make ıt, ſe and the ligature ﬁ into IT, SE and FI.
  ...['ıt', 'ſe', '\ufb01'].map(country => [country, 'unknown_country'] as const),
  ...[7, true, ['IT'], { code: 'IT' }].map(country => [country, 'wrong_type'] as const),
  [null, 'required'] as const,
].map(([country, code]) => ({
  name: `country ${JSON.stringify(country)}`,
  change: { country },
  wrong: [['/country', code]],
}));

const WRONG_POSTAL_CODES: WrongCase[] = (
  [
    ['IT', '2013'],
    ['IT', '201388'],
    ['IT', '2013A'],
    ['IT', '20 138'],
    ['IT', 'IT-20138'],
    ['IT', '٢٠١٣٨'],
    ['IT', '２０１３８'],
    ['it', '2013'],
    ['SM', '2013'],
    ['US', '1234'],
    ['GB', '20138'],
    ['NL', '20138'],
    ['CR', '10101x'],
  ] as const
).map(([country, postalCode]) => ({
  name: `postal code ${postalCode} of ${country}`,
  change: { country, postalCode },
  wrong: [['/postalCode', 'invalid_postal_code']],
}));

const UNKNOWN_FIELDS: WrongCase[] = (
  [
    ['companyId', '/companyId'],
    ['id', '/id'],
    ['isPrincipal', '/isPrincipal'],
    ['Name', '/Name'],
    ['', '/'],
    ['a/b', '/a~1b'],
    ['~', '/~0'],
    ['constructor', '/constructor'],
    ['toString', '/toString'],
    ['hasOwnProperty', '/hasOwnProperty'],
  ] as const
).map(([field, pointer]) => ({
  name: `unknown field ${JSON.stringify(field)}`,
  change: { [field]: 'x' },
  wrong: [[pointer, 'unknown_field']],
}));

const WRONG: WrongCase[] = [
  ...WRONG_TEXTS,
  ...WRONG_TYPE_IDS,
  ...WRONG_COUNTRIES,
  ...WRONG_POSTAL_CODES,
  ...UNKNOWN_FIELDS,
  {
    name: 'an unknown field that is null',
    change: { companyId: null },
    wrong: [['/companyId', 'unknown_field']],
  },
  {
    name: 'everything wrong at once, each told',
    change: { name: ' ', address: '\u0000', city: 'x'.repeat(201), state: '', typeId: 9, country: 'XX' },
    wrong: [
      ['/name', 'required'],
      ['/address', 'invalid_text'],
      ['/city', 'too_long'],
      ['/state', 'required'],
      ['/country', 'unknown_country'],
      ['/typeId', 'not_allowed'],
    ],
  },
];

describe('create refuses', () => {
  test.each(FIELDS)('a body without %s', async field => {
    const { [field]: _, ...rest } = WAREHOUSE;
    expect(refusal(await caller.rest('POST', '/warehouses', rest))).toEqual([[`/${field}`, 'required']]);
  });

  test.each([{ body: {} }, { body: undefined }])('the body $body, naming all seven fields', async ({ body }) => {
    const wrong = refusal(await caller.rest('POST', '/warehouses', body));
    expect(wrong).toEqual(FIELDS.map(field => [`/${field}`, 'required']).toSorted());
  });

  test.each(WRONG)('$name', async ({ change, wrong }) => {
    const before = (await caller.rest('GET', '/warehouses')).text;
    expect(refusal(await caller.rest('POST', '/warehouses', { ...WAREHOUSE, ...change }))).toEqual(wrong.toSorted());
    expect((await caller.rest('GET', '/warehouses')).text).toBe(before);
  });

  test('a field named __proto__', async () => {
    const body = JSON.stringify(WAREHOUSE).replace('{', '{"__proto__":{"name":"x"},');
    expect(refusal(await caller.rest('POST', '/warehouses', body))).toEqual([['/__proto__', 'unknown_field']]);
  });
});

describe('list and get', () => {
  test('a company without warehouses has an empty list', async () => {
    const { status, body } = await (await world.company()).rest('GET', '/warehouses');
    expect(status).toBe(200);
    expect(body).toEqual([]);
  });

  test('the list is by ascending id, whatever was changed since', async () => {
    const own = await world.company();
    const ids = [];
    for (const name of ['C', 'A', 'B']) ids.push(await createWarehouse(own, { name }));
    await own.rest('PATCH', `/warehouses/${ids[0]}`, { name: 'Z' });
    const { body } = await own.rest('GET', '/warehouses');
    expect(body.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [ids[0], 'Z'],
      [ids[1], 'A'],
      [ids[2], 'B'],
    ]);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test('get and list answer the very warehouse that was created', async () => {
    const own = await world.company();
    const created = await own.rest('POST', '/warehouses', WAREHOUSE);
    const { status, text } = await own.rest('GET', `/warehouses/${created.body.id}`);
    expect(status).toBe(200);
    expect(text).toBe(created.text);
    expect((await own.rest('GET', '/warehouses')).text).toBe(`[${created.text}]`);
  });
});

describe('change', () => {
  const CHANGES = {
    name: 'Altro nome',
    typeId: 3,
    address: 'Via Argine 313',
    postalCode: '80147',
    city: 'Napoli',
    state: 'NA',
    country: 'SM',
  };

  test.each(FIELDS)('%s alone, and nothing else', async field => {
    const { body: before } = await caller.rest('POST', '/warehouses', {
      ...WAREHOUSE,
      // San Marino's postal codes are Italian ones.
      postalCode: '47890',
    });
    untilAfter(before.updatedAt);
    const change = { [field]: field === 'postalCode' ? '47895' : CHANGES[field] };
    const { status, body } = await caller.rest('PATCH', `/warehouses/${before.id}`, change);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      ...change,
      ...(field === 'typeId' && { isPrincipal: false, warehouseType: { id: 3, name: 'Drop Shipping' } }),
      updatedAt: expect.stringMatching(INSTANT),
    });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await caller.rest('GET', `/warehouses/${before.id}`)).body).toEqual(body);
  });

  test('all fields at once, trimmed and in upper case', async () => {
    const id = await createWarehouse(caller);
    const { body } = await caller.rest('PATCH', `/warehouses/${id}`, {
      name: ' Nuovo ',
      typeId: 4,
      address: ' Hauptstraße 5 ',
      postalCode: ' 10827 ',
      city: ' Berlin ',
      state: ' BE ',
      country: 'de',
    });
    expect(body).toMatchObject({
      name: 'Nuovo',
      typeId: 4,
      address: 'Hauptstraße 5',
      postalCode: '10827',
      city: 'Berlin',
      state: 'BE',
      country: 'DE',
    });
  });

  test.each(WRONG)('refuses $name', async ({ change, wrong }) => {
    const id = await createWarehouse(caller);
    const before = (await caller.rest('GET', `/warehouses/${id}`)).text;
    expect(refusal(await caller.rest('PATCH', `/warehouses/${id}`, change))).toEqual(wrong.toSorted());
    expect((await caller.rest('GET', `/warehouses/${id}`)).text).toBe(before);
  });

  test.each([
    { name: 'an empty object', body: '{}', wrong: [['', 'empty']] },
    { name: 'no body', body: undefined, wrong: [['', 'empty']] },
    { name: 'an empty body', body: '', wrong: [['', 'empty']] },
    { name: 'null', body: 'null', wrong: [['', 'wrong_type']] },
    { name: 'a list', body: '[{"name":"x"}]', wrong: [['', 'wrong_type']] },
    { name: 'a text', body: '"name"', wrong: [['', 'wrong_type']] },
    { name: 'a number', body: '1', wrong: [['', 'wrong_type']] },
    { name: '__proto__', body: '{"__proto__":{"name":"x"}}', wrong: [['/__proto__', 'unknown_field']] },
  ])('refuses $name', async ({ body, wrong }) => {
    const id = await createWarehouse(caller);
    expect(refusal(await caller.rest('PATCH', `/warehouses/${id}`, body))).toEqual(wrong);
  });

  test.each([
    { from: ['IT', '20138'], change: { postalCode: 'EC1A 1BB' }, wrong: '/postalCode' },
    { from: ['IT', '20138'], change: { postalCode: '2013' }, wrong: '/postalCode' },
    { from: ['IT', '20138'], change: { country: 'GB' }, wrong: '/country' },
    { from: ['GB', 'EC1A 1BB'], change: { country: 'IT' }, wrong: '/country' },
    { from: ['GB', 'EC1A 1BB'], change: { postalCode: '20138' }, wrong: '/postalCode' },
    { from: ['GH', 'anything'], change: { country: 'IT' }, wrong: '/country' },
    { from: ['IT', '20138'], change: { country: 'GB', postalCode: '20138' }, wrong: '/postalCode' },
  ])('refuses $change of an address $from, as it would be after it', async ({ from, change, wrong }) => {
    const [country, postalCode] = from;
    const id = await createWarehouse(caller, { country, postalCode });
    const answer = await caller.rest('PATCH', `/warehouses/${id}`, { city: 'Altrove', ...change });
    expect(refusal(answer)).toEqual([[wrong, 'invalid_postal_code']]);
    expect((await caller.rest('GET', `/warehouses/${id}`)).body).toMatchObject({ country, postalCode, city: 'Milano' });
  });

  test.each([
    { from: ['IT', '20138'], change: { country: 'DE' } },
    { from: ['IT', '20138'], change: { country: 'GB', postalCode: 'EC1A 1BB' } },
    { from: ['GB', 'EC1A 1BB'], change: { country: 'GH' } },
    { from: ['GH', 'anything'], change: { postalCode: 'else' } },
    { from: ['GH', '20138'], change: { country: 'IT' } },
  ])('takes $change of an address $from', async ({ from, change }) => {
    const [country, postalCode] = from;
    const id = await createWarehouse(caller, { country, postalCode });
    const { status, body } = await caller.rest('PATCH', `/warehouses/${id}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({ country, postalCode, ...change });
  });

  test('two changes at once are both kept', async () => {
    const id = await createWarehouse(caller);
    await Promise.all([
      caller.rest('PATCH', `/warehouses/${id}`, { name: 'Insieme' }),
      caller.rest('PATCH', `/warehouses/${id}`, { city: 'Lodi' }),
    ]);
    expect((await caller.rest('GET', `/warehouses/${id}`)).body).toMatchObject({ name: 'Insieme', city: 'Lodi' });
  });
});

describe('delete', () => {
  test('answers 204 without a body, and the warehouse is gone for good', async () => {
    const id = await createWarehouse(caller);
    const { status, text, headers } = await caller.rest('DELETE', `/warehouses/${id}`);
    expect(status).toBe(204);
    expect(text).toBe('');
    expect(headers.get('content-type')).toBeNull();
    for (const [method, body] of [['DELETE'], ['GET'], ['PATCH', { name: 'x' }]] as const) {
      const again = await caller.rest(method, `/warehouses/${id}`, body);
      expect([again.status, again.body.code]).toEqual([404, 'warehouse_not_found']);
    }
    const { body: list } = await caller.rest('GET', '/warehouses');
    expect(list.map((one: { id: number }) => one.id)).not.toContain(id);
    expect(await createWarehouse(caller)).toBeGreaterThan(id);
  });

  test.each([
    { orders: 2, shipments: 0 },
    { orders: 0, shipments: 1 },
    { orders: 1, shipments: 3 },
  ])('is refused while $orders orders and $shipments shipments refer to it, and nothing is lost', async counts => {
    const own = await world.company();
    const carrierCompanyId = await connectCarrier(own);
    const warehouseId = await createWarehouse(own);
    const other = await createWarehouse(own);
    const numbers = (n: number, prefix: string) => Array.from({ length: n }, (_, i) => `${prefix}${i}`);
    const orders = numbers(counts.orders, 'O');
    const shipments = numbers(counts.shipments, 'S');
    await feedOrders(own, { orderNumber: 'ELSEWHERE', warehouseId: other });
    await feedOrders(own, ...orders.map(orderNumber => ({ orderNumber, warehouseId })));
    await feedShipments(own, carrierCompanyId, ...shipments.map(trackingNumber => ({ trackingNumber, warehouseId })), {
      trackingNumber: 'ELSEWHERE',
      warehouseId: other,
    });
    const before = (await own.rest('GET', '/warehouses')).text;

    const { status, body } = await own.rest('DELETE', `/warehouses/${warehouseId}`);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'warehouse_in_use', ...counts });

    expect((await own.rest('GET', '/warehouses')).text).toBe(before);
    const { data } = await own.graphql<{
      orders: { edges: { node: { orderNumber: string; warehouse: { id: number } } }[] };
      shipments: { edges: { node: { trackingNumber: string; warehouse: { id: number } } }[] };
    }>(`{
      orders { edges { node { orderNumber warehouse { id } } } }
      shipments { edges { node { trackingNumber warehouse { id } } } }
    }`);
    const there = (edges: { node: { warehouse: { id: number } } }[]) =>
      edges.filter(({ node }) => node.warehouse.id === warehouseId).length;
    expect([there(data.orders.edges), there(data.shipments.edges)]).toEqual([counts.orders, counts.shipments]);
  });

  test('works once nothing refers to it any more', async () => {
    const own = await world.company();
    const warehouseId = await createWarehouse(own);
    await feedOrders(own, { orderNumber: 'O1', warehouseId });
    expect((await own.rest('DELETE', `/warehouses/${warehouseId}`)).status).toBe(409);
    await feedOrders(own, { orderNumber: 'O1', warehouseId: null });
    expect((await own.rest('DELETE', `/warehouses/${warehouseId}`)).status).toBe(204);
  });

  test('and an order that comes at the same moment never end in an order without its warehouse', async () => {
    const own = await world.company();
    for (let round = 0; round < 8; round++) {
      const warehouseId = await createWarehouse(own);
      const [removal, { results }] = await Promise.all([
        own.rest('DELETE', `/warehouses/${warehouseId}`),
        upsertOrders(own, [
          {
            orderNumber: `O${round}`,
            warehouseId,
            recipient: { address: 'Via Roma 1', postalCode: '00185', city: 'Roma' },
          },
        ]),
      ]);
      const [result] = results;
      if (removal.status === 204) expect(result).toMatchObject({ outcome: 'rejected', code: 'warehouse_not_found' });
      else expect([removal.status, result?.outcome]).toEqual([409, 'created']);
    }
  });
});

describe('an id that is malformed answers as one that never existed', () => {
  const MALFORMED = [
    'abc',
    '0',
    '-1',
    '+1',
    '01',
    '1.5',
    '1.0',
    '1e3',
    '0x1',
    '1,2',
    '2147483648',
    '99999999999',
    '9'.repeat(400),
    '%00',
    '1%00',
    '%201',
    '1%20',
    '%zz',
    '%D9%A1', // ١
    '%EF%BC%91', // １
    '%F0%9F%93%A6',
    '%2F',
    '1%2F2',
    'null',
    'NaN',
    "1'--",
  ];
  const METHODS = [['GET'], ['PATCH', '{"name":"x"}'], ['DELETE']] as const;

  test.each(MALFORMED)('%s', async id => {
    // So that a lenient reader of 1, ١ or 1.5 would find something.
    const headers = { 'x-api-key': caller.apiKey };
    for (const [method, body] of METHODS) {
      const options = {
        method,
        headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
        chunks: body ? [body] : [],
      };
      const never = await send(world.app.url, { ...options, path: '/api/v1/integrations/warehouses/2147483647' });
      const malformed = await send(world.app.url, { ...options, path: `/api/v1/integrations/warehouses/${id}` });
      expect(never.status).toBe(404);
      expect(never.body.code).toBe('warehouse_not_found');
      expect(unnamed(malformed)).toEqual(unnamed(never));
      expect(malformed.body.instance).toBe(`/api/v1/integrations/warehouses/${id}`);
    }
  });

  test('warehouse 1 exists, so that a lenient reader of 01, ١ or 1e0 would find it', async () => {
    const { status, body } = await caller.rest('GET', '/warehouses/1');
    expect([status, body.id]).toEqual([200, 1]);
  });
});
