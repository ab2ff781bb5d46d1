/** Random tariffs of the whole format, and shipments to price on them. */

import { type Dice, maybe, randomRange } from './dice.ts';
import { PLACES } from './known-places.ts';
import type { Ask } from './quote-support.ts';
import { REFERENCE_CHARGES } from './reference-charge.ts';
import { REFERENCE_CONDITIONS } from './reference-condition.ts';
import type { LineInput, TariffInput, VersionInput, ZoneInput } from './tariff-cases.ts';
import type { KnownPlace } from './tariff-reference.ts';

type Price = LineInput['price'];
type When = NonNullable<LineInput['when']>;
type To = ZoneInput['to'];

const RULES = [
  ['postalCodes', '90139'],
  ['postalCodes', '901*'],
  ['postalCodes', '90010'],
  ['postalCodes', '20*'],
  ['postalCodes', '90000-91999'],
  ['postalCodes', 'ES 35*'],
  ['postalCodes', 'GB BT*'],
  ['postalCodes', 'GB BT1-BT17'],
  ['postalCodes', 'NL 1000 AA-1099 ZZ'],
  ['towns', 'CH Lugano'],
  ['towns', 'CH Lugano (6900)'],
  ['municipalities', 'Palermo'],
  ['municipalities', 'Samone (TO)'],
  ['municipalities', 'Samone'],
  ['provinces', 'PA'],
  ['provinces', 'MI'],
  ['provinces', 'SO'],
  ['regions', 'Sicilia'],
  ['regions', 'Lombardia'],
  ['countries', 'IT'],
  ['countries', 'DE'],
  ['countries', 'EU'],
] as const;

/** The sum, with the decimals that people would write. */
const more = (one: number, other: number) => Math.round((one + other) * 1000) / 1000;

const areaOfRules = (rules: readonly (readonly [string, string])[]): To => {
  const area: Record<string, string[]> = {};
  for (const [field, value] of rules) area[field] = [...(area[field] ?? []), value];
  return area as To;
};
const someRules = (dice: Dice, percent: number) => {
  const rules = dice.some(RULES, percent);
  return areaOfRules(rules.length > 0 ? rules : [dice.of(RULES)]);
};

/** Places dealt out to so many areas; the first takes whatever is left. */
function deal(dice: Dice, areas: number): To[] {
  const owner = RULES.map(() => dice.roll(areas + 1));
  const [province, region] = [dice.roll(areas + 3), dice.roll(areas + 3)];
  return Array.from({ length: areas }, (_, area) => ({
    municipalities: [`Nessuno ${area}`],
    ...areaOfRules(RULES.filter((_, i) => owner[i] === area)),
    ...(province === area && { sameProvince: true as const }),
    ...(region === area && { sameRegion: true as const }),
    ...(area === 0 && { anywhere: true as const }),
    ...(dice.chance(35) && { except: someRules(dice, 15) }),
  }));
}

const MEASURED = [
  ['chargeableKg', 60, 3],
  ['realKg', 50, 3],
  ['volumeM3', 1, 6],
  ['parcels', 6, 0],
  ['pallets', 3, 0],
  ['loadingMetres', 2, 2],
  ['codAmount', 500, 2],
  ['insuredValue', 900, 2],
  ['goodsValue', 1500, 2],
  ['dutiesAmount', 200, 2],
  ['monthlyShipments', 1500, 0],
] as const;

function testOf(dice: Dice, services: readonly string[], isOfWeight = false): When {
  const kind = { measures: MEASURED, someplaces: () => someRules(dice, 15), services };
  const some = REFERENCE_CONDITIONS.filter(([, { isEarly }]) => isEarly || !isOfWeight);
  return Object.assign({}, ...some.map(([, { random }]) => random(dice, kind)));
}

/** One that says something. */
function fullTest(dice: Dice, services: readonly string[]): When {
  const tests = testOf(dice, services);
  const [measure, limit, places] = dice.of(MEASURED);
  return Object.keys(tests).length > 0 ? tests : { [measure]: randomRange(dice, limit, places) };
}

function condition(dice: Dice, services: readonly string[]): When {
  const one = () => fullTest(dice, services);
  return {
    ...one(),
    ...maybe(dice, 12, 'allOf', () => [one(), one()]),
    ...maybe(dice, 15, 'anyOf', () => [one(), one()]),
    ...maybe(dice, 12, 'noneOf', () => [one()]),
  };
}

interface Kind {
  readonly isSigned: boolean;
  readonly isLate?: boolean;
}

const LATE_MEASURED = [['storageDays', 5, 0] as const, ['waitingMinutes', 40, 0] as const];

