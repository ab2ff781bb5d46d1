import type { Tariff } from '../../src/domain/pricing/tariffs/format/tariff.format.rules.ts';
import { pseudoRandom } from './pseudo-random.ts';

/** Invented tariffs of any size, and shipments to price on them; the same every run. */

const BANDS = 40;

/** A national tariff with so many rules of zones, and 40 bands a zone. */
export function tariffWith(rules: number, seed: number): Tariff {
  const random = pseudoRandom(seed);
  const bands = (base: number) =>
    Array.from({ length: BANDS }, (_, i) => ({
      upToKg: (i + 1) * 2.5,
      price: Math.round((base + i * 1.35) * 100) / 100,
    }));
  const zones = ['italia', 'sud', 'isole', 'remote', 'vicine'];
  const codes = shuffledCodes(random, Math.min(rules, 90_000));
  // Comuni, once no postal code is left.
  const comuni = Array.from({ length: Math.max(0, rules - codes.length) }, (_, i) => `Comune ${i}`);
  const share = (list: readonly string[], zone: number) => list.filter((_, i) => i % (zones.length - 1) === zone - 1);
  return {
    format: 2,
    name: `Listino ${seed}`,
    currency: 'EUR',
    versions: [
      {
        label: 'Prova',
        validFrom: '2020-01-01',
        origins: [],
        weight: {
          per: seed % 2 ? 'parcel' : 'shipment',
          volumetric: [{ kgPerM3: 200 + seed * 10 }],
          minimums: [],
          roundUp: [{ toKg: 0.5 }],
        },
        limits: { parcelKg: 70, longestSideCm: 300 },
        zones: zones.map((code, zone) => ({
          code,
          name: code,
          to:
            zone === 0
              ? { countries: ['IT'] }
              : { postalCodes: share(codes, zone), municipalities: share(comuni, zone) },
          deliveryDays: zone + 1,
          bands: bands(5 + zone + seed / 10),
          beyond: [{ everyKg: 50, price: 12 }],
          pallets: [],
        })),
        surcharges: [
          { code: 'istat', description: 'Adeguamento ISTAT', price: { percent: 2.9, of: ['base'] } },
          { code: 'islands', description: 'Isole', when: { zones: ['isole'] }, price: { fixed: 12, perKg: 0.15 } },
          {
            code: 'heavy',
            description: 'Collo pesante',
            when: { parcel: { weightKg: { from: 30 } } },
            price: { perParcel: 4, parcels: 'all' },
          },
        ],
        fuel: [
          {
            code: 'fuel',
            description: 'Carburante',
            price: { of: ['base', 'istat'], rates: [{ from: '2020-01-01', percent: 8.5 }] },
          },
        ],
        options: [{ code: 'saturday', description: 'Sabato', price: { fixed: 9 } }],
        cod: [
          {
            code: 'cod',
            description: 'Contrassegno',
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
        afterShipment: [],
      },
    ],
  };
}

function shuffledCodes(random: () => number, count: number): string[] {
  const codes = Array.from({ length: 100_000 }, (_, i) => String(i).padStart(5, '0'));
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(random() * (codes.length - i));
    [codes[i], codes[j]] = [codes[j] ?? '', codes[i] ?? ''];
  }
  return codes.slice(0, count);
}

/** Bodies of quotes: Italian postal codes, one to three parcels, now and then services. */
export function quoteBodies(count: number, warehouseId: number): object[] {
  const random = pseudoRandom(42);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return Array.from({ length: count }, () => ({
    warehouseId,
    destination: { postalCode: String(whole(10, 98_168)).padStart(5, '0'), city: 'Comune', address: 'Via Roma 1' },
    parcels: Array.from({ length: whole(1, 3) }, () => ({
      weight: whole(1, 300) / 10,
      length: whole(10, 60),
      width: whole(10, 40),
      height: whole(5, 40),
    })),
    ...(random() < 0.3 && { codAmount: whole(10, 500) }),
    ...(random() < 0.3 && { insuranceAmount: whole(10, 500), options: ['saturday'] }),
  }));
}
