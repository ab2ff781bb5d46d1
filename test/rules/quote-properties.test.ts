import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Exclusion, type Price, price, type Shipment } from '../../src/domain/quotes/quote.rules.ts';
import {
  type Ask,
  compiled,
  type LineInput,
  type Place,
  shipmentOf,
  type TariffInput,
  type VersionInput,
} from './quote-support.ts';

type To = VersionInput['zones'][number]['to'];

/** Places with what each of the rules below says of them, written by hand; the most specific rule first. */
const PLACES: readonly { place: Place; fits: readonly string[]; vat: number }[] = [
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
const RULES: Readonly<Record<string, To>> = {
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
const RULE_NAMES = Object.keys(RULES);

function at(countryCode: string, postalCode: string, city: string, province?: string): Place {
  return { countryCode, postalCode, city, ...(province && { province }) };
}

/** Rules dealt out to so many areas: `owner[i]` is the area of rule i, anything else leaves it out. */
function deal(owner: readonly number[], areas: number): To[] {
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

class Dice {
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

const maybe = <T>(dice: Dice, percent: number, key: string, value: () => T) =>
  dice.chance(percent) ? { [key]: value() } : {};

function randomCharge(dice: Dice, names: readonly string[]): LineInput['price'] {
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

function randomVersion(dice: Dice, dates: Pick<VersionInput, 'label' | 'validFrom' | 'validUntil'>): VersionInput {
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

function randomTariff(dice: Dice): TariffInput {
  const first = { label: 'a', validFrom: '2026-01-01' };
  const second = { label: 'b', validFrom: '2026-09-01' };
  if (dice.chance(50)) return { name: 'T', versions: [randomVersion(dice, { ...first, validUntil: '2026-12-20' })] };
  const until = dice.chance(50) ? { validUntil: '2026-08-31' } : {};
  return { name: 'T', versions: [randomVersion(dice, { ...first, ...until }), randomVersion(dice, second)] };
}

const DATES = ['2026-01-01', '2026-05-05', '2026-08-31', '2026-09-01', '2026-10-09', '2026-10-10', '2026-12-20'];

function randomAsk(dice: Dice, place = dice.of(PLACES)): Ask & { place: (typeof PLACES)[number] } {
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

// ---- The reference: fractions of whole numbers, as plainly as the notes say it.

class Q {
  readonly n: bigint;
  readonly d: bigint;
  constructor(n: bigint | number, d: bigint | number = 1) {
    this.n = BigInt(n);
    this.d = BigInt(d);
  }
  /** Exactly what was written: 0.1 is a tenth. */
  static decimal(value: number | undefined): Q {
    const [whole = '0', fraction = ''] = String(value ?? 0).split('.');
    return new Q(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
  }
  plus(o: Q): Q {
    return this.d === o.d ? new Q(this.n + o.n, this.d) : new Q(this.n * o.d + o.n * this.d, this.d * o.d);
  }
  minus(o: Q): Q {
    return this.plus(new Q(-o.n, o.d));
  }
  times(o: Q): Q {
    return new Q(this.n * o.n, this.d * o.d);
  }
  over(o: Q): Q {
    return new Q(this.n * o.d, this.d * o.n);
  }
  above(o: Q): boolean {
    return this.n * o.d > o.n * this.d;
  }
  max(o: Q): Q {
    return o.above(this) ? o : this;
  }
  min(o: Q): Q {
    return this.above(o) ? o : this;
  }
  /** Not below zero. */
  ceil(): Q {
    return new Q((this.n + this.d - 1n) / this.d);
  }
  upTo(step: Q): Q {
    return this.over(step).ceil().times(step);
  }
  /** Half up to the cent. */
  cent(): Q {
    return new Q((this.n * 200n + this.d) / (this.d * 2n), 100);
  }
  cents(): number {
    return Number((this.n * 100n) / this.d);
  }
}
const ZERO = new Q(0);
const HUNDRED = new Q(100);
const q = Q.decimal;

function areaOf(areas: readonly To[], { fits }: (typeof PLACES)[number]): number {
  for (const name of [...fits, 'anywhere']) {
    const rule = RULES[name] as Record<string, unknown>;
    const [key = '', value] = Object.entries(rule)[0] ?? [];
    const area = areas.findIndex(to => {
      const own = (to as Record<string, unknown>)[key];
      return Array.isArray(own) ? own.includes((value as string[])[0]) : own === value;
    });
    if (area >= 0) return area;
  }
  return -1;
}

interface Reference {
  readonly reasons: ReadonlySet<string>;
  readonly lines?: Readonly<Record<string, number>>;
  readonly chargeable?: Q;
  readonly total?: number;
  readonly vat?: number;
}

function reference({ versions }: TariffInput, ask: Ask & { place: (typeof PLACES)[number] }): Reference {
  const { date = '', cod: codAmount = 0, insured = 0, options: asked = [] } = ask;
  const version = versions.findLast(({ validFrom }) => validFrom <= date);
  if (version === undefined || (version.validUntil ?? '9') < date) return { reasons: new Set(['NO_TARIFF_IN_FORCE']) };
  const zone =
    version.zones[
      areaOf(
        version.zones.map(({ to }) => to),
        ask.place,
      )
    ];
  if (zone === undefined || zone.notServed) return { reasons: new Set(['DESTINATION_NOT_SERVED']) };

  // Each parcel by itself; totals are so many equal ones.
  const { totals } = ask;
  const count = totals?.parcels ?? 1;
  const each = totals
    ? Array.from({ length: count }, () => ({
        kg: new Q(Math.round(totals.kg * 1000), 1000 * count),
        m3: new Q(totals.cm3 ?? 0, 1_000_000 * count),
        sides: undefined,
      }))
    : (ask.parcels ?? []).flatMap(({ kg, sides, quantity = 1 }) =>
        Array.from({ length: quantity }, () => ({
          kg: q(kg),
          m3: new Q(sides[0] * sides[1] * sides[2], 1_000_000),
          sides,
        })),
      );
  const { volumetric, per } = version.weight;
  const volumetricOf = (m3: Q): Q => {
    if (volumetric === undefined) return ZERO;
    if ('kgPerM3' in volumetric) return m3.times(new Q(volumetric.kgPerM3));
    return m3.times(new Q(1_000_000)).over(new Q(volumetric.cm3PerKg));
  };
  const sum = (list: readonly Q[]) => list.reduce((a, b) => a.plus(b), ZERO);
  const step = q(version.weight.roundUpToKg);
  const real = sum(each.map(({ kg }) => kg));
  const chargeable =
    per === 'shipment'
      ? real.max(volumetricOf(sum(each.map(({ m3 }) => m3)))).upTo(step)
      : sum(each.map(({ kg, m3 }) => kg.max(volumetricOf(m3)).upTo(step)));
  // In whole grams.
  const heaviest = each.map(({ kg }) => kg.upTo(new Q(1, 1000))).reduce((a, b) => a.max(b));
  const longest = Math.max(...each.map(({ sides }) => (sides ? Math.max(...sides) : 0)));
  const around = Math.max(...each.map(({ sides }) => (sides ? sides[0] + sides[1] + sides[2] : 0)));

  const reasons = new Set<string>();
  const { limits = {}, cod, insurance, fuel, surcharges = [], options = [] } = version;
  if (limits.parcelKg && heaviest.above(q(limits.parcelKg))) reasons.add('WEIGHT_OUT_OF_RANGE');
  if (limits.shipmentKg && real.above(q(limits.shipmentKg))) reasons.add('WEIGHT_OUT_OF_RANGE');
  if (longest > (limits.longestSideCm ?? longest)) reasons.add('DIMENSIONS_OUT_OF_RANGE');
  if (around > (limits.sumOfSidesCm ?? around)) reasons.add('DIMENSIONS_OUT_OF_RANGE');
  if (each.length > (limits.parcels ?? each.length)) reasons.add('DIMENSIONS_OUT_OF_RANGE');

  const { bands = [], beyond } = zone;
  const band = bands.find(({ upToKg }) => !chargeable.above(q(upToKg)));
  const last = bands.at(-1);
  if (!band && !beyond) reasons.add('WEIGHT_OUT_OF_RANGE');
  const base =
    band || !beyond
      ? q(band?.price)
      : q(last?.price).plus(chargeable.minus(q(last?.upToKg)).over(q(beyond.everyKg)).ceil().times(q(beyond.price)));

  const holds = ({ when }: LineInput): boolean =>
    when === undefined ||
    ((when.zones?.includes(zone.code) ?? true) &&
      (when.to === undefined || ask.place.fits.includes('Sicilia')) &&
      !q(when.fromKg).above(chargeable) &&
      !q(when.parcelFromKg).above(heaviest) &&
      longest > (when.longestSideOverCm ?? -1) &&
      around > (when.sumOfSidesOverCm ?? -1));
  for (const code of asked) {
    const option = options.find(line => line.code === code);
    if (!option || !holds(option)) reasons.add('OPTION_NOT_SUPPORTED');
  }
  if (codAmount > 0 && (!cod || codAmount > (cod.maximumAmount ?? codAmount))) reasons.add('COD_NOT_SUPPORTED');
  if (insured > 0 && (!insurance || insured > (insurance.maximumAmount ?? insured)))
    reasons.add('INSURANCE_NOT_SUPPORTED');
  if (reasons.size > 0) return { reasons };

  const known = new Map<string, Q | undefined>([['base', base]]);
  const share = (percent: number | undefined, of: readonly string[]): Q =>
    sum(of.map(code => lineOf(code) ?? ZERO))
      .times(q(percent))
      .over(HUNDRED);
  const sumOf = ({ fixed, perKg, perParcel, percent, of = [] }: LineInput['price']): Q =>
    q(fixed)
      .plus(q(perKg).times(chargeable))
      .plus(q(perParcel).times(new Q(each.length)))
      .plus(share(percent, of));
  const reckon = (code: string): Q | undefined => {
    if (code === 'fuel') return fuel && share(fuel.rates.findLast(({ from }) => from <= date)?.percent, fuel.of);
    if (code === 'cod') {
      if (!cod || codAmount === 0) return undefined;
      return q(cod.fixed)
        .plus(q(codAmount).times(q(cod.percent)).over(HUNDRED))
        .max(q(cod.minimum));
    }
    if (code === 'insurance') {
      if (!insurance || insured === 0) return undefined;
      const above = q(insured).minus(q(insurance.allowance));
      return above.above(ZERO) ? above.times(q(insurance.percent)).over(HUNDRED).max(q(insurance.minimum)) : ZERO;
    }
    const line = [...surcharges, ...options].find(one => one.code === code);
    if (!line || !holds(line) || (options.includes(line) && !asked.includes(code))) return undefined;
    const { greaterOf, minimum, maximum } = line.price;
    const sums = greaterOf ? sumOf(greaterOf[0]).max(sumOf(greaterOf[1])) : sumOf(line.price);
    const raised = sums.max(q(minimum));
    return maximum === undefined ? raised : raised.min(q(maximum));
  };
  const lineOf = (code: string): Q | undefined => {
    if (!known.has(code)) known.set(code, reckon(code)?.cent());
    return known.get(code);
  };
  const lines: Record<string, number> = {};
  let total = ZERO;
  for (const code of ['base', ...[...surcharges, ...options].map(line => line.code), 'fuel', 'cod', 'insurance']) {
    const amount = lineOf(code);
    if (amount === undefined) continue;
    lines[code] = amount.cents();
    total = total.plus(amount);
  }
  const { vat } = version;
  const percent = vat
    ? vat[
        areaOf(
          vat.map(({ to }) => to),
          ask.place,
        )
      ]?.percent
    : ask.place.vat;
  return {
    reasons,
    lines,
    chargeable,
    total: total.cents(),
    vat: total.times(q(percent)).over(HUNDRED).cent().cents(),
  };
}

// ---- The properties.

const SHIPMENTS = 40;
let runs = 0;

/** For each of so many random tariffs, each of `SHIPMENTS` random shipments. */
function everywhere(
  tariffs: number,
  seed: number,
  check: (document: TariffInput, engine: ReturnType<typeof compiled>, dice: Dice) => void,
): void {
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const dice = new Dice(number);
      const document = randomTariff(dice);
      const engine = compiled(document);
      for (let i = 0; i < SHIPMENTS; i++) {
        runs++;
        check(document, engine, dice);
      }
    }),
    { numRuns: tariffs, seed },
  );
}

const linesOf = ({ version, amounts }: Price) =>
  Object.fromEntries(version.lines.map(({ code }, i) => [code, amounts[i] ?? -1]).filter(([, cents]) => cents !== -1));

/** Everything of a result but the tables it was found in. */
const plain = (result: Price | Exclusion) =>
  JSON.stringify(
    result.ok ? { ...result, version: result.version.index, zone: result.zone.index } : { ...result, version: 0 },
  );

test('agrees to the cent with a reference in fractions', () => {
  const outcomes = new Map<string, number>();
  everywhere(1_200, 11, (document, engine, dice) => {
    const ask = randomAsk(dice);
    const result = price(engine, shipmentOf(ask));
    const { reasons, lines, chargeable, total, vat } = reference(document, ask);
    const outcome = result.ok ? 'ok' : result.code;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (!result.ok) return expect([...reasons], JSON.stringify(ask)).toContain(result.code);
    const got = {
      lines: linesOf(result),
      grams: result.chargeableGrams,
      total: result.totalCents,
      vat: result.vatCents,
    };
    const grams = Number(chargeable?.times(new Q(1000)).ceil().n ?? -1n);
    const wanted = { lines, grams, total, vat };
    expect([...reasons], JSON.stringify(ask)).toEqual([]);
    expect(got, JSON.stringify(ask)).toEqual(wanted);
  });
  // Every way it can end was met often enough.
  expect(outcomes.get('ok')).toBeGreaterThan(15_000);
  expect([...outcomes.keys()].toSorted()).toEqual([
    'COD_NOT_SUPPORTED',
    'DESTINATION_NOT_SERVED',
    'DIMENSIONS_OUT_OF_RANGE',
    'INSURANCE_NOT_SUPPORTED',
    'NO_TARIFF_IN_FORCE',
    'OPTION_NOT_SUPPORTED',
    'WEIGHT_OUT_OF_RANGE',
    'ok',
  ]);
  for (const often of outcomes.values()) expect(often).toBeGreaterThan(100);
});

test('lines add up to components, components to the total, VAT is its rate on it, and all are whole cents', () => {
  everywhere(800, 22, (_, engine, dice) => {
    const result = price(engine, shipmentOf(randomAsk(dice)));
    if (!result.ok) return;
    const { components, version, amounts, totalCents, vatPpm, vatCents, grossCents } = result;
    const sums = { base: 0, surcharges: 0, fuel: 0, options: 0, cod: 0, insurance: 0 };
    for (const [i, { component }] of version.lines.entries()) sums[component] += Math.max(amounts[i] ?? 0, 0);
    expect(components).toEqual(sums);
    expect(Object.values(components).reduce((a, b) => a + b)).toBe(totalCents);
    expect(vatCents).toBe(Number((BigInt(totalCents) * BigInt(vatPpm) * 2n + 1_000_000n) / 2_000_000n));
    expect(totalCents + vatCents).toBe(grossCents);
    const all = [
      ...Object.values(components),
      ...amounts.filter(cents => cents !== -1),
      totalCents,
      vatCents,
      grossCents,
    ];
    expect(all.filter(cents => !Number.isSafeInteger(cents) || cents < 0)).toEqual([]);
  });
});

test('more weight never costs less, where band prices ascend', () => {
  let compared = 0;
  let dearer = 0;
  everywhere(800, 33, (_, engine, dice) => {
    const light = shipmentOf(randomAsk(dice));
    const [first, ...others] = light.parcels;
    if (!first) return;
    const more = 1 + dice.roll(30_000);
    const heavy: Shipment = {
      ...light,
      parcels: [{ ...first, grams: first.grams + more }, ...others],
      grams: light.grams + more * (first.share > 1 ? 1 : first.quantity),
      heaviestGrams: Math.max(light.heaviestGrams, Math.ceil((first.grams + more) / first.share)),
    };
    const [less, greater] = [price(engine, light), price(engine, heavy)];
    if (!less.ok || !greater.ok) return;
    compared++;
    if (greater.totalCents > less.totalCents) dearer++;
    expect(greater.chargeableGrams).toBeGreaterThanOrEqual(less.chargeableGrams);
    expect(greater.totalCents).toBeGreaterThanOrEqual(less.totalCents);
    expect(greater.grossCents).toBeGreaterThanOrEqual(less.grossCents);
  });
  expect(compared).toBeGreaterThan(8_000);
  expect(dearer).toBeGreaterThan(4_000);
});

test('the order of parcels does not matter, and the same input has the same result', () => {
  everywhere(600, 44, (document, engine, dice) => {
    const ask = randomAsk(dice);
    const result = plain(price(engine, shipmentOf(ask)));
    expect(plain(price(engine, shipmentOf(ask)))).toBe(result);
    if (ask.parcels)
      expect(plain(price(engine, shipmentOf({ ...ask, parcels: ask.parcels.toReversed() })))).toBe(result);
    if (dice.chance(3)) expect(plain(price(compiled(structuredClone(document)), shipmentOf(ask)))).toBe(result);
  });
});

test('these were more than 100,000 runs', () => {
  expect(runs).toBeGreaterThanOrEqual(100_000);
});