function sum(dice: Dice, names: readonly string[], { isSigned, isLate }: Kind) {
  const sign = isSigned && dice.chance(35) ? -1 : 1;
  const kind = { sign, names, measures: isLate ? [...MEASURED, ...LATE_MEASURED] : MEASURED };
  const parts: object = Object.assign({}, ...REFERENCE_CHARGES.map(([, { random }]) => random(dice, kind)));
  return Object.keys(parts).length > 0 ? parts : { fixed: sign * dice.decimal(9, 2) };
}

function bounds(dice: Dice, { isSigned }: Kind) {
  const minimum = dice.decimal(6, 2) * (isSigned && dice.chance(30) ? -1 : 1);
  const maximum = Math.round((Math.max(minimum, 0) + dice.decimal(20, 2)) * 100) / 100;
  return { ...(dice.chance(20) && { minimum }), ...(dice.chance(15) && { maximum }) };
}

function randomPrice(dice: Dice, names: readonly string[], kind: Kind): Price {
  const shape = dice.roll(10);
  if (shape < 2) return { greaterOf: [sum(dice, names, kind), sum(dice, names, kind)], ...bounds(dice, kind) } as Price;
  if (shape < 4) {
    const [by, limit] = dice.of(MEASURED.filter(([, , places]) => places < 6));
    const first = 1 + dice.roll(limit);
    const prices = [
      { upTo: first, ...sum(dice, names, kind), ...bounds(dice, kind) },
      { upTo: first + 1 + dice.roll(limit), ...sum(dice, names, kind) },
      { ...sum(dice, names, kind), ...bounds(dice, kind) },
    ];
    return { brackets: { by, prices }, ...bounds(dice, kind) } as Price;
  }
  const own = sum(dice, names, kind);
  return {
    ...own,
    ...bounds(dice, kind),
    ...('of' in own && dice.chance(30) && { above: more(1, dice.decimal(100, 2)) }),
  } as Price;
}

function zones(dice: Dice, services: readonly string[]): ZoneInput[] {
  const bandsOf = () => {
    let kg = 0;
    return Array.from({ length: 1 + dice.roll(4) }, () => {
      kg = Math.round((kg + 1 + dice.decimal(25, 3)) * 1000) / 1000;
      const parts = {
        ...maybe(dice, 70, 'price', () => dice.decimal(20, 2)),
        ...maybe(dice, 25, 'perKg', () => dice.decimal(2, 5)),
        ...maybe(dice, 15, 'per100Kg', () => dice.decimal(30, 2)),
      };
      const filled = Object.keys(parts).length > 0 ? parts : { price: 5 };
      return { upToKg: kg, ...filled, ...maybe(dice, 15, 'minimum', () => dice.decimal(15, 2)) };
    });
  };
  const zoneOf = (code: string, to: To, isFor: Pick<ZoneInput, 'from' | 'services'>): ZoneInput => {
    if (dice.chance(3)) return { code, name: 'Z', to, ...isFor, notServed: 'Sospeso' };
    const bands = bandsOf();
    const last = bands.at(-1)?.upToKg ?? 0;
    const step = (upToKg?: number) => ({
      ...(upToKg !== undefined && { upToKg }),
      everyKg: dice.of([0.5, 1, 7.25, 100]),
      price: dice.decimal(4, 2),
    });
    const beyond = dice.of([
      [],
      [step()],
      [step(more(last, 20)), step()],
      [step(more(last, 20.5)), step(more(last, 200))],
    ]);
    const pallets = [
      {
        types: dice.of([['EUR'], ['EUR', 'c0'], ['c1']]),
        prices: [
          { upTo: 1, price: dice.decimal(60, 2) },
          { upTo: 3, price: dice.decimal(160, 2) },
        ],
        ...maybe(dice, 60, 'each', () => dice.decimal(50, 2)),
      },
    ];
    const perParcel = {
      bandsPer: 'parcel' as const,
      ...maybe(dice, 60, 'furtherParcelsDiscount', () => Math.max(0.0001, dice.decimal(99, 4))),
    };
    const priced = { bands, beyond, ...(dice.chance(30) && { pallets }), ...(dice.chance(25) && perParcel) };
    return { code, name: 'Z', to, ...isFor, ...priced };
  };
  const [first, ...others] = services;
  // Zones for a service, and others for the rest of them.
  const ownTo = first !== undefined && (others.length === 0 || dice.chance(70)) ? [[first], others] : [undefined];
  return ownTo.flatMap((only, part) => {
    const isFor = only && (only.length > 0 ? { services: [...only] } : undefined);
    if (only && !isFor) return [];
    const zonesFor = (letter: string, count: number, from?: string[]) =>
      deal(dice, count).map(({ anywhere, ...to }, i) =>
        zoneOf(`${letter}${i}`, from ? to : { ...to, ...(anywhere && { anywhere }) }, {
          ...isFor,
          ...(from && { from }),
        }),
      );
    const [any, sud] = part === 0 ? ['z', 's'] : ['y', 'r'];
    const own = dice.chance(50) ? zonesFor(sud ?? '', 1 + dice.roll(2), ['sud']) : [];
    return [...own, ...zonesFor(any ?? '', 1 + dice.roll(3))];
  });
}

