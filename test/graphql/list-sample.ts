import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { MAX_ESTIMATES } from '../../src/domain/shipping/tracking/estimates/estimates.rules.ts';
import { emptyTally } from '../../src/domain/spend/simulations/tally.rules.ts';
import { importTariff, TARIFF } from '../rest/feed.ts';
import { PALERMO } from '../rest/tariffs.ts';
import type { Ids } from '../security/support/sdl.ts';
import { insertCarrierCalls } from '../support/carrier-calls.ts';
import { withClient } from '../support/databases.ts';
import {
  ask,
  connectCarrier,
  createWarehouse,
  order,
  RECIPIENT,
  recordEvents,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import type { Caller, World } from '../support/world.ts';

/** A company in which every list has so many elements, each with rows of its own. */
export interface Sample {
  readonly caller: Caller;
  readonly count: number;
  readonly ids: Ids;
  /** Connections that can't be quoted, since they have no tariff. */
  readonly withoutTariff: readonly number[];
  readonly options: readonly string[];
}

/** Most options of a quote, and most versions of a tariff. */
export const MAX_OF_TARIFF = 50;
/** Most services of a version. */
export const MAX_SERVICES = 20;
const NOBODYS_CONNECTION = 2_000_000_000;
const timeOf = (i: number) => new Date(Date.UTC(2026, 10, 20, 9, i)).toISOString();

/** A tariff with so many versions, surcharges, services and options, or as many as it may have. */
function richTariff(count: number, options: readonly string[]) {
  const [version] = TARIFF.versions;
  const fee = (code: string) => ({ code, description: code, price: { fixed: 0.01 } });
  const versions = times(Math.min(count, MAX_OF_TARIFF), i => ({
    ...version,
    weight: { per: 'shipment', volumetric: [{ kgPerM3: 300 }], roundUp: [{ toKg: 0.1 }] },
    label: `V ${i}`,
    validFrom: `20${String(24 - Math.floor(i / 28)).padStart(2, '0')}-01-${String(28 - (i % 28)).padStart(2, '0')}`,
    ...(i === 0 && {
      surcharges: times(count, n => fee(`s${n}`)),
      services: times(Math.min(count, MAX_SERVICES), n => ({ code: `l${n}`, name: `Level ${n}` })),
      options: options.map(fee),
    }),
  }));
  return { ...TARIFF, format: 2, versions: versions.toReversed() };
}

export async function furnishLists(world: World, count: number): Promise<Sample> {
  const caller = await world.company();
  const connected = await Promise.all(times(count, i => connectCarrier(caller, 'BRT', `Account ${i}`)));
  const connections = connected.toSorted((one, other) => one - other);
  const withoutTariff = await Promise.all(times(count, i => connectCarrier(caller, 'GLS', `Bare ${i}`)));
  const options = times(Math.min(count, MAX_OF_TARIFF), i => `o${i}`);
  const tariffs = [];
  for (const [i, connection] of connections.entries()) {
    tariffs.push(await importTariff(caller, connection, i === 0 ? richTariff(count, options) : TARIFF));
  }
  const [ofOrders = [], ofShipments = []] = await Promise.all(
    ['Orders', 'Shipments'].map(name =>
      Promise.all(times(count, i => createWarehouse(caller, { name: `${name} ${i}` }))),
    ),
  );
  for (let i = 1; i < count; i++) {
    await ask(
      caller,
      'mutation { createApiKey(input: { label: "x", scopes: [HEALTH_READ] }) { apiKey userErrors { code pointer message } } }',
    );
  }

  // The first order has the parcels, the shipments, the events and the related shipments; each of the others has one
  // shipment.
  const orders = times(count + 1, i =>
    order(`o-${i}`, {
      marketplace: `m-${i}`,
      marketplaceOrderNumber: i === 0 ? 'alone' : 'same',
      warehouseId: ofOrders[i % count],
      parcels: times(i === 0 ? count : 1, () => ({ weight: '1' })),
    }),
  );
  const { results } = await upsertOrders(caller, orders);
  const shipments = times(count * 2, i =>
    shipment(connections[i % count] ?? 0, `n${i}`, {
      orderNumber: i < count ? 'o-0' : `o-${i - count + 1}`,
      warehouseId: ofShipments[i % count],
      ...(i > 0 && i < count && { relatedShipments: [{ trackingNumber: 'n0', type: 'parent' }] }),
    }),
  );
  const stored = await upsertShipments(caller, shipments);
  await upsertShipments(caller, [
    shipment(connections[0] ?? 0, 'last', { relatedShipments: [{ trackingNumber: 'n0', type: 'parent' }] }),
  ]);
  const events = times(count, i => ({ trackingNumber: 'n0', occurredAt: timeOf(i), statusCode: 'in_transit' }));
  await recordEvents(caller, [
    ...events,
    ...shipments
      .slice(1)
      .map(({ trackingNumber }) => ({ trackingNumber, occurredAt: timeOf(0), statusCode: 'in_transit' })),
  ]);
  const invoice = await importInvoices(caller, connections[0] ?? 0, count);
  const webhooks = await insertWebhooks(world, caller, count);
  await insertEstimates(world, caller, count);
  await insertRevisions(world, caller, count);
  const savedQuote = await insertSavedQuotes(world, caller, count);
  const simulation = await insertSimulations(world, caller, count);
  await insertAccuracy(world, caller, count);
  await insertReferences(world, caller, count);
  await withClient(world.ownerUrl, client => insertCarrierCalls(client, caller.companyId, connections));
  return {
    caller,
    count,
    withoutTariff,
    options,
    ids: {
      warehouse: ofOrders[0] ?? 0,
      connection: connections[0] ?? 0,
      order: Number(results[0]?.databaseId),
      shipment: Number(stored.results[0]?.databaseId),
      tariff: tariffs[0] ?? 0,
      invoice,
      simulation,
      revision: 0,
      draft: 0,
      savedQuote,
      ...webhooks,
      apiKey: caller.apiKeyId,
      event: '',
      orderNumber: 'o-0',
      trackingNumber: 'n0',
      marketplaceOrderNumber: 'same',
      marketplace: 'm-0',
      orderCursor: '',
      shipmentCursor: '',
      deliveryCursor: '',
      changeCursor: '',
      url: '',
    },
  };
}

/** So many invoices, of which the first has as many lines, charges, codes and findings of a line as can be; answers its id. */
async function importInvoices(caller: Caller, carrierConnectionId: number, count: number): Promise<number> {
  const IMPORT =
    'mutation ($input: ImportCarrierInvoiceInput!) { importCarrierInvoice(input: $input) { carrierInvoice { databaseId } userErrors { code pointer message } } }';
  const charges = times(Math.min(count, MAX_OF_TARIFF), i => ({ lines: [`x${i}`], amount: '1.00' }));
  // A shipment of the connection, though not the first one, whose timeline is too long to be read with it.
  const numbers = [...times(count, () => `n${count}`), ...times(count, i => `nobody${i}`)];
  const rows = numbers.map(trackingNumber => ({ trackingNumber, charges }));
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    // An open claim is listed by default when its invoice is 60 days old.
    const input = {
      carrierConnectionId,
      number: `F ${i}`,
      date: '2026-01-31',
      source: { rows: i === 0 ? rows : rows.slice(0, 1) },
    };
    ids.push((await ask<{ databaseId: number }>(caller, IMPORT, { input })).databaseId);
  }
  return ids[0] ?? 0;
}

