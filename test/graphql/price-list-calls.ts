import { readFileSync } from 'node:fs';
import { importTariff } from '../rest/feed.ts';
import { type Fields, type Merchant, merchant } from '../rest/tariffs.ts';
import { ask, connectCarrier } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { EXPRESS, type Listed, NATIONAL, type Numbered, PALLETS, QUINTALI } from './price-list-shipments.ts';

/** The price lists of the examples, imported as their guide says, and the sums that it works out by hand. */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const exampleOf = (file: string) => read(`schema/examples/tariffs/${file}`);
const GUIDE = read('src/docs/price-list-examples.md');

/** The last cell of each row with a number: an amount, or the code of an exclusion. */
export const BY_HAND: ReadonlyMap<string, string> = new Map(
  GUIDE.split('\n').flatMap(row => {
    const [, no, sum] = /^\| ([A-Z]\d+) \|.*\| ([^|]+) \|$/.exec(row) ?? [];
    return no && sum ? [[no, sum.replace('−', '-')] as const] : [];
  }),
);

/** The rows of the guide's table of clauses. */
export const CLAUSES = [...GUIDE.matchAll(/^\| ([^|]+) \| `([\w.-]+)` \| `(\/[^`]+)` \| ([^|]+) \|$/gm)].map(
  ([, clause = '', file = '', path = '', sums = '']) => ({ clause, file, path, sums }),
);

export const documentOf = (file: string) => JSON.parse(exampleOf(file)) as object;

interface PriceList {
  readonly what: string;
  readonly name: string;
  readonly carrierCode: string;
  /** Indexes of the carrier that it names. */
  readonly indexes: readonly string[];
  /** Lists of places that it names. */
  readonly lists: readonly string[];
  readonly shipments: Numbered;
}

export const BRT_LIKE: PriceList = {
  what: 'of a national carrier by parcel',
  name: 'brt-like',
  carrierCode: 'BRT',
  indexes: [],
  lists: [],
  shipments: NATIONAL,
};
export const PALLET_NETWORK: PriceList = {
  what: 'of a pallet network',
  name: 'pallet-network',
  carrierCode: 'GLS',
  indexes: [],
  lists: [],
  shipments: PALLETS,
};
export const DHL_LIKE: PriceList = {
  what: 'of an express carrier with services, fuel by week and customs',
  name: 'dhl-like',
  carrierCode: 'DHL',
  indexes: ['fuel_air', 'fuel_road'],
  lists: ['remote'],
  shipments: EXPRESS,
};
const GLS_LIKE: PriceList = {
  what: 'of a national carrier by quintali',
  name: 'gls-like',
  carrierCode: 'GLS',
  indexes: [],
  lists: [],
  shipments: QUINTALI,
};
export const PRICE_LISTS: readonly PriceList[] = [BRT_LIKE, DHL_LIKE, GLS_LIKE, PALLET_NETWORK];

const FUEL = `mutation ($input: ImportFuelIndexInput!) { importFuelIndex(input: $input) {
  carrierReference { name } userErrors { code pointer message } } }`;
const PLACES = `mutation ($input: ReplacePlaceListInput!) { replacePlaceList(input: $input) {
  carrierReference { name } userErrors { code pointer message } } }`;

/** The header and the other rows of a CSV of the examples. */
function cellsOf(file: string): readonly [header: readonly string[], ...rows: (readonly string[])[]] {
  const [header = [], ...rows] = exampleOf(file)
    .trim()
    .split('\n')
    .map(row => row.split(';'));
  return [header, ...rows];
}

export interface Imported {
  readonly shop: Merchant;
  readonly id: number;
}

/** The company has the price list on a connection, and the indexes and lists that it names. */
export async function importPriceList(caller: Caller, list: PriceList): Promise<Imported> {
  const { name, carrierCode, indexes, lists } = list;
  const fileOf = (reference: string) => `${name}-${reference.replace('_', '-')}.csv`;
  for (const index of indexes) {
    const [, ...rows] = cellsOf(fileOf(index));
    const rates = rows.map(([from, percent = '']) => ({ from, percent: percent.replace(',', '.') }));
    await ask(caller, FUEL, { input: { carrierCode, name: index, rates } });
  }
  for (const places of lists) {
    const [header, ...rows] = cellsOf(fileOf(places));
    const columns = header.map((field, i) => [field, rows.map(row => row[i]).filter(cell => cell)]);
    await ask(caller, PLACES, { input: { carrierCode, name: places, places: Object.fromEntries(columns) } });
  }
  const id = await connectCarrier(caller, carrierCode);
  await importTariff(caller, id, documentOf(`${name}.json`));
  return { shop: await merchant(caller), id };
}

export function inputOf({ shop }: Imported, { on, to, parcels, more }: Listed): Fields {
  const [country, postalCode, city, province] = to;
  return shop.body({
    destination: { country, postalCode, city, ...(province && { province }) },
    parcels: parcels.map(([quantity, weight, length, width, height]) => ({ quantity, weight, length, width, height })),
    shipmentDate: on,
    ...more,
  });
}
