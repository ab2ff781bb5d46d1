// Random tariffs and shipments.
import type { Ask, LineInput, Place, TariffInput, VersionInput } from './quote-support.ts';

export type To = VersionInput['zones'][number]['to'];

/** Places with what each of the rules below says of them, written by hand; the most specific rule first. */
export const PLACES: readonly { place: Place; fits: readonly string[]; vat: number }[] = [
  {
    place: at('IT', '90139', 'Palermo', 'PA'),
    fits: ['90139', '901*', '90-91', 'Palermo', 'PA', 'Sicilia', 'IT', 'EU'],
    vat: 22,
  },
  {
    place: at('IT', '90141', 'Palermo', 'PA'),
    fits: ['901*', '90-91', 'Palermo', 'PA', 'Sicilia', 'IT', 'EU'],
    vat: 22,
  },
  { place: at('IT', '90010', 'Ustica'), fits: ['90-91', 'PA', 'Sicilia', 'IT', 'EU'], vat: 22 },
  { place: at('IT', '91010', 'Favignana'), fits: ['90-91', 'Sicilia', 'IT', 'EU'], vat: 22 },
  { place: at('IT', '10010', 'Samone', 'TO'), fits: ['Samone (TO)', 'Samone', 'IT', 'EU'], vat: 22 },
  { place: at('IT', '38059', 'Samone', 'TN'), fits: ['Samone', 'IT', 'EU'], vat: 22 },
  { place: at('IT', '23030', 'Livigno', 'SO'), fits: ['IT', 'EU'], vat: 0 },
  { place: at('DE', '10115', 'Berlin'), fits: ['DE', 'EU'], vat: 22 },
  { place: at('ES', '35001', 'Las Palmas'), fits: ['ES 35*', 'EU'], vat: 0 },
  { place: at('ES', '28001', 'Madrid'), fits: ['EU'], vat: 22 },
  { place: at('GB', 'BT1 5GS', 'Belfast'), fits: ['GB BT*'], vat: 0 },
  { place: at('CH', '6900', 'Lugano'), fits: [], vat: 0 },
];
export const RULES: Readonly<Record<string, To>> = {
  '90139': { postalCodes: ['90139'] },
  '901*': { postalCodes: ['901*'] },
  '90-91': { postalCodes: ['90000-91999'] },
  'ES 35*': { postalCodes: ['ES 35*'] },
  'GB BT*': { postalCodes: ['GB BT*'] },
  'Samone (TO)': { municipalities: ['Samone (TO)'] },
  Samone: { municipalities: ['Samone'] },
  Palermo: { municipalities: ['Palermo'] },
  PA: { provinces: ['PA'] },
  Sicilia: { regions: ['Sicilia'] },
  IT: { countries: ['IT'] },
  DE: { countries: ['DE'] },
  EU: { countries: ['EU'] },
  anywhere: { anywhere: true },
};
export const RULE_NAMES = Object.keys(RULES);

export function at(countryCode: string, postalCode: string, city: string, province?: string): Place {
  return { countryCode, postalCode, city, ...(province && { province }) };
}

/** Rules dealt out to so many areas: `owner[i]` is the area of rule i, anything else leaves it out. */
export function deal(owner: readonly number[], areas: number): To[] {
  return Array.from({ length: areas }, (_, area) => {
    const mine = RULE_NAMES.filter((_, i) => owner[i] === area).map(name => RULES[name] as To);
    const all = (key: 'postalCodes' | 'municipalities' | 'provinces' | 'regions' | 'countries') =>
      mine.flatMap(rule => rule[key] ?? []);
    return {
      postalCodes: all('postalCodes'),
      // A comune that nobody asks for, so that no area is empty.
      municipalities: [...all('municipalities'), `Nessuno ${area}`],
      provinces: all('provinces'),
      regions: all('regions'),
      countries: all('countries'),
      ...(mine.some(rule => rule.anywhere) && { anywhere: true as const }),
    };
  });
}

// ---- Random tariffs: numbers out of a stream, which fast-check seeds. Generating them node by node would take longer
// ---- than pricing; what fails is printed with its seed and is the same in every run.