/** So many estimates of the shipment that has the events, as far as they are shown. */
async function insertEstimates(world: World, { companyId }: Caller, count: number): Promise<void> {
  await withClient(world.ownerUrl, client =>
    client.query(
      `insert into shipment_estimate (company_id, shipment_id, told_at, expected_at)
        select company_id, id, now() - n * interval '1 hour', now() from shipment, generate_series(1, least($2::integer, ${MAX_ESTIMATES})) n
          where company_id = $1 and tracking_number = 'n0'`,
      [companyId, count],
    ),
  );
}

/** So many revisions before the tariff of the first connection, and as many drafts. */
async function insertRevisions(world: World, { companyId }: Caller, count: number): Promise<void> {
  await withClient(world.ownerUrl, client =>
    client.query(
      `insert into carrier_tariff_revision
          (company_id, carrier_connection_id, number, name, document, author, published_at)
        select v.company_id, v.carrier_connection_id, 1 + n, v.name, v.document, 'operator', now()
          from carrier_tariff_revision v, generate_series(1, $2::integer) n
          where v.company_id = $1 and v.carrier_connection_id =
            (select min(o.carrier_connection_id) from carrier_tariff_revision o where o.company_id = $1)
        union all
        select v.company_id, v.carrier_connection_id, null, v.name, v.document, 'operator', null
          from carrier_tariff_revision v, generate_series(1, $2::integer) n
          where v.company_id = $1 and v.carrier_connection_id =
            (select min(o.carrier_connection_id) from carrier_tariff_revision o where o.company_id = $1)`,
      [companyId, count],
    ),
  );
}

