import { beforeAll, describe, expect, test } from 'vitest';
import { INSTANT } from '../support/instants.ts';
import { createWarehouse, WAREHOUSE } from '../support/platform-side.ts';
import { wrongFields } from '../support/rest-client.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { FIELDS, TEXTS, WRONG } from './warehouse-input.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

describe('The creation of a warehouse', () => {
  test('returns 201 with exactly the fields of a warehouse', async () => {
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
  ])('shows the type $typeId as $name', async ({ typeId, name, isPrincipal }) => {
    const { body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, typeId });
    expect(body).toMatchObject({ typeId, isPrincipal, warehouseType: { id: typeId, name } });
  });

  test('accepts several principal warehouses', async () => {
    const own = await world.company();
    await createWarehouse(own, { typeId: 1 });
    await createWarehouse(own, { typeId: 1 });
    const { body } = await own.rest('GET', '/warehouses');
    expect(body.map(({ isPrincipal }: { isPrincipal: boolean }) => isPrincipal)).toEqual([true, true]);
  });

  test('trims texts', async () => {
    const padded = Object.fromEntries(TEXTS.map(field => [field, ` \t${WAREHOUSE[field]}\n `]));
    const { body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, ...padded, country: ' it ' });
    expect(body).toMatchObject(WAREHOUSE);
  });

  test.each([
    ['it', 'IT', '20138'],
    ['De', 'DE', '10827'],
    ['gb', 'GB', 'EC1A 1BB'],
    ['aq', 'AQ', 'BIQQ 1ZZ'],
  ])('stores the country %s as %s', async (sent, stored, postalCode) => {
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, country: sent, postalCode });
    expect(status).toBe(201);
    expect(body.country).toBe(stored);
  });

  test('counts a character as one, however many units of UTF-16 it takes', async () => {
    const name = '📦'.repeat(200);
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, name });
    expect(status).toBe(201);
    expect(body.name).toBe(name);
    expect(wrongFields(await caller.rest('POST', '/warehouses', { ...WAREHOUSE, name: `${name}📦` }))).toEqual([
      ['/name', 'too_long'],
    ]);
  });

  test('returns accents, quotes, markup and other scripts as they were sent', async () => {
    const texts = {
      name: `L'Àncora "Più" <b>&amp;</b> \\ / %00`,
      city: '東京 Ђ ع 👩🏽',
      address: "'; drop table warehouse; --",
    };
    const { body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, ...texts });
    expect(body).toMatchObject(texts);
    expect((await caller.rest('GET', `/warehouses/${body.id}`)).body).toEqual(body);
  });
});

describe('The creation of a warehouse rejects', () => {
  test.each(FIELDS)('a body without %s', async field => {
    const { [field]: _, ...rest } = WAREHOUSE;
    expect(wrongFields(await caller.rest('POST', '/warehouses', rest))).toEqual([[`/${field}`, 'required']]);
  });

  test('the body {}, and names all seven fields', async () => {
    const wrong = wrongFields(await caller.rest('POST', '/warehouses', {}));
    expect(wrong).toEqual(FIELDS.map(field => [`/${field}`, 'required']).toSorted());
  });

  test.each(WRONG)('$name', async ({ change, wrong }) => {
    const before = (await caller.rest('GET', '/warehouses')).text;
    expect(wrongFields(await caller.rest('POST', '/warehouses', { ...WAREHOUSE, ...change }))).toEqual(
      wrong.toSorted(),
    );
    expect((await caller.rest('GET', '/warehouses')).text).toBe(before);
  });

  test('a field named __proto__', async () => {
    const body = JSON.stringify(WAREHOUSE).replace('{', '{"__proto__":{"name":"x"},');
    expect(wrongFields(await caller.rest('POST', '/warehouses', body))).toEqual([['/__proto__', 'unknown_field']]);
  });
});
