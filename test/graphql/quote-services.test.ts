import { beforeAll, expect, test } from 'vitest';
import { currentTariff, type Fields, type Merchant, quote } from '../rest/tariffs.ts';
import { ask, order, RECIPIENT, upsertOrders } from '../support/platform-side.ts';
import { useTariffs } from './tariff-calls.ts';

const { newMerchant } = useTariffs();

/** Two services in Italy, and one price for each parcel by the dearer. */
const SERVICES = currentTariff(
  {
    services: [
      { code: 'standard', name: 'Standard', deliveryDays: 3 },
      { code: 'express', name: 'Express', deliveryDays: 1, when: { realKg: { upTo: 20 } } },
    ],
    zones: [
      {
        code: 'it',
        name: 'Italia',
        services: ['standard'],
        to: { countries: ['IT'] },
        bands: [{ upToKg: 50, price: 8 }],
      },
      {
        code: 'it_express',
        name: 'Italia Express',
        services: ['express'],
        to: { countries: ['IT'] },
        deliveryDays: 2,
        bandsPer: 'parcel',
        bands: [{ upToKg: 10, price: 9.5 }],
      },
    ],
  },
  'Contratto',
);
const PLAIN = currentTariff(
  {
    ...SERVICES.versions[0],
    services: undefined,
    zones: [{ code: 'it', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 50, price: 20 }] }],
  },
  'Un servizio',
);

const QUOTED = `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) {
  ... on QuoteList { items { carrierConnectionId basePrice estimatedDeliveryDays service { code name rule }
    explanation { service { code } weight(language: EN) lines { code calculation(language: EN) } } } excluded { carrierConnectionId code message rule } }
  ... on QuoteWarning { code message details { carrierConnectionId code message rule } } } }`;

interface Item {
  readonly carrierConnectionId: number;
  readonly basePrice: string;
  readonly estimatedDeliveryDays: number | null;
  readonly service: { readonly code: string; readonly name: string; readonly rule: string } | null;
  readonly explanation: object;
}
interface Result {
  readonly items: readonly Item[];
  readonly excluded: readonly object[];
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly object[];
}

let shop: Merchant;
beforeAll(async () => {
  shop = await newMerchant(SERVICES, PLAIN);
});

const parcels = (count: number) => [{ weight: 4, length: 20, width: 20, height: 20, quantity: count }];
const quoted = (fields: Fields = {}, terms?: Fields) =>
  ask<Result>(shop.caller, QUOTED, { input: shop.body({ parcels: parcels(1), ...fields }), ...(terms && { terms }) });

test('A quote has one item for each connection: the cheapest service that fits', async () => {
  const [contract, plain] = shop.ids;
  expect((await quoted()).items).toEqual([
    {
      carrierConnectionId: contract,
      basePrice: '8.00',
      estimatedDeliveryDays: 3,
      service: { code: 'standard', name: 'Standard', rule: '/versions/0/services/0' },
      explanation: {
        service: { code: 'standard' },
        weight: 'real 4 kg, of the shipment, rounded up to 1 kg: 4 kg',
        lines: [{ code: 'base', calculation: 'up to 50 kg: 8.00' }],
      },
    },
    expect.objectContaining({ carrierConnectionId: plain, basePrice: '20.00', service: null }),
  ]);
});

test('The service that terms request is priced, and connections without it are excluded', async () => {
  const [contract, plain] = shop.ids;
  const { items, excluded } = await quoted({ parcels: parcels(2) }, { service: 'express' });
  expect(items).toMatchObject([
    {
      carrierConnectionId: contract,
      basePrice: '19.00',
      estimatedDeliveryDays: 2,
      service: { code: 'express', name: 'Express' },
      explanation: { lines: [{ calculation: '2 parcels up to 10 kg: 9.50 each' }] },
    },
  ]);
  expect(excluded).toEqual([
    {
      carrierConnectionId: plain,
      code: 'OPTION_NOT_SUPPORTED',
      message: 'Il servizio express non è offerto. Il listino non distingue servizi.',
      rule: '/versions/0/services',
    },
  ]);
  expect(await quoted({ parcels: parcels(6) }, { service: 'express' })).toMatchObject({
    code: 'OPTION_NOT_SUPPORTED',
    message: 'Nessuno dei corrieri considerati offre le opzioni o il servizio richiesti.',
    details: [
      { carrierConnectionId: contract, message: 'Il servizio Express non è offerto per questa spedizione.' },
      {},
    ],
  });
});

