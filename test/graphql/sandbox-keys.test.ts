import { beforeAll, describe, expect, test } from 'vitest';
import { dayInItaly } from '../../src/domain/date-time.rules.ts';
import { createWarehouse, feedEvents, feedOrders, feedShipments, recordTrackingEvents } from '../rest/feed.ts';
import { PALERMO, PARCEL } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { useWorld } from '../support/world.ts';
import { ask, askNodes } from './platform-side.ts';
import { CONNECT, type Company, companyWithSandbox, moveOn, WITH_SANDBOX } from './sandbox-calls.ts';

// What a key of the sandbox sees of its company, and what it does to it.

const DAY_MS = 86_400_000;
const world = useWorld(WITH_SANDBOX);
let company: Company;
beforeAll(async () => {
  company = await companyWithSandbox(world);
});

const CREATE_KEY = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { apiKey key { id uuid environment } userErrors { code pointer message } }
}`;
const KEYS = '{ apiKeys { totalCount nodes { uuid environment } } }';
const REVOKE =
  'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { key { uuid } userErrors { code pointer message } } }';

interface Created {
  readonly apiKey: string;
  readonly key: { readonly id: string; readonly uuid: string; readonly environment: string };
}

describe('A sandbox key', () => {
  test('begins with sk_test_, says so of itself, and a live key begins with sk_live_', async () => {
    expect(company.sandbox.apiKey).toMatch(/^sk_test_[0-9a-f]{32}_/);
    expect(company.live.apiKey).toMatch(/^sk_live_[0-9a-f]{32}_/);
    const own = await company.sandbox.graphql<{ apiKey: object }>('{ apiKey { environment } }');
    expect(own.data.apiKey).toEqual({ environment: 'sandbox' });
  });

  test('is rejected once its row says another environment than its text', async () => {
    const { apiKeyId, rest } = await world.key(company.live.companyId, ['all'], undefined, 'sandbox');
    await world.pool.query(`update api_key set environment = 'live' where id = $1`, [apiKeyId]);
    expect((await rest('GET', '/warehouses')).status).toBe(401);
  });

  test('lists the connections and shipments of the sandbox, where a live key lists both', async () => {
    const { live, sandbox, connections, numbers } = company;
    const listed = async (by: typeof live) => {
      const { body } = await by.rest('GET', '/carriers');
      const found = await askNodes<{ trackingNumber: string }>(by, '{ shipments { nodes { trackingNumber } } }');
      const { data } = await by.graphql<{ shipments: { totalCount: number } }>('{ shipments { totalCount } }');
      return [
        body.map(({ carrierCompanyId }: { carrierCompanyId: number }) => carrierCompanyId),
        found.map(({ trackingNumber }) => trackingNumber).toSorted(),
        data.shipments.totalCount,
      ];
    };
    expect(await listed(sandbox)).toEqual([[connections.sandbox], [numbers.sandbox], 1]);
    expect(await listed(live)).toEqual([[connections.live, connections.sandbox], [numbers.sandbox, numbers.live], 2]);
  });

  test('filters and counts shipments of the sandbox as a live key does those of both', async () => {
    const { live, sandbox, numbers } = company;
    const FILTERED = `{
      open: shipments(filter: { open: true }) { nodes { trackingNumber } totalCount }
      new: shipments(filter: { created: { from: "2020-01-01T00:00:00Z" } }) { totalCount }
      counts: shipmentCounts(by: STATUS) { count isExact }
    }`;
    interface Filtered {
      readonly open: { readonly nodes: readonly { trackingNumber: string }[]; readonly totalCount: number };
      readonly new: { readonly totalCount: number };
      readonly counts: readonly object[];
    }
    const filtered = async (by: typeof live) => (await by.graphql<Filtered>(FILTERED)).data;
    expect(await filtered(sandbox)).toEqual({
      open: { nodes: [{ trackingNumber: numbers.sandbox }], totalCount: 1 },
      new: { totalCount: 1 },
      counts: [{ count: 1, isExact: true }],
    });
    expect(await filtered(live)).toMatchObject({
      open: { totalCount: 2 },
      new: { totalCount: 2 },
      counts: [{ count: 2, isExact: true }],
    });
  });

  test('finds shipments of the sandbox alone, also where a live key asks in the same moment', async () => {
    const { live, sandbox, numbers } = company;
    const statuses = await Promise.all(
      [live, sandbox].flatMap(by =>
        [numbers.live, numbers.sandbox].map(
          async number => (await by.rest('GET', `/shipments/tracking/by-tracking-number/${number}`)).status,
        ),
      ),
    );
    expect(statuses).toEqual([200, 200, 404, 200]);
  });

  test('records events of the shipment of the sandbox where a live one has the same number', async () => {
    const { live, sandbox, connections } = company;
    const twins = [
      ...(await feedShipments(live, connections.live, { trackingNumber: 'GEMELLO' })),
      ...(await feedShipments(sandbox, connections.sandbox, { trackingNumber: 'GEMELLO' })),
    ];
    // Both at once: events of one company are recorded together, and these are not.
    const event = { trackingNumber: 'GEMELLO', timestamp: new Date(Date.now() - 60_000).toISOString() };
    await Promise.all([
      feedEvents(sandbox, { ...event, statusCode: 'delivered' }),
      feedEvents(live, { ...event, carrierCompanyId: connections.live, statusCode: 'in_transit' }),
    ]);
    const { rows } = await world.pool.query('select status_code from shipment where id = any($1) order by id', [twins]);
    expect(rows.map(({ status_code }) => status_code)).toEqual(['in_transit', 'delivered']);
  });

  test('has events of live shipments rejected like those of no shipment', async () => {
    const { sandbox, numbers } = company;
    const timestamp = new Date().toISOString();
    const of = (trackingNumber: string) => ({ trackingNumber, timestamp, statusCode: 'delivered' });
    const { results } = await recordTrackingEvents(sandbox, [of(numbers.live), of('NESSUNO')]);
    expect(results.map(({ code }) => code)).toEqual(['shipment_not_found', 'shipment_not_found']);
  });

  test('quotes the tariffs of the sandbox, whichever key has quoted before it', async () => {
    const { live, sandbox, connections } = company;
    const warehouseId = await createWarehouse(live);
    const shipment = { warehouseId, destination: PALERMO, parcels: [PARCEL] };
    const quoted = async (by: typeof live) => {
      const { body } = await by.rest('POST', '/shipments/quote', shipment);
      return body.map(({ carrierCompanyId }: { carrierCompanyId: number }) => carrierCompanyId).toSorted();
    };
    const all = [connections.live, connections.sandbox];
    expect([await quoted(live), await quoted(sandbox), await quoted(live)]).toEqual([all, [connections.sandbox], all]);
  });

  test('connects carriers in the sandbox only', async () => {
    const input = { carrierCode: 'BRT', label: 'Conto' };
    for (const environment of [{}, { environment: 'live' }]) {
      const answer = await company.sandbox.graphql(CONNECT, { input: { ...input, ...environment } });
      expect(failureOf(answer)).toMatchObject({ errors: [{ pointer: '/environment', code: 'not_allowed' }] });
    }
  });

  test('creates, lists and revokes sandbox keys only', async () => {
    const { live, sandbox } = await companyWithSandbox(world);
    const input = { label: 'Prova', scopes: ['all'] };
    const own = await ask<Created>(sandbox, CREATE_KEY, { input });
    expect([own.apiKey.slice(0, 8), own.key.environment]).toEqual(['sk_test_', 'sandbox']);
    const answer = await sandbox.graphql(CREATE_KEY, { input: { ...input, environment: 'live' } });
    expect(failureOf(answer)).toMatchObject({ errors: [{ pointer: '/environment', code: 'not_allowed' }] });
    const ofLive = await ask<Created>(live, CREATE_KEY, { input: { ...input, environment: 'sandbox' } });
    const another = await ask<Created>(live, CREATE_KEY, { input });
    expect([ofLive.key.environment, another.key.environment]).toEqual(['sandbox', 'live']);

    const listed = async (by: typeof live) =>
      (await by.graphql<{ apiKeys: { totalCount: number; nodes: object[] } }>(KEYS)).data.apiKeys;
    const seen = await listed(sandbox);
    expect(seen).toEqual({
      totalCount: 3,
      nodes: [sandbox.apiKeyId, own.key.uuid, ofLive.key.uuid].map(uuid => ({ uuid, environment: 'sandbox' })),
    });
    expect((await listed(live)).totalCount).toBe(5);
    expect(failureOf(await sandbox.graphql(REVOKE, { id: another.key.id }))).toMatchObject({
      code: 'api_key_not_found',
    });
  });

  test('reads in the audit log what sandbox keys have done', async () => {
    const { live, sandbox } = await companyWithSandbox(world);
    const LOG = '{ auditLog { totalCount nodes { action actor { apiKeyUuid } } } }';
    const logged = async (by: typeof live) =>
      (await by.graphql<{ auditLog: { totalCount: number; nodes: object[] } }>(LOG)).data.auditLog;
    const actor = { apiKeyUuid: sandbox.apiKeyId };
    expect(await logged(sandbox)).toEqual({
      totalCount: 2,
      nodes: [
        { action: 'tariff_imported', actor },
        { action: 'carrier_connected', actor },
      ],
    });
    expect((await logged(live)).totalCount).toBeGreaterThan(4);
  });

  test('shares orders and warehouses with live keys, and deletes no warehouse that a live shipment leaves from', async () => {
    const { live, sandbox, connections } = company;
    const warehouseId = await createWarehouse(sandbox);
    await feedOrders(live, { orderNumber: 'COMUNE' });
    await feedShipments(live, connections.live, {
      trackingNumber: 'DAL-MAGAZZINO',
      orderNumber: 'COMUNE',
      warehouseId,
    });
    const ORDER = '{ order(orderNumber: "COMUNE") { orderNumber shipments { totalCount } } }';
    const seen = async (by: typeof live) => (await by.graphql<{ order: object }>(ORDER)).data.order;
    expect(await seen(live)).toEqual({ orderNumber: 'COMUNE', shipments: { totalCount: 1 } });
    expect(await seen(sandbox)).toEqual({ orderNumber: 'COMUNE', shipments: { totalCount: 0 } });
    expect((await sandbox.rest('DELETE', `/warehouses/${warehouseId}`)).status).toBe(409);
  });

  test('reads the change log of the sandbox', async () => {
    const { live, sandbox, numbers } = await companyWithSandbox(world);
    const CHANGES = '{ changes { ... on ChangeConnection { nodes { shipment { trackingNumber } } } } }';
    await moveOn(live, numbers.live, 5);
    await moveOn(sandbox, numbers.sandbox, 4);
    const changed = async (by: typeof live) => {
      const nodes = (await by.graphql<{ changes: { nodes: { shipment: { trackingNumber: string } }[] } }>(CHANGES)).data
        .changes.nodes;
      return new Set(nodes.map(({ shipment }) => shipment.trackingNumber));
    };
    expect(await changed(sandbox)).toEqual(new Set([numbers.sandbox]));
    expect(await changed(live)).toEqual(new Set([numbers.live, numbers.sandbox]));
  });

  test('simulates tariffs on shipments of the sandbox', async () => {
    const { live, sandbox } = await companyWithSandbox(world);
    // Days of Italy. The shipments may have been created before its last midnight.
    const [from, to] = [dayInItaly(new Date(Date.now() - DAY_MS)), dayInItaly(new Date())];
    const SIMULATE = `mutation ($input: SimulateTariffsInput!) {
      simulateTariffs(input: $input) { simulation { asShipped { shipments } tariffs { name } notPriceable { shipments } } userErrors { code pointer message } }
    }`;
    interface Simulated {
      readonly asShipped: { readonly shipments: number };
      readonly notPriceable: readonly { readonly shipments: number }[];
      readonly tariffs: readonly object[];
    }
    const simulated = async (by: typeof live) => {
      const input = { period: { from, to } };
      const { asShipped, notPriceable, tariffs } = await ask<Simulated>(by, SIMULATE, { input });
      return [notPriceable.reduce((sum, one) => sum + one.shipments, asShipped.shipments), tariffs.length];
    };
    expect([await simulated(sandbox), await simulated(live)]).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const COUNT = '{ tariffSimulations { totalCount } }';
    const counted = async (by: typeof live) =>
      (await by.graphql<{ tariffSimulations: { totalCount: number } }>(COUNT)).data.tariffSimulations.totalCount;
    expect([await counted(sandbox), await counted(live)]).toEqual([1, 2]);
  });

  test('changes lists of places and indexes of a carrier until the company has a live connection to it', async () => {
    const REPLACE = `mutation ($input: ReplacePlaceListInput!) {
      replacePlaceList(input: $input) { carrierReference { id } userErrors { code pointer message } }
    }`;
    const list = (carrierCode: string) => ({
      input: { carrierCode, name: 'isole', places: { postalCodes: ['90010'] } },
    });
    await ask(company.sandbox, REPLACE, list('GLS'));
    expect(failureOf(await company.sandbox.graphql(REPLACE, list('BRT')))).toMatchObject({
      message: expect.stringContaining('live key'),
    });
  });
});