/** So many quotes that were kept, of which the first has so many lines; returns its id. */
async function insertSavedQuotes(world: World, { companyId }: Caller, count: number): Promise<number> {
  const line = { code: 'base', component: 'base', description: 'Tariffa base', amount: 1, calculation: '1.00' };
  const amounts = ['base', 'fuel', 'surcharges', 'options', 'cod', 'insurance', 'total'].map(name => `${name}Price`);
  const others = ['chargeableWeight', 'realWeight', 'volumetricWeight', 'vatRate', 'vatAmount', 'totalPriceWithVat'];
  const price = {
    ...Object.fromEntries([...amounts, ...others].map(name => [name, 1])),
    carrierCode: 'BRT',
    carrierName: 'BRT',
    version: '2026',
    zone: { code: 'it', name: 'Italia' },
    vatBreakdown: [{ rate: 22, taxable: 1, amount: 1 }],
  };
  return withClient(world.ownerUrl, async client => {
    const insert = (lines: readonly object[], from: string) =>
      client.query<{ id: number }>(
        `insert into saved_quote (company_id, carrier_connection_id, tariff_revision_id, request, shipment, price)
          select v.company_id, v.carrier_connection_id, v.id, '{}', '{}', $2::jsonb from carrier_tariff_revision v
            where v.company_id = $1 order by v.id ${from} returning id`,
        [companyId, JSON.stringify({ ...price, lines })],
      );
    const { rows } = await insert(
      times(count, () => line),
      'limit 1',
    );
    await insert([line], `limit ${count - 1} offset 1`);
    return rows[0]?.id ?? 0;
  });
}

/** So many simulations of no shipments. */
async function insertSimulations(world: World, { companyId }: Caller, count: number): Promise<number> {
  const about = { period: { from: '2026-10-01', to: '2026-10-31' }, tariffs: [] };
  const { rows } = await withClient(world.ownerUrl, client =>
    client.query<{ id: number }>(
      `insert into tariff_simulation (company_id, about, plan, tally, state, progress, finished_at)
        select $1, $2::jsonb, '{}', $3::json, 'done', 1, now() from generate_series(1, $4::integer) returning id`,
      [companyId, JSON.stringify(about), JSON.stringify(emptyTally(0)), count],
    ),
  );
  return rows[0]?.id ?? 0;
}

/** The outcomes of many kinds of promises of the first connection. */
async function insertAccuracy(world: World, { companyId }: Caller, count: number): Promise<void> {
  await withClient(world.ownerUrl, client =>
    client.query(
      `insert into promise_accuracy (company_id, carrier_connection_id, level, share, promised, kept)
        select company_id, min(id), 0, n / 1000.0, 10, 8 from carrier_connection, generate_series(1, $2::integer) n
          where company_id = $1 group by company_id, n`,
      [companyId, count],
    ),
  );
}

/** So many lists of places of a carrier. */
async function insertReferences(world: World, { companyId }: Caller, count: number): Promise<void> {
  await withClient(world.ownerUrl, client =>
    client.query(
      `insert into carrier_reference (company_id, carrier_code, kind, name, content)
        select $1, 'POSTE', 'list', 'list_' || n, '{"postalCodes": ["90139"]}' from generate_series(1, $2::integer) n`,
      [companyId, count],
    ),
  );
}

/** Endpoints with a delivery each, of which the first has as many as there are, and its first so many attempts. */
async function insertWebhooks(world: World, { companyId }: Caller, count: number) {
  const client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  try {
    const endpoints = times(count, () => randomUUID());
    const events = times(count, () => randomUUID());
    const notices = times(count, () => randomUUID());
    const made = [
      ...events.map(event => [event, endpoints[0]]),
      ...endpoints.slice(1).map(endpoint => [events[0], endpoint]),
    ];
    await client.query(
      `insert into webhook_endpoint (company_id, id, label, url, events, secret_last4)
        select $1, id, 'Test', 'https://127.0.0.1/', '{tracking.*}', 'last' from unnest($2::uuid[]) id`,
      [companyId, endpoints],
    );
    await client.query(
      `insert into webhook_endpoint (company_id, id, label, url, topic, events, secret_last4)
        select $1, id, 'Test', 'https://127.0.0.1/', 'notices', '{notice.*}', 'last' from unnest($2::uuid[]) id`,
      [companyId, notices],
    );
    await client.query(
      `insert into webhook_event (company_id, id, type, sequence, body)
        select $1, id, 'tracking.in_transit', 0, 'Body of ' || id from unnest($2::uuid[]) id`,
      [companyId, events],
    );
    const { rows } = await client.query(
      `insert into webhook_delivery (company_id, event_id, endpoint_id, status)
        select $1, event_id, endpoint_id, 'success' from unnest($2::uuid[], $3::uuid[]) made(event_id, endpoint_id)
        returning id, event_id as "eventId", endpoint_id as "endpointId"`,
      [companyId, made.map(([event]) => event), made.map(([, endpoint]) => endpoint)],
    );
    await client.query(
      `insert into webhook_attempt (company_id, delivery_id, number, started_at, duration_ms, outcome, status)
        select $1, id, number, now(), 1, 'delivered', 200 from unnest($2::bigint[]) with ordinality made(id, place)
          cross join lateral generate_series(1, case when place = 1 then $3::integer else 1 end) number`,
      [companyId, rows.map(({ id }) => id), count],
    );
    return { endpoint: endpoints[0] ?? '', noticeEndpoint: notices[0] ?? '', delivery: String(rows[0]?.id) };
  } finally {
    await client.end();
  }
}

