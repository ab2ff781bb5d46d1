import { describe, expect, test } from 'vitest';
import { ALL_SCOPES } from '../../src/platform/scopes.ts';
import { flat, merchant } from '../rest/tariffs.ts';
import { CREDENTIALS, connectSandbox } from '../support/carriers.ts';
import { failureOf } from '../support/graphql-client.ts';
import {
  ask,
  connectCarrier,
  type Item,
  outcomes,
  recordEvents,
  refusal,
  shipment,
  upsertShipments,
} from '../support/platform-side.ts';
import {
  CONNECT,
  CONNECTION,
  check,
  connect,
  DISCONNECT,
  disconnect,
  LIST,
  list,
  NOBODYS,
  outcomeOf,
  strange,
  TEST,
  UPDATE,
  update,
  useConnections,
} from './connection-calls.ts';

const given = useConnections();
const { world, receiver, logged, boxOf, stillness, still } = given;

describe('updateCarrierConnection', () => {
  test.each<[string, Item, Item]>([
    ['the label', { label: ' Nuovo ' }, { label: 'Nuovo' }],
    ['whether it is used', { isActive: false }, { isActive: false }],
    ['the base address', { baseUrl: 'https://b.example/' }, { baseUrl: 'https://b.example' }],
    ['the base address to none', { baseUrl: null }, { baseUrl: null }],
    ['the credentials to none', { credentials: null }, { hasCredentials: false }],
    ['the credentials', { credentials: strange('BRT') }, {}],
    [
      'all at once',
      { label: 'N', isActive: false, baseUrl: null, credentials: null },
      { label: 'N', isActive: false, baseUrl: null, hasCredentials: false },
    ],
  ])('changes %s and nothing else', async (_what, input, changed) => {
    const by = await world.company();
    const baseUrl = 'https://a.example';
    const before = await connect(by, { baseUrl, credentials: CREDENTIALS.BRT });
    const other = await connect(by, { label: 'Altro', baseUrl, credentials: CREDENTIALS.BRT });
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(before.updatedAt));
    const after = await update(by, before.databaseId, input);
    expect(after).toEqual({ ...before, ...changed, updatedAt: expect.any(String) });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await list(by)).toEqual([after, other]);
  });

  test('uses the new credentials in all later requests, and never the old ones', async () => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'DHL', { credentials: strange('DHL', 'old') });
    expect(await outcomeOf(by, id)).toBe('refused');
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    receiver.clear();
    await update(by, id, { credentials: CREDENTIALS.DHL });
    expect(await outcomeOf(by, id)).toBe('accepted');
    // In another process of the service too.
    expect(await outcomeOf(logged.as(by), id)).toBe('accepted');
    const basic = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
  });

  test('replaces all credentials together, and removes them with null', async () => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'GLS');
    const { depot: _, ...some } = CREDENTIALS.GLS;
    const box = await boxOf(id);
    expect(await refusal(by, UPDATE, { input: { id, label: 'x', credentials: some } })).toBe(
      'validation_failed: /credentials/depot required',
    );
    expect(await boxOf(id)).toEqual(box);
    expect((await update(by, id, { credentials: null })).hasCredentials).toBe(false);
    expect(await boxOf(id)).toBeNull();
    expect(await outcomeOf(by, id)).toBe('no_credentials');
    expect(await check(by, id)).toBe('VERIFICATION_ERROR');
    expect(receiver.requests).toEqual([]);
    expect((await update(by, id, { credentials: CREDENTIALS.GLS })).hasCredentials).toBe(true);
    expect(await outcomeOf(by, id)).toBe('accepted');
  });

  test.each<[string, Item, string]>([
    ['nothing', {}, ' empty'],
    ['a label of null', { label: null }, '/label required'],
    ['isActive of null', { isActive: null }, '/isActive required'],
    ['half the credentials', { credentials: { userId: 'u' } }, '/credentials/password required'],
    [
      'another carrier’s',
      { credentials: { userId: 'u', password: 'p', contractCode: 'x' } },
      '/credentials/contractCode not_allowed',
    ],
    ['another carrier', { carrierCode: 'GLS' }, '/carrierCode unknown_field'],
    ['another environment', { environment: 'sandbox' }, '/environment unknown_field'],
    [
      'a good and two bad fields',
      { isActive: false, label: ' ', credentials: { password: ' ' } },
      '/label required, /credentials/password required, /credentials/userId required',
    ],
  ])('rejects an update to %s, and changes nothing', async (_what, input, wrong) => {
    const before = await stillness();
    expect(await refusal(still.by, UPDATE, { input: { id: still.id, ...input } })).toBe(`validation_failed: ${wrong}`);
    expect(await stillness()).toEqual(before);
  });

  test('rejects credentials for a carrier without an interface, but accepts null', async () => {
    const by = await world.sandbox();
    const id = await connectCarrier(by, 'INPOST');
    const input = { credentials: { username: 'u', password: 'p' } };
    expect(await refusal(by, UPDATE, { input: { id, ...input } })).toBe('validation_failed: /credentials not_allowed');
    expect((await update(by, id, { credentials: null })).hasCredentials).toBe(false);
  });
});