test('The reason for an exclusion comes from a service whose condition holds, after the zone and the weight', async () => {
  const [version] = SERVICES.versions;
  const [standard, express] = version?.services ?? [];
  const contract = currentTariff({
    ...version,
    services: [
      { ...standard, when: { realKg: { upTo: 20 } } },
      { code: express?.code, name: express?.name },
    ],
    zones: [
      version?.zones[0],
      {
        code: 'world',
        name: 'Mondo',
        services: ['express'],
        to: { anywhere: true },
        bands: [{ upToKg: 300, price: 400 }],
      },
    ],
  });
  const { caller, body } = await newMerchant(contract, PLAIN);
  const destination = { country: 'US', postalCode: '10001', city: 'New York' };
  const heavy = body({ destination, parcels: [{ weight: 301, length: 20, width: 20, height: 20, quantity: 1 }] });
  const reasons = async (terms: Fields) =>
    (await ask<Result>(caller, QUOTED, { input: heavy, terms })).details?.map(one => (one as { code: string }).code);
  expect(await reasons({})).toEqual(['WEIGHT_OUT_OF_RANGE', 'DESTINATION_NOT_SERVED']);
  expect(await reasons({ service: 'overnight' })).toEqual(['WEIGHT_OUT_OF_RANGE', 'DESTINATION_NOT_SERVED']);
});

test('An order requests its service by REST too, which has the same shape, and terms can name another one', async () => {
  const [contract] = shop.ids;
  const item = { warehouseId: shop.warehouseId, recipient: RECIPIENT, parcels: parcels(1) };
  const { results } = await upsertOrders(shop.caller, [
    order('by express', { ...item, service: 'express' }),
    order('by any', item),
  ]);
  const [express = 0, any = 0] = results.map(({ databaseId }) => Number(databaseId));
  const rest = async (orderId: number) => {
    const { body } = await quote(shop.caller, { orderId });
    return body.map(({ carrierCompanyId, basePrice, estimatedDeliveryDays }: Fields) => [
      carrierCompanyId,
      basePrice,
      estimatedDeliveryDays,
    ]);
  };
  expect(await rest(express)).toEqual([[contract, 9.5, 2]]);
  expect(await rest(any)).toEqual([
    [contract, 8, 3],
    [shop.ids[1], 20, null],
  ]);
  const input = { orderId: express };
  const { items } = await ask<Result>(shop.caller, QUOTED, { input, terms: { service: 'standard' } });
  expect(items).toMatchObject([{ service: { code: 'standard' }, basePrice: '8.00' }]);
  const read = '{ orders(first: 2, filter: { orderNumber: "by express" }) { nodes { service } } }';
  expect(await ask(shop.caller, read)).toMatchObject({ nodes: [{ service: 'express' }] });
});

test('The services of a connection are listed, and a saved quote keeps its service', async () => {
  const listed = await ask<{ nodes: object[] }>(
    shop.caller,
    '{ carrierConnections { nodes { databaseId services { code name deliveryDays isConditional } } } }',
  );
  expect(listed.nodes).toEqual([
    {
      databaseId: shop.ids[0],
      services: [
        { code: 'standard', name: 'Standard', deliveryDays: 3, isConditional: false },
        { code: 'express', name: 'Express', deliveryDays: 1, isConditional: true },
      ],
    },
    { databaseId: shop.ids[1], services: [] },
  ]);
  const save = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) {
    savedQuote { serviceCode serviceName totalPrice } userErrors { code pointer message } } }`;
  const input = {
    carrierConnectionId: shop.ids[0],
    quote: shop.body({ parcels: parcels(1) }),
    terms: { service: 'express' },
  };
  expect(await ask(shop.caller, save, { input })).toEqual({
    serviceCode: 'express',
    serviceName: 'Express',
    totalPrice: '9.50',
  });
});

test('The changes of an import are shown by the service that an order requests', async () => {
  const { caller, ids } = shop;
  const [version] = SERVICES.versions;
  const zones = version?.zones.map(zone => ({
    ...zone,
    bands: zone.bands.map(one => ({ ...one, price: one.price + 1 })),
  }));
  const preview = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { id }
    tariffDiff { samplePrices { prices { shipment before after } } } userErrors { code pointer message } } }`;
  const input = {
    carrierConnectionId: ids[0],
    tariff: { ...SERVICES, versions: [{ ...version, zones }] },
    dryRun: true,
  };
  type Diff = { readonly samplePrices: { readonly prices: readonly { readonly shipment: string }[] } };
  const { data } = await caller.graphql<{ importTariff: { tariffDiff: Diff } }>(preview, { input });
  const { prices } = data.importTariff.tariffDiff.samplePrices;
  expect(prices.filter(({ shipment }) => shipment.startsWith('order'))).toEqual([
    { shipment: 'order by any', before: '8.00', after: '9.00' },
    { shipment: 'order by express', before: '9.50', after: '10.50' },
  ]);
});
