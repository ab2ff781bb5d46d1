import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { type Fields, type Merchant, merchantsOf, quote } from '../rest/tariffs.ts';
import { ask, connectCarrier } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

/** The price lists of the examples, and the sums that their guide works out by hand. */

const newMerchant = merchantsOf(useSharedWorld());
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The last cell of each row with a number: a price, or the code of an exclusion. */
const BY_HAND = new Map(
  read('src/docs/price-list-examples.md')
    .split('\n')
    .flatMap(row => {
      const [, no, price] = /^\| ([A-Z]\d+) \|.*\| ([^|]+) \|$/.exec(row) ?? [];
      return no && price ? [[no, price] as const] : [];
    }),
);

type Parcel = readonly [quantity: number, weight: number, length: number, width: number, height: number];
interface Listed {
  readonly on: string;
  readonly to: readonly [country: string, postalCode: string, city: string, province?: string];
  readonly parcels: readonly Parcel[];
  readonly more?: Fields;
  readonly terms?: Fields;
}

const NATIONAL: Readonly<Record<string, Listed>> = {
  B1: { on: '2026-06-15', to: ['IT', '10121', 'Torino', 'TO'], parcels: [[1, 2, 30, 20, 15]] },
  B2: { on: '2026-06-15', to: ['IT', '10121', 'Torino', 'TO'], parcels: [[2, 3, 20, 20, 15]] },
  B3: {
    on: '2026-10-05',
    to: ['IT', '40121', 'Bologna', 'BO'],
    parcels: [
      [1, 9.2, 40, 30, 30],
      [2, 4, 30, 20, 20],
    ],
  },
  B4: {
    on: '2026-06-15',
    to: ['IT', '90139', 'Palermo', 'PA'],
    parcels: [[1, 12, 50, 40, 30]],
    more: { codAmount: 150 },
  },
  B5: { on: '2026-11-23', to: ['IT', '87100', 'Cosenza', 'CS'], parcels: [[2, 8, 40, 30, 30]] },
  B6: { on: '2026-06-15', to: ['IT', '98055', 'Lipari', 'ME'], parcels: [[1, 2, 20, 20, 20]] },
  B7: { on: '2026-11-23', to: ['IT', '30124', 'Venezia', 'VE'], parcels: [[1, 5, 30, 30, 20]] },
  B8: {
    on: '2026-06-15',
    to: ['IT', '00186', 'Roma', 'RM'],
    parcels: [[1, 28, 160, 30, 20]],
    more: { insuranceAmount: 600 },
  },
  B9: {
    on: '2026-10-05',
    to: ['IT', '32043', "Cortina d'Ampezzo", 'BL'],
    parcels: [[1, 42, 60, 40, 40]],
    more: { options: ['piano'] },
  },
  B10: {
    on: '2026-11-23',
    to: ['IT', '20133', 'Milano', 'MI'],
    parcels: [[1, 30, 100, 80, 25]],
    more: { options: ['appuntamento'], codAmount: 300 },
    terms: { codPayment: 'BANK_CHEQUE' },
  },
  B11: { on: '2026-11-23', to: ['IT', '57037', 'Portoferraio', 'LI'], parcels: [[3, 1, 20, 15, 10]] },
  B12: { on: '2026-06-15', to: ['IT', '23041', 'Livigno', 'SO'], parcels: [[1, 1, 20, 15, 10]] },
};