describe('disconnectCarrier', () => {
  test('returns the connection as it is afterwards, and deletes its credentials', async () => {
    const by = await world.company();
    const before = await connect(by, { baseUrl: 'https://a.example', credentials: CREDENTIALS.BRT });
    const { databaseId: id } = before;
    expect(await disconnect(by, id)).toEqual({
      ...before,
      isActive: false,
      baseUrl: null,
      hasCredentials: false,
      updatedAt: expect.any(String),
    });
    expect(await boxOf(id)).toBeNull();
  });

  test('removes the connection from every list, so that it is not found any more', async () => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'BRT');
    const stays = await connectSandbox(by, 'GLS');
    await disconnect(by, id);
    expect((await by.rest('GET', '/carriers')).body).toMatchObject([{ carrierCompanyId: stays }]);
    expect(await list(by)).toMatchObject([{ databaseId: stays }]);
    expect(await check(by, id)).toBe('carrier_connection_not_found');
    for (const [, query, variables] of ABOUT_ONE) {
      expect(await refusal(by, query, { id, ...variables })).toBe('carrier_connection_not_found');
    }
    expect(receiver.requests).toEqual([]);
    // The remaining connections are unchanged.
    expect(await check(by, stays)).toBe('ADDRESS_VALID');
  });

  test('also disconnects a connection that is inactive or has no interface', async () => {
    const by = await world.sandbox();
    for (const input of [{ isActive: false }, { carrierCode: 'POSTE' }]) {
      const { databaseId: id } = await connect(by, input);
      await disconnect(by, id);
      expect(await refusal(by, DISCONNECT, { id })).toBe('carrier_connection_not_found');
    }
    expect(await list(by)).toEqual([]);
  });

  test('removes the connection from quotes at once, and blocks the import of its tariff', async () => {
    const { caller, ids, quote } = await merchant(await world.sandbox(), flat(5), flat(7));
    const [gone = 0, stays = 0] = ids;
    expect((await quote()).body.map((item: Item) => item.carrierCompanyId)).toEqual([gone, stays]);
    await disconnect(caller, gone);
    expect((await quote()).body.map((item: Item) => item.carrierCompanyId)).toEqual([stays]);
    expect((await quote({ carrierCompanyIds: [gone] })).body).toMatchObject({ warning: true });
    const importing =
      'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { id: databaseId } userErrors { code pointer message } } }';
    const input = { carrierConnectionId: gone, tariff: flat(6) };
    expect(await refusal(caller, importing, { input })).toBe('carrier_connection_not_found');
    await disconnect(caller, stays);
    expect((await quote()).body).toMatchObject({ warning: true, code: 'NO_CARRIERS_CONNECTED' });
  });

  test('leaves the shipments of the connection unchanged: they can be found and filtered', async () => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'GLS');
    await upsertShipments(by, [
      shipment(id, 'KEPT1', { relatedShipments: [{ trackingNumber: 'KEPT2', type: 'return' }] }),
    ]);
    await upsertShipments(by, [shipment(id, 'KEPT2')]);
    const path = '/shipments/tracking/by-tracking-number/KEPT1';
    const before = (await by.rest('GET', path)).body;
    expect(before).toMatchObject({
      carrier: { name: 'GLS Italy' },
      relatedShipments: [{ trackingNumber: 'KEPT2', carrierName: 'GLS Italy' }],
    });
    await disconnect(by, id);
    expect((await by.rest('GET', path)).body).toEqual(before);
    const query = `query ($id: ID!) {
      shipments(filter: { carrierConnectionId: $id }) {
        edges { node { trackingNumber carrier { code name } carrierConnection { ${CONNECTION} carrierName } } }
      }
    }`;
    const carrierConnection = {
      databaseId: id,
      carrierCode: 'GLS',
      carrierName: 'GLS Italy',
      label: 'Sandbox GLS',
      isActive: false,
      hasCredentials: false,
    };
    const { edges } = await ask<{ edges: { node: Item }[] }>(by, query, { id });
    expect(edges.map(({ node }) => node)).toMatchObject(
      ['KEPT2', 'KEPT1'].map(trackingNumber => ({
        trackingNumber,
        carrier: { code: 'GLS', name: 'GLS Italy' },
        carrierConnection,
      })),
    );
  });

  test('still lets events be recorded for its shipments, but stops their polling', async () => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'BRT');
    await upsertShipments(by, [shipment(id, 'LATE')]);
    const polls = async () =>
      (await given.database.query('select 1 from tracking_poll where carrier_connection_id = $1', [id])).rowCount;
    expect(await polls()).toBe(1);
    await disconnect(by, id);
    expect(await polls()).toBe(0);
    const event = { trackingNumber: 'LATE', description: 'CONSEGNATA', carrierStatusCode: '704' };
    const recorded = await recordEvents(by, [
      { ...event, occurredAt: '2026-11-20T09:00:00Z' },
      { ...event, occurredAt: '2026-11-20T10:00:00Z', carrierConnectionId: id },
    ]);
    expect(outcomes(recorded)).toEqual(['created', 'created']);
    const { body } = await by.rest('GET', '/shipments/tracking/by-tracking-number/LATE');
    expect(body).toMatchObject({ status: 'Consegnata', timeline: [{}, {}] });
    expect(await polls()).toBe(0);
  });

  test('makes the connection reject shipments, both new and known ones', async () => {
    const by = await world.sandbox();
    const [id, stays] = [await connectSandbox(by, 'BRT'), await connectSandbox(by, 'BRT')];
    await upsertShipments(by, [shipment(id, 'KNOWN')]);
    await disconnect(by, id);
    const batch = [shipment(id, 'NEW'), shipment(id, 'KNOWN', { parcelCount: 2 }), shipment(stays, 'OTHER')];
    const { results } = await upsertShipments(by, batch);
    expect(results.map(({ outcome, code, pointer }) => [outcome, code, pointer])).toEqual([
      ['rejected', 'carrier_connection_not_found', '/shipments/0/carrierConnectionId'],
      ['rejected', 'carrier_connection_not_found', '/shipments/1/carrierConnectionId'],
      ['created', null, null],
    ]);
    expect((await upsertShipments(by, [shipment(NOBODYS, 'NEW')])).results[0]).toEqual(results[0]);
  });

  test('lets the same account be connected again, as another connection', async () => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'BRT');
    await upsertShipments(by, [shipment(id, 'AGAIN')]);
    await disconnect(by, id);
    const again = await connectSandbox(by, 'BRT');
    expect(again).toBeGreaterThan(id);
    expect(outcomes(await upsertShipments(by, [shipment(again, 'AGAIN')]))).toEqual(['created']);
  });
});