export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** 0 … `below` − 1. */
  roll(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }
  chance(percent: number): boolean {
    return this.roll(100) < percent;
  }
  of<T>(list: readonly T[]): T {
    return list[this.roll(list.length)] as T;
  }
  /** A decimal below `limit` with so many places, often a round one. */
  decimal(limit: number, places: number): number {
    const unit = 10 ** places;
    return this.chance(30) ? this.roll(limit) : this.roll(limit * unit) / unit;
  }
  list<T>(most: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.roll(most + 1) }, (_, i) => make(i));
  }
  some<T>(list: readonly T[], percent: number): T[] {
    return list.filter(() => this.chance(percent));
  }
}

export const maybe = <T>(dice: Dice, percent: number, key: string, value: () => T) =>
  dice.chance(percent) ? { [key]: value() } : {};

export function randomCharge(dice: Dice, names: readonly string[]): LineInput['price'] {
  const sum = () => {
    const of = dice.some(names, 50);
    return {
      ...maybe(dice, 40, 'fixed', () => dice.decimal(20, 2)),
      ...maybe(dice, 30, 'perKg', () => dice.decimal(2, 5)),
      ...maybe(dice, 30, 'perParcel', () => dice.decimal(5, 2)),
      ...(of.length > 0 && dice.chance(60) ? { percent: dice.decimal(40, 4), of } : {}),
    };
  };
  const filled = () => {
    const one = sum();
    return Object.keys(one).length > 0 ? one : { fixed: dice.decimal(9, 2) };
  };
  const minimum = dice.chance(20) ? dice.decimal(6, 2) : undefined;
  return {
    ...(dice.chance(25) ? { greaterOf: [filled(), filled()] as [object, object] } : filled()),
    ...(minimum !== undefined && { minimum }),
    ...maybe(dice, 20, 'maximum', () => Math.round(((minimum ?? 0) + dice.roll(20)) * 100) / 100),
  };
}

export function randomVersion(
  dice: Dice,
  dates: Pick<VersionInput, 'label' | 'validFrom' | 'validUntil'>,
): VersionInput {
  const areas = 1 + dice.roll(4);
  const owner = RULE_NAMES.map(name => (name === 'anywhere' ? dice.roll(areas) : dice.roll(areas + 2)));
  const zones = deal(owner, areas).map((to, i) => {
    if (dice.chance(3)) return { code: `z${i}`, name: 'Z', to, notServed: 'No' };
    let grams = 0;
    let cents = 0;
    const bands = Array.from({ length: 1 + dice.roll(6) }, () => {
      grams += dice.chance(60) ? 1000 * (1 + dice.roll(10)) : 1 + dice.roll(20_000);
      cents += dice.roll(900);
      return { upToKg: grams / 1000, price: cents / 100 };
    });
    const beyond = { everyKg: dice.of([0.5, 1, 2.5, 100, 0.333]), price: dice.decimal(4, 2) };
    return { code: `z${i}`, name: 'Z', to, bands, ...(dice.chance(80) && { beyond }) };
  });
  const surcharges = dice.list(4, i => `s${i}`);
  const options = dice.list(3, i => `o${i}`);
  const [hasFuel, hasCod, hasInsurance] = [dice.chance(70), dice.chance(75), dice.chance(75)];
  // Lines may be percentages of those before them in this shuffled order, so never in a circle.
  const ranked = [...surcharges, ...options, ...(hasFuel ? ['fuel'] : [])]
    .map(code => ({ code, rank: dice.roll(1_000_000) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ code }) => code);
  const nameable = (code: string) => [
    'base',
    ...ranked.slice(0, ranked.indexOf(code)),
    ...(hasCod ? ['cod'] : []),
    ...(hasInsurance ? ['insurance'] : []),
  ];
  const line = (code: string): LineInput => ({
    code,
    description: code,
    price: randomCharge(dice, nameable(code)),
    ...maybe(dice, 35, 'when', () => ({
      ...maybe(dice, 30, 'zones', () => ['z0']),
      ...maybe(dice, 30, 'to', () => ({ regions: ['Sicilia'] })),
      ...maybe(dice, 30, 'fromKg', () => 1 + dice.roll(20)),
      ...maybe(dice, 30, 'parcelFromKg', () => 1 + dice.roll(15)),
      ...maybe(dice, 30, 'longestSideOverCm', () => 20 + dice.roll(60)),
      ...maybe(dice, 30, 'sumOfSidesOverCm', () => 40 + dice.roll(100)),
    })),
  });
  const volumetric = dice.of([
    undefined,
    { kgPerM3: dice.of([167, 200, 250, 300, 333]) },
    { cm3PerKg: dice.of([3333, 4000, 5000, 6000]) },
  ]);
  const vatOwner = RULE_NAMES.map(name => (name === 'anywhere' ? 0 : dice.roll(5)));
  return {
    ...dates,
    weight: {
      per: dice.of(['shipment', 'parcel'] as const),
      roundUpToKg: dice.of([0.001, 0.1, 0.25, 0.5, 1, 5]),
      ...(volumetric && { volumetric }),
    },
    limits: {
      ...maybe(dice, 15, 'parcelKg', () => 10 + dice.roll(40)),
      ...maybe(dice, 15, 'shipmentKg', () => 20 + dice.roll(100)),
      ...maybe(dice, 15, 'longestSideCm', () => 60 + dice.roll(60)),
      ...maybe(dice, 15, 'sumOfSidesCm', () => 90 + dice.roll(120)),
      ...maybe(dice, 15, 'parcels', () => 2 + dice.roll(8)),
    },
    zones,
    surcharges: surcharges.map(line),
    options: options.map(line),
    ...(hasFuel && {
      fuel: {
        description: 'Fuel',
        of: ['base', ...dice.some(nameable('fuel').slice(1), 50)],
        rates: [
          { from: dates.validFrom, percent: dice.decimal(32, 4) },
          ...(dice.chance(50) ? [{ from: '2026-10-10', percent: dice.decimal(32, 4) }] : []),
        ],
      },
    }),
    ...(hasCod && {
      cod: {
        fixed: dice.decimal(5, 2),
        ...maybe(dice, 70, 'percent', () => dice.decimal(3, 4)),
        ...maybe(dice, 50, 'minimum', () => dice.decimal(9, 2)),
        ...maybe(dice, 50, 'maximumAmount', () => (50_000 + dice.roll(450_000)) / 100),
      },
    }),
    ...(hasInsurance && {
      insurance: {
        percent: dice.decimal(3, 4),
        ...maybe(dice, 50, 'minimum', () => dice.decimal(9, 2)),
        ...maybe(dice, 50, 'allowance', () => dice.decimal(600, 2)),
        ...maybe(dice, 50, 'maximumAmount', () => (50_000 + dice.roll(450_000)) / 100),
      },
    }),
    ...maybe(dice, 40, 'vat', () => deal(vatOwner, 3).map((to, i) => ({ to, percent: [22, 0, 8.1][i] ?? 0 }))),
  };
}