const letter = { to: ['DE', '10115', 'Berlin'], parcels: [[1, 0.4, 30, 22, 2]], on: '2026-11-25' } as const;
const ajaccio = { to: ['FR', '20000', 'Ajaccio'], parcels: [[1, 3, 40, 30, 25]], on: '2026-11-18' } as const;
const madrid = { to: ['ES', '28001', 'Madrid'], parcels: [[2, 12, 50, 40, 35]], on: '2026-06-15' } as const;
const wien = { to: ['AT', '1010', 'Wien'], parcels: [[2, 40, 80, 60, 60]], on: '2026-06-15' } as const;
const EXPRESS: Readonly<Record<string, Listed>> = {
  D1: { ...letter, terms: { service: 'express' } },
  D2: letter,
  D3: { ...letter, terms: { service: 'noon' } },
  D4: {
    on: '2026-11-18',
    to: ['FR', '75001', 'Paris'],
    parcels: [[1, 3, 40, 30, 25]],
    more: { options: ['saturday'] },
  },
  D5: { ...ajaccio, terms: { service: 'express' } },
  D6: { ...ajaccio, terms: { service: 'noon' } },
  D7: madrid,
  D8: { ...madrid, terms: { service: 'express' } },
  D9: { on: '2026-11-25', to: ['ES', '35001', 'Las Palmas'], parcels: [[1, 5, 30, 30, 30]] },
  D10: {
    on: '2026-11-10',
    to: ['US', '10001', 'New York'],
    parcels: [[1, 33, 110, 40, 40]],
    more: { options: ['signature'], insuranceAmount: 2000 },
  },
  D11: { ...wien, terms: { service: 'noon' } },
  D12: wien,
};

const FUEL = `mutation ($input: ImportFuelIndexInput!) { importFuelIndex(input: $input) {
  carrierReference { name } userErrors { code pointer message } } }`;
const QUOTED = `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) {
  ... on QuoteList { items { totalPrice } } ... on QuoteWarning { code } } }`;

interface Imported {
  readonly shop: Merchant;
  readonly id: number;
}

/** A company with the price list on one connection, and the indexes that it names. */
async function withPriceList(name: string, carrierCode: string, indexes: readonly string[] = []): Promise<Imported> {
  const shop = await newMerchant();
  for (const index of indexes) {
    const [, ...rows] = read(`schema/examples/tariffs/${name}-${index.replace('_', '-')}.csv`)
      .trim()
      .split('\n');
    const rates = rows.map(row => {
      const [from, percent = ''] = row.split(';');
      return { from, percent: percent.replace(',', '.') };
    });
    await ask(shop.caller, FUEL, { input: { carrierCode, name: index, rates } });
  }
  const id = await connectCarrier(shop.caller, carrierCode);
  await importTariff(shop.caller, id, JSON.parse(read(`schema/examples/tariffs/${name}.json`)) as object);
  return { shop, id };
}

function inputOf({ shop }: Imported, { on, to, parcels, more }: Listed): Fields {
  const [country, postalCode, city, province] = to;
  return shop.body({
    destination: { country, postalCode, city, ...(province && { province }) },
    parcels: parcels.map(([quantity, weight, length, width, height]) => ({ quantity, weight, length, width, height })),
    shipmentDate: on,
    ...more,
  });
}

describe.each([
  ['of a national carrier by parcel', 'brt-like', 'BRT', [], NATIONAL],
  ['of an express carrier with services and fuel by week', 'dhl-like', 'DHL', ['fuel_air', 'fuel_road'], EXPRESS],
] as const)('The price list %s', (_what, name, carrierCode, indexes, shipments) => {
  test('costs what the guide works out by hand', async () => {
    const imported = await withPriceList(name, carrierCode, indexes);
    const { caller } = imported.shop;
    const found: Record<string, string> = {};
    for (const [no, shipment] of Object.entries(shipments)) {
      const input = inputOf(imported, shipment);
      const { terms = null } = shipment;
      type Quoted = { readonly items?: readonly { readonly totalPrice: string }[]; readonly code?: string };
      const { items = [], code = '' } = await ask<Quoted>(caller, QUOTED, { input, terms });
      found[no] = items[0]?.totalPrice ?? code;
      if (terms !== null) continue;
      const { body } = await quote(caller, input);
      expect(body.code ?? body[0].totalPrice.toFixed(2), no).toBe(found[no]);
    }
    const wanted = [...BY_HAND].filter(([no]) => no in shipments);
    expect(wanted).toHaveLength(12);
    expect(found).toEqual(Object.fromEntries(wanted));
  });
});