/** Changes all there is to change of a connection. */
const CLEAR = UPDATE.replace('$input: UpdateCarrierConnectionInput!', '$id: ID!').replace(
  'input: $input',
  'input: { id: $id, label: "N", isActive: false, credentials: null }',
);

const ABOUT_ONE: [what: string, query: string, variables: Item][] = [
  ['updates', CLEAR, {}],
  ['disconnects', DISCONNECT, {}],
  ['tests', TEST, {}],
];

describe('Another company', () => {
  test.each(ABOUT_ONE)(
    '%s nothing: it gets the same response as for a connection that never existed',
    async (_what, query, args) => {
      const [by, stranger] = [await world.sandbox(), await world.sandbox()];
      const id = await connectSandbox(by, 'BRT');
      const disconnected = await connectSandbox(by, 'GLS');
      await disconnect(by, disconnected);
      const before = [await list(by), await boxOf(id)];
      const told = async (one: number) => {
        const { data, ...rest } = await stranger.graphql(query, { id: one, ...args });
        return { data, failure: failureOf({ data, ...rest }), ...rest };
      };
      const absent = await told(NOBODYS);
      expect(absent.failure).toMatchObject({ code: 'carrier_connection_not_found', pointer: '/id' });
      for (const one of [id, disconnected, 0]) expect(await told(one)).toEqual(absent);
      expect([await list(by), await boxOf(id)]).toEqual(before);
      expect(receiver.requests).toEqual([]);
    },
  );

  test('cannot check an address with the connection', async () => {
    const [by, stranger] = [await world.sandbox(), await world.sandbox()];
    const id = await connectSandbox(by, 'BRT');
    expect(await check(stranger, id)).toBe('carrier_connection_not_found');
    expect(receiver.requests).toEqual([]);
  });
});

