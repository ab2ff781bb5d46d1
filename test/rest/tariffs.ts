import { readFileSync } from 'node:fs';
import { connectCarrier, createWarehouse } from '../support/platform-side.ts';
import type { Answer } from '../support/rest-client.ts';
import type { Caller, World } from '../support/world.ts';
import { importTariff, TARIFF } from './feed.ts';

/** Tariffs and shipments that tests of quotes are about. */

export type Fields = Record<string, unknown>;

const DEMO_CARRIERS = ['BRT', 'DHL', 'GLS', 'INPOST', 'POSTE'];

/** The tariffs of the demonstration, by carrier. */
export const DEMO_TARIFFS: readonly (readonly [carrierCode: string, tariff: Fields])[] = DEMO_CARRIERS.map(code => {
  const file = new URL(`../../src/demo/tariffs/${code.toLowerCase()}.json`, import.meta.url);
  return [code, JSON.parse(readFileSync(file, 'utf8')) as Fields];
});

export const PALERMO = { country: 'IT', postalCode: '90139', city: 'Palermo', province: 'PA' };
export const MILANO = { country: 'IT', postalCode: '20121', city: 'Milano', province: 'MI' };
export const PARCEL = { weight: 4, length: 40, width: 30, height: 30 };

/** The tariff of the worked example: `notes/carriers.md`. */
export const SICILY = {
  format: 2,
  name: 'Esempio',
  versions: [
    {
      label: 'Esempio 2026',
      validFrom: '2026-01-01',
      weight: { volumetric: [{ kgPerM3: 300 }], per: 'shipment', roundUp: [{ toKg: 0.1 }] },
      zones: [
        {
          code: 'sicilia',
          name: 'Sicilia',
          to: { regions: ['Sicilia'] },
          deliveryDays: 2,
          bands: [
            { upToKg: 3, price: 6.6 },
            { upToKg: 5, price: 7.3 },
            { upToKg: 10, price: 8.9 },
            { upToKg: 20, price: 12.2 },
          ],
        },
      ],
      surcharges: [{ code: 'istat', description: 'Adeguamento ISTAT', price: { percent: 2.9, of: ['base'] } }],
      fuel: [
        {
          code: 'fuel',
          description: 'Carburante',
          price: { of: ['base'], rates: [{ from: '2026-01-01', percent: 8.5 }] },
        },
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

/** A tariff in whole kilograms of a shipment. Its one version has the given fields. */
export const currentTariff = <Version extends object>(version: Version, name = 'Listino') => ({
  format: 2,
  name,
  versions: [
    {
      label: '2026',
      validFrom: '2026-01-01',
      weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
      ...version,
    },
  ],
});

/** A tariff like `TARIFF` with other fields in its one version. */
export function tariffWith(version: Fields = {}): { format: number; name: string; versions: Fields[] } {
  return { ...TARIFF, versions: [{ ...TARIFF.versions[0], ...version }] };
}

/** All of Italy at one price, whatever it weighs. */
export function flat(price: number, version: Fields = {}) {
  const zone = { code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 100_000, price }] };
  return tariffWith({ zones: [zone], ...version });
}

/** A connection with a tariff; answers its id. */
export async function connectWith(caller: Caller, tariff: object | null, carrierCode = 'BRT', isActive = true) {
  const id = await connectCarrier(caller, carrierCode, 'Conto', isActive);
  if (tariff) await importTariff(caller, id, tariff);
  return id;
}

/** A company's key, its warehouse in Milan, and its connections: one for each tariff, in their order. */
export interface Merchant {
  readonly caller: Caller;
  readonly warehouseId: number;
  readonly ids: readonly number[];
  /** A body of mode B: one parcel to Palermo, with other fields as given. */
  readonly body: (fields?: Fields) => Fields;
  readonly quote: (fields?: Fields) => Promise<Answer>;
}

export async function merchant(caller: Caller, ...tariffs: (object | null)[]): Promise<Merchant> {
  const warehouseId = await createWarehouse(caller);
  const ids: number[] = [];
  for (const tariff of tariffs) ids.push(await connectWith(caller, tariff));
  const body = (fields: Fields = {}) => ({ warehouseId, destination: PALERMO, parcels: [PARCEL], ...fields });
  return { caller, warehouseId, ids, body, quote: fields => quote(caller, body(fields)) };
}

/** Makes merchants of a world, each a company of its own. */
export function merchantsOf(world: World): (...tariffs: (object | null)[]) => Promise<Merchant> {
  return async (...tariffs) => merchant(await world.company(), ...tariffs);
}

/** The demonstration's five tariffs on five carriers. */
export async function demoMerchant(caller: Caller): Promise<Merchant> {
  const own = await merchant(caller);
  const ids: number[] = [];
  for (const [code, tariff] of DEMO_TARIFFS) ids.push(await connectWith(caller, tariff, code));
  return { ...own, ids };
}

export function quote(caller: Caller, body: unknown): Promise<Answer> {
  return caller.rest('POST', '/shipments/quote', body);
}

/** The day that it is in Italy, moved by some days. */
export function italianDay(days = 0): string {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' }).format(new Date());
  return new Date(Date.parse(`${today}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** An amount of money without the rounding that decimals bring. */
export const cents = (amount: unknown) => Math.round(Number(amount) * 100);