/**
 * The arguments by which a root field leads to a list that is long enough, where their types do not say them; undefined
 * where there are none.
 */
export function sampledArguments(
  { count, ids, withoutTariff, options }: Sample,
  field: string,
  target: string,
): Record<string, unknown> | undefined {
  const places = { warehouseId: ids.warehouse, destination: PALERMO };
  const shipmentInput = { shipment: { totals: { ...places, weight: '3', volume: '1000' } } };
  const unknown = times(count, i => NOBODYS_CONNECTION + i);
  switch (field) {
    // Numbers of shipments that have one event and one related shipment each.
    case 'trackingByNumbers':
      return { numbers: times(count, i => `n${(i % (count - 1)) + 1}`) };
    case 'quoteShipment':
      if (target.startsWith('QuoteWarning.')) {
        return { input: { ...shipmentInput, carrierConnectionIds: [...withoutTariff, ...unknown] } };
      }
      if (target === 'QuoteList.notices')
        return { input: { ...shipmentInput, carrierConnectionIds: [ids.connection, ...unknown] } };
      if (target === 'Quote.carrierOptionsDetail') return { input: { ...shipmentInput, options } };
      return { input: shipmentInput };
    case 'quoteAfterShipment': {
      const events = [{ kind: 'STORAGE', storageDays: 9 }];
      const carrierConnectionIds = [ids.connection, ...unknown];
      return {
        input: target.endsWith('.notices') ? { ...shipmentInput, carrierConnectionIds } : shipmentInput,
        events,
      };
    }
    case 'quoteShipments': {
      const parcels = times(count, () => ({ weight: '-1', length: '1', width: '1', height: '1' }));
      if (target === 'QuoteOutcome.errors') return { inputs: [{ shipment: { parcels: { ...places, parcels } } }] };
      return {
        inputs: times(Math.min(count, 50), () => ({ ...shipmentInput, carrierConnectionIds: [ids.connection] })),
      };
    }
    case 'shipmentCounts':
      return { by: 'STATUS' };
    case 'quoteOrders':
      return { ids: times(Math.min(count, 50), i => String(NOBODYS_CONNECTION + i)) };
    case 'upsertOrders': {
      const parcels = times(count, () => ({ weight: '-1' }));
      const wrong = { orderNumber: 'wrong', recipient: RECIPIENT, parcels };
      return {
        input: { orders: [wrong, ...times(count - 1, i => ({ orderNumber: `new-${i}`, recipient: RECIPIENT }))] },
      };
    }
    case 'importOrders':
    case 'orderTable': {
      const rows = times(count, i => `G-${i};Anna Rossi;Via Roma 1;9999;Torino;due`);
      const text = ['Numero ordine;Destinatario;Indirizzo;CAP;Città;Peso', ...rows].join('\n');
      return { input: { file: { text }, ...(field === 'importOrders' && { dryRun: true }) } };
    }
    case 'carrierInvoiceTable':
      return { carrierConnectionId: ids.connection, input: { file: { text: 'Spedizione;Nolo\nM1;5,00' } } };
    case 'recordTrackingEvents':
      if (target !== 'RecordTrackingEventsPayload.results') return undefined;
      return {
        input: { events: times(count, i => ({ trackingNumber: 'n0', occurredAt: timeOf(i), description: '' })) },
      };
    // None is stored, and none is missed by another list.
    case 'upsertShipments':
      if (target !== 'UpsertShipmentsPayload.results') return undefined;
      return {
        input: {
          shipments: times(count, i => ({ trackingNumber: `new-${i}`, carrierConnectionId: NOBODYS_CONNECTION })),
        },
      };
    default:
      return undefined;
  }
}