/** Ascending, so that none is out of reach. */
function palletClasses(dice: Dice): VersionInput['palletClasses'] {
  const kg = 5 + dice.roll(10);
  const cm = 20 + dice.roll(40);
  const one = { upToKg: kg, heightCm: cm, ...maybe(dice, 30, 'lengthCm', () => cm + dice.roll(30)) };
  return [
    { code: 'c0', ...one, ...maybe(dice, 30, 'isStackable', () => true as const) },
    { code: 'c1', upToKg: kg + 10, heightCm: cm + 20, ...maybe(dice, 30, 'widthCm', () => 30 + dice.roll(60)) },
    ...(dice.chance(50) ? [{ code: 'c2', heightCm: cm + 30 }] : []),
  ];
}

function limits(dice: Dice): VersionInput['limits'] {
  return {
    ...maybe(dice, 8, 'parcelKg', () => 10 + dice.roll(40)),
    ...maybe(dice, 8, 'shipmentKg', () => 20 + dice.roll(100)),
    ...maybe(dice, 8, 'longestSideCm', () => 60 + dice.roll(60)),
    ...maybe(dice, 8, 'sumOfSidesCm', () => 90 + dice.roll(120)),
    ...maybe(dice, 8, 'girthCm', () => 120 + dice.roll(200)),
    ...maybe(dice, 8, 'parcels', () => 2 + dice.roll(6)),
  };
}

const vatOf = (dice: Dice) =>
  deal(dice, 3).map(({ except, ...to }, i) => ({
    // So that every destination has its VAT.
    to: { ...to, ...(i > 0 && except && { except }) },
    percent: [22, 0, 8.1][i] ?? 0,
  }));

/** In one version, or in two that follow each other. */
export function randomTariff(dice: Dice): TariffInput {
  const first = { label: 'a', validFrom: '2026-01-01' };
  const until = { validUntil: '2026-12-20' };
  const versions = dice.chance(70)
    ? [randomVersion(dice, { ...first, ...(dice.chance(50) && until) })]
    : [
        randomVersion(dice, { ...first, ...(dice.chance(50) && { validUntil: '2026-08-31' }) }),
        randomVersion(dice, { label: 'b', validFrom: '2026-09-01', ...until }),
      ];
  return { format: 2, name: 'L', versions };
}

