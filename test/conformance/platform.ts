import { send } from './calls.ts';

// Orders, shipments, events and tariffs come in by GraphQL. This file creates the ones that the
// statements need, and the run uses GraphQL for nothing else. Another implementation replaces this file.

type Fields = Readonly<Record<string, unknown>>;

export interface Platform {
  /** The `carrierCompanyId` of a connection that is quoted by `PRICES`. */
  connection(): Promise<number>;
  /** The id of a warehouse in Milano. */
  warehouse(): Promise<number>;
  /** Returns the id. */
  order(fields: Fields): Promise<number>;
  /** A shipment of the connection. Returns the id. */
  shipment(fields: Fields): Promise<number>;
  /** Events in the order in which they arrive; returns what became of each. */
  events(events: readonly Fields[]): Promise<readonly EventResult[]>;
  /** A key of the same company. */
  createKey(scopes: readonly string[]): Promise<{ readonly key: string; readonly id: string }>;
  revokeKey(id: string): Promise<void>;
}

export interface EventResult {
  readonly outcome: string;
  readonly pointer: string | null;
}

export const RECIPIENT = {
  companyName: 'Giulia Bianchi',
  address: 'Via Roma 1',
  postalCode: '00185',
  city: 'Roma',
  province: 'RM',
  email: 'giulia@example.com',
  telephone: '+39 06 1234567',
};

/** Italy in bands up to 20 kg, with fuel, a surcharge, two options, cash on delivery, insurance and VAT. */
export const PRICES = {
  format: 2,
  name: 'Conformance',
  versions: [
    {
      label: 'Conformance',
      validFrom: '2020-01-01',
      weight: { volumetric: [{ kgPerM3: 300 }], per: 'shipment', roundUp: [{ toKg: 0.1 }] },
      zones: [
        {
          code: 'italia',
          name: 'Italia',
          to: { countries: ['IT'] },
          bands: [
            { upToKg: 10, price: 5.35 },
            { upToKg: 20, price: 8.9 },
          ],
        },
      ],
      surcharges: [{ code: 'istat', description: 'Adeguamento ISTAT', price: { percent: 2.9, of: ['base'] } }],
      fuel: [
        {
          code: 'fuel',
          description: 'Carburante',
          price: { of: ['base'], rates: [{ from: '2020-01-01', percent: 8.5 }] },
        },
      ],
      options: [
        { code: 'sponda', description: 'Sponda idraulica', price: { fixed: 12 } },
        { code: 'appuntamento', description: 'Consegna su appuntamento', price: { percent: 10, of: ['base'] } },
      ],
      cod: [
        {
          code: 'cod',
          description: 'Contrassegno',
          when: { codAmount: { upTo: 4999.99 } },
          price: { fixed: 3, percent: 1.2, of: ['codAmount'], minimum: 4.5 },
        },
      ],
      insurance: [
        {
          code: 'insurance',
          description: 'Assicurazione',
          price: { percent: 0.9, of: ['insuredValue'], minimum: 3.5 },
        },
      ],
    },
  ],
};

const SCOPES = ['orders:write', 'shipments:write', 'tracking:write', 'carriers:manage', 'keys:manage'];

/** Null if the key may not create orders, shipments, events, tariffs and keys. */
export async function platformOf(url: string, key: string, scopes: readonly string[]): Promise<Platform | undefined> {
  if (!SCOPES.every(scope => scopes.includes(scope))) return undefined;
  const ask = async <Value>(query: string, variables: Fields): Promise<Value> => {
    const { body } = await send(`${url}/graphql`, 'POST', {
      body: { query, variables },
      headers: { 'x-api-key': key },
    });
    const [value] = Object.values((body.data ?? {}) as Record<string, { userErrors?: readonly unknown[] } | null>);
    const errors = body.errors ?? value?.userErrors ?? [];
    if (!value || errors.length > 0) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return value as Value;
  };
  const idOf = async (query: string, item: Fields): Promise<number> => {
    const { results } = await ask<{ results: { databaseId: number | null; message: string | null }[] }>(query, {
      items: [item],
    });
    if (!results[0]?.databaseId) throw new Error(String(results[0]?.message));
    return results[0].databaseId;
  };
  const once = <Value>(make: () => Promise<Value>) => {
    let made: Promise<Value> | undefined;
    return () => (made ??= make());
  };
  const connection = once(async () => {
    const connected = await ask<{ carrierConnection: { databaseId: number } }>(CONNECT, {
      input: { carrierCode: 'BRT', label: 'Conformance' },
    });
    const { databaseId } = connected.carrierConnection;
    await ask(IMPORT_TARIFF, { input: { carrierConnectionId: databaseId, tariff: PRICES } });
    return databaseId;
  });
  return {
    connection,
    warehouse: once(async () => {
      const { warehouse } = await ask<{ warehouse: { databaseId: number } }>(CREATE_WAREHOUSE, { input: WAREHOUSE });
      return warehouse.databaseId;
    }),
    order: fields => idOf(UPSERT_ORDERS, { recipient: RECIPIENT, ...fields }),
    shipment: async fields =>
      idOf(UPSERT_SHIPMENTS, {
        carrierConnectionId: await connection(),
        ...(!fields.orderNumber && { recipient: RECIPIENT }),
        ...fields,
      }),
    events: async events => (await ask<{ results: EventResult[] }>(RECORD_EVENTS, { items: events })).results,
    createKey: async granted => {
      const created = await ask<{ apiKey: string; key: { id: string } }>(CREATE_KEY, {
        input: { label: 'Conformance', scopes: granted.map(scope => scope.toUpperCase().replace(':', '_')) },
      });
      return { key: created.apiKey, id: created.key.id };
    },
    revokeKey: async id => {
      await ask(REVOKE_KEY, { id });
    },
  };
}

export const WAREHOUSE = {
  name: 'Magazzino centrale',
  typeId: 1,
  address: 'Via Mecenate 84',
  postalCode: '20138',
  city: 'Milano',
  state: 'MI',
  country: 'IT',
};

const ERRORS = 'userErrors { code pointer message }';
const CONNECT = `mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { databaseId } ${ERRORS} } }`;
const IMPORT_TARIFF = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) { ${ERRORS} } }`;
const CREATE_WAREHOUSE = `mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { databaseId } ${ERRORS} } }`;
const UPSERT_ORDERS = `mutation ($items: [OrderInput!]!) { upsertOrders(input: { orders: $items }) { results { databaseId message } ${ERRORS} } }`;
const UPSERT_SHIPMENTS = `mutation ($items: [ShipmentInput!]!) { upsertShipments(input: { shipments: $items }) { results { databaseId message } ${ERRORS} } }`;
const RECORD_EVENTS = `mutation ($items: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $items }) { results { outcome pointer } ${ERRORS} } }`;
const CREATE_KEY = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey key { id } ${ERRORS} } }`;
const REVOKE_KEY = `mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { ${ERRORS} } }`;