export function randomTariff(dice: Dice): TariffInput {
  const first = { label: 'a', validFrom: '2026-01-01' };
  const second = { label: 'b', validFrom: '2026-09-01' };
  if (dice.chance(50)) return { name: 'T', versions: [randomVersion(dice, { ...first, validUntil: '2026-12-20' })] };
  const until = dice.chance(50) ? { validUntil: '2026-08-31' } : {};
  return { name: 'T', versions: [randomVersion(dice, { ...first, ...until }), randomVersion(dice, second)] };
}

export const DATES = ['2026-01-01', '2026-05-05', '2026-08-31', '2026-09-01', '2026-10-09', '2026-10-10', '2026-12-20'];

export function randomAsk(dice: Dice, place = dice.of(PLACES)): Ask & { place: (typeof PLACES)[number] } {
  const kg = () => (dice.chance(40) ? 1 + dice.roll(20) : (1 + dice.roll(40_000)) / 1000);
  const side = () => 1 + dice.roll(70);
  const common = {
    place,
    to: place.place,
    ...(dice.chance(40) && { cod: dice.decimal(800, 2) }),
    ...(dice.chance(40) && { insured: dice.decimal(1500, 2) }),
    options: dice.some(['o0', 'o1', 'o2'], 20),
    date: dice.chance(3) ? dice.of(['2025-12-31', '2026-12-21']) : dice.of(DATES),
  };
  if (dice.chance(30)) {
    const parcels = 1 + dice.roll(7);
    return { ...common, totals: { kg: kg() * (1 + dice.roll(4)), cm3: dice.roll(200_000), parcels } };
  }
  const parcels = Array.from({ length: 1 + dice.roll(4) }, () => ({
    kg: kg(),
    sides: [side(), side(), side()] as const,
    quantity: 1 + dice.roll(3),
  }));
  return { ...common, parcels };
}