function randomVersion(dice: Dice, dates: Pick<VersionInput, 'label' | 'validFrom' | 'validUntil'>): VersionInput {
  const codes = {
    surcharges: ['s0', 's1', 's2', 's3'],
    options: ['o0', 'o1'],
    fuel: ['f0', 'fuel'],
    cod: ['c0', 'cod'],
    insurance: ['insurance'],
  };
  const services = dice.chance(35) ? ['standard', 'express', 'economy'].slice(0, 1 + dice.roll(3)) : [];
  const late = ['storage', 'return', 'waiting'] as const;
  // A line may be a percentage of those before it in this order, so never in a circle.
  const ranked = [...codes.options, ...codes.surcharges.slice(0, 2), 'fuel*', ...codes.surcharges.slice(2)];
  const nameable = (code: string) => [
    'base',
    'codAmount',
    'insuredValue',
    'goodsValue',
    'dutiesAmount',
    ...ranked.slice(0, ranked.indexOf(code)).map(name => (name === 'fuel*' ? 'fuel' : name)),
  ];
  const names = (code: string, component: string) =>
    component === 'fuel'
      ? nameable('fuel*')
      : component === 'cod' || component === 'insurance'
        ? ['base', 'codAmount', 'insuredValue']
        : nameable(code);
  const line =
    (component: string, percent: number) =>
    (code: string): LineInput => ({
      code,
      description: code,
      ...maybe(dice, percent, 'when', () => condition(dice, services)),
      price: randomPrice(dice, names(code, component), { isSigned: component === 'surcharges' }),
      ...maybe(dice, 12, 'vat', () => ({ percent: dice.of([0, 4, 10, 22]) })),
    });
  const setting = () => testOf(dice, services, true);
  const version: VersionInput = {
    ...dates,
    ...(services.length > 0 && {
      services: services.map(code => ({
        code,
        name: code.toUpperCase(),
        ...maybe(dice, 40, 'when', () => condition(dice, services)),
      })),
    }),
    origins: [
      { code: 'sud', places: { regions: ['Sicilia'] } },
      { code: 'magazzino', warehouses: [7] },
    ],
    weight: {
      per: dice.of(['shipment', 'parcel'] as const),
      volumetric: [
        ...dice.list(2, () => ({
          when: setting(),
          ...dice.of([{ kgPerM3: 167 + dice.roll(200) }, { cm3PerKg: 3333 + dice.roll(2000) }]),
        })),
        ...(dice.chance(70) ? [{ kgPerM3: dice.of([200, 250, 333]) }] : []),
      ],
      minimums: dice.list(2, () => ({ when: setting(), parcelKg: more(1, dice.decimal(30, 3)) })),
      ...maybe(dice, 30, 'kgPerLoadingMetre', () => 500 + dice.roll(1500)),
      roundUp: [
        ...dice.list(2, i => ({
          ...maybe(dice, 40, 'when', setting),
          upToKg: more(10 * (i + 1), dice.decimal(9, 3)),
          toKg: dice.of([0.001, 0.5, 1]),
        })),
        { toKg: dice.of([0.001, 0.1, 0.75, 1, 5]) },
      ],
    },
    limits: limits(dice),
    ...maybe(dice, 40, 'palletClasses', () => palletClasses(dice)),
    ...maybe(dice, 30, 'vat', () => vatOf(dice)),
    // It is in the price of no shipment.
    ...maybe(dice, 20, 'account', () => ({ minimum: { code: 'm', description: 'm', price: dice.decimal(900, 2) } })),
    zones: zones(dice, services),
    surcharges: dice.some(codes.surcharges, 75).map(line('surcharges', 60)),
    fuel: codes.fuel.map(line('fuel', 50)),
    options: codes.options.map(line('options', 25)),
    cod: codes.cod.map(line('cod', 50)),
    insurance: codes.insurance.map(line('insurance', 30)),
    afterShipment: late.flatMap(on =>
      dice.chance(70)
        ? [
            {
              code: `e_${on}`,
              on,
              description: on,
              ...maybe(dice, 30, 'when', () =>
                dice.of([{ storageDays: randomRange(dice, 8, 0) }, { waitingMinutes: randomRange(dice, 60, 0) }]),
              ),
              price: randomPrice(dice, ['base', 'fuel', 'o0'], { isSigned: false, isLate: true }),
            },
          ]
        : [],
    ),
  };
  // Every code that is named is there.
  const kept = new Set(version.surcharges?.map(({ code }) => code));
  const prune = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(prune);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'of' && Array.isArray(inner)
          ? inner.map(code => (/^s\d$/.test(String(code)) && !kept.has(code) ? 'base' : code))
          : prune(inner),
      ]),
    );
  };
  return prune(version) as VersionInput;
}

const DATES = [
  ...['2026-01-01', '2026-05-31', '2026-06-01', '2026-06-30', '2026-07-01', '2026-08-31', '2026-09-01', '2026-09-30'],
  ...['2026-10-10', '2026-12-20'],
];

export function randomAsk(dice: Dice): Ask & { there: KnownPlace; here: KnownPlace } {
  const there = dice.of(PLACES);
  const here = dice.of(PLACES.slice(0, 6));
  const side = () => (dice.chance(50) ? 5 + dice.roll(90) : (50 + dice.roll(900)) / 10);
  const common = {
    ...(Object.assign({}, ...REFERENCE_CONDITIONS.map(([, one]) => one.ask?.(dice))) as Partial<Ask>),
    there,
    here,
    to: there.place,
    from: here.place,
    warehouse: dice.chance(20) ? 7 : 1,
    ...(dice.chance(45) && { cod: dice.decimal(700, 2) }),
    ...(dice.chance(45) && { insured: dice.decimal(1200, 2) }),
    ...(dice.chance(45) && { goods: dice.decimal(2000, 2), duties: dice.decimal(300, 2) }),
    payment: dice.of(['cash', 'bank_cheque', 'personal_cheque', 'card'] as const),
    monthly: dice.roll(2500),
    options: dice.some(['o0', 'o1', 'o9'], 30).filter(code => code !== 'o9' || dice.chance(10)),
    ...(dice.chance(10) && { service: dice.of(['standard', 'standard', 'express', 'overnight']) }),
    date: dice.chance(3) ? dice.of(['2025-12-31', '2026-12-21']) : dice.of(DATES),
  };
  const kg = () => (1 + dice.roll(30_000)) / 1000;
  if (dice.chance(20))
    return { ...common, totals: { kg: kg() * 2, cm3: dice.roll(200_000), parcels: 1 + dice.roll(5) } };
  const parcels = Array.from({ length: 1 + dice.roll(3) }, () => ({
    kg: kg(),
    sides: [side(), side(), side()] as const,
    quantity: 1 + dice.roll(3),
    ...(dice.chance(25) && { pallet: { type: dice.of(['EUR', 'IND', 'c1', '']), isStackable: dice.chance(40) } }),
  }));
  return { ...common, parcels };
}