describe('The required scope', () => {
  const MANAGED: [string, string, Item][] = [
    ['connectCarrier', CONNECT, { input: { carrierCode: 'BRT', label: 'x' } }],
    ['updateCarrierConnection', CLEAR, {}],
    ['testCarrierConnection', TEST, {}],
    ['disconnectCarrier', DISCONNECT, {}],
  ];
  test.each(MANAGED)('for %s is carriers:manage, and no other', async (_what, query, variables) => {
    const by = await world.sandbox();
    const id = await connectSandbox(by, 'BRT');
    const before = await list(by);
    const others = ALL_SCOPES.filter(scope => scope !== 'carriers:manage');
    const { data, errors } = await (await world.key(by.companyId, others)).graphql(query, { id, ...variables });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
      requiredScope: 'carriers:manage',
    });
    expect(Object.values(data ?? {}).filter(value => value !== null)).toEqual([]);
    expect(await list(by)).toEqual(before);
    expect(receiver.requests).toEqual([]);
    const one = await world.key(by.companyId, ['carriers:manage']);
    expect(failureOf(await one.graphql(query, { id, ...variables }))).toBeUndefined();
  });

  test('to read a connection is carriers:read, and carriers:manage alone is not enough', async () => {
    const by = await world.company();
    await connect(by, { label: 'Prova', baseUrl: 'https://a.example', credentials: CREDENTIALS.BRT });
    await connect(by, { label: 'Vera' });
    const reader = await world.key(by.companyId, ['carriers:read']);
    expect(await list(reader)).toMatchObject([
      { label: 'Prova', environment: 'live', baseUrl: 'https://a.example', hasCredentials: true },
      { label: 'Vera', environment: 'live', baseUrl: null, hasCredentials: false },
    ]);
    const manager = await world.key(by.companyId, ['carriers:manage']);
    expect(await refusal(manager, LIST, {})).toBe('insufficient_scope');
  });
});

test.each([
  ['a number for a text', 'password: 87654321'],
  ['a list for a text', 'password: [87654321]'],
])('A credential written into the document as %s is not repeated by the rejection', async (_what, literal) => {
  const by = await world.sandbox();
  const { errors } = await by.graphql(
    `mutation { connectCarrier(input: { carrierCode: BRT, label: "x", credentials: { userId: "u", ${literal} } }) { carrierConnection { databaseId } userErrors { code pointer message } } }`,
  );
  expect(errors).toMatchObject([{ extensions: { code: 'graphql_invalid' } }]);
  expect(JSON.stringify(errors)).not.toContain('87654321');
});
