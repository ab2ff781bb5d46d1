/** The reference of prices: written from `src/docs/tariff-document.md` alone, in fractions of whole numbers. */

import { HUNDRED, Q, q, signed, ZERO } from './fractions.ts';
import type { Ask, Place } from './quote-support.ts';
import { REFERENCE_CHARGES, type Sum } from './reference-charge.ts';
import { REFERENCE_CONDITIONS } from './reference-condition.ts';
import { GRAM, type Parcel, parcelHolds } from './reference-parcels.ts';
import type { LineInput, TariffInput, VersionInput } from './tariff-cases.ts';

type Price = LineInput['price'];
type When = NonNullable<LineInput['when']>;
type To = VersionInput['zones'][number]['to'];

/** A place, and what each kind of rule calls it, the most specific first; written by hand. */
export interface KnownPlace {
  readonly place: Place;
  /** Keys of `to`, and what stands in them. */
  readonly fits: readonly (readonly [field: keyof To, value: string])[];
  readonly vat: number;
  /** Where goods move without a customs declaration: `union`, or a country outside of it. */
  readonly territory: string;
}

const sum = (list: readonly Q[]) => list.reduce((a, b) => a.plus(b), ZERO);
const most = (list: readonly Q[]) => list.reduce((a, b) => a.max(b), ZERO);

/** Half up to the cent, a negative amount like its positive. */
export function rounded(amount: Q): Q {
  return ZERO.above(amount) ? ZERO.minus(ZERO.minus(amount).cent()) : amount.cent();
}

export interface Outcome {
  /** Every reason for which the tariff does not apply; none where it does. */
  readonly reasons: ReadonlySet<string>;
  readonly service?: string | undefined;
  readonly zone?: string;
  readonly chargeable?: Q;
  readonly volumetric?: Q;
  readonly lines?: Readonly<Record<string, Q>>;
  readonly total?: Q;
  readonly vat?: Q;
  /** By rate in percent: what its lines come to, and the VAT on that. */
  readonly vatBreakdown?: Readonly<Record<string, readonly [taxable: Q, amount: Q]>>;
  readonly events?: Readonly<Record<string, Q>>;
}

/** "A destination that matches `except` is looked up as if the rest of that `to` were not there." */
function areaOf(areas: readonly (To | undefined)[], there: KnownPlace, origin: KnownPlace): number {
  const left = areas.map(to => {
    if (!to?.except) return to;
    return areaOf([to.except], there, origin) >= 0 ? undefined : to;
  });
  const provinceOf = ({ fits }: KnownPlace) => fits.find(([field]) => field === 'provinces')?.[1];
  const regionOf = ({ fits }: KnownPlace) => fits.find(([field]) => field === 'regions')?.[1];
  const has = (to: To | undefined, field: keyof To, value: string) => {
    const list = to?.[field];
    return Array.isArray(list) && list.includes(value);
  };
  for (const [field, value] of there.fits) {
    if (field === 'provinces' && provinceOf(there) === provinceOf(origin)) {
      const same = left.findIndex(to => to?.sameProvince);
      if (same >= 0) return same;
    }
    if (field === 'regions' && regionOf(there) === regionOf(origin)) {
      const same = left.findIndex(to => to?.sameRegion);
      if (same >= 0) return same;
    }
    const found = left.findIndex(to => has(to, field, value));
    if (found >= 0) return found;
  }
  return left.findIndex(to => to?.anywhere);
}

function parcelsOf({ totals, parcels }: Ask): Parcel[] {
  if (totals) {
    const count = totals.parcels ?? 1;
    return Array.from({ length: count }, () => ({
      kg: new Q(Math.round(totals.kg * 1000), 1000 * count),
      m3: new Q(totals.cm3 ?? 0, 1_000_000 * count),
      sides: undefined,
      pallet: undefined,
    }));
  }
  return (parcels ?? []).flatMap(({ kg, sides, quantity = 1, pallet }) => {
    const cm3 = q(sides[0]).times(q(sides[1])).times(q(sides[2])).ceil();
    return Array.from({ length: quantity }, () => ({ kg: q(kg), m3: cm3.over(new Q(1_000_000)), sides, pallet }));
  });
}

/** "A pallet is of the first class that holds it", unless its stated type is a class. */
function classed(classes: NonNullable<VersionInput['palletClasses']>, { kg, sides, pallet }: Parcel): Parcel['pallet'] {
  if (!pallet || !sides || classes.some(({ code }) => code === pallet.type)) return pallet;
  const [a, b, height] = sides;
  const within = (value: number, most: number | undefined) => most === undefined || value <= most;
  const found = classes.find(
    one =>
      !(one.upToKg !== undefined && kg.above(q(one.upToKg))) &&
      within(height, one.heightCm) &&
      within(Math.max(a, b), one.lengthCm) &&
      within(Math.min(a, b), one.widthCm) &&
      (!one.isStackable || pallet.isStackable),
  );
  return found ? { ...pallet, type: found.code } : pallet;
}

/** "length × width / 2.4 m², and half of that if it can be stacked", rounded up to a hundredth. */
function loadingMetres(parcels: readonly Parcel[]): Q {
  const each = parcels.map(({ sides, pallet }) => {
    if (!pallet || !sides) return ZERO;
    const m2 = q(sides[0]).times(q(sides[1])).ceil().over(new Q(10_000));
    return m2.over(new Q(24, 10)).over(new Q(pallet.isStackable ? 2 : 1));
  });
  return sum(each).upTo(new Q(1, 100));
}

type PlacedAsk = Ask & { there: KnownPlace; here: KnownPlace };
type Happened = readonly { on: string; days?: number; minutes?: number }[];

const because = (...reasons: readonly string[]): Outcome => ({ reasons: new Set(reasons) });

/** By the service that is asked for, or else by the cheapest that fits: with VAT, then without, then the first. */
export function reference({ versions }: TariffInput, ask: PlacedAsk, events: Happened = []): Outcome {
  const { date = '', service } = ask;
  const version = versions.findLast(({ validFrom }) => validFrom <= date);
  if (!version || (version.validUntil ?? '9') < date) return because('NO_TARIFF_IN_FORCE');
  const codes: (string | undefined)[] = version.services?.map(({ code }) => code) ?? [undefined];
  const isKnown = service === undefined || codes.includes(service);
  const outcomes = codes
    .filter(code => service === undefined || code === service || !isKnown)
    .map(code => ({ ...byService(version, code, ask, events), service: code }));
  const [first, ...others] = outcomes.filter(({ reasons }) => reasons.size === 0);
  if (!isKnown) return because('OPTION_NOT_SUPPORTED', ...outcomes.flatMap(({ reasons }) => [...reasons]));
  if (first === undefined) return because(...outcomes.flatMap(({ reasons }) => [...reasons]));
  const gross = ({ total = ZERO, vat = ZERO }: Outcome) => total.plus(vat);
  const isBelow = (one: Outcome, other: Outcome) =>
    gross(other).above(gross(one)) ||
    (!gross(one).above(gross(other)) && (other.total ?? ZERO).above(one.total ?? ZERO));
  return others.reduce((least, one) => (isBelow(one, least) ? one : least), first);
}

function byService(version: VersionInput, service: string | undefined, ask: PlacedAsk, events: Happened): Outcome {
  const { there, here, date = '', cod: codAmount = 0, insured = 0, options: asked = [], monthly = 0 } = ask;
  const values: Record<string, Q> = {
    codAmount: q(codAmount),
    insuredValue: q(insured),
    goodsValue: q(ask.goods),
    dutiesAmount: q(ask.duties),
  };
  const { origins = [], zones, weight, surcharges = [], fuel = [], options = [], cod = [], insurance = [] } = version;
  const byWarehouse = origins.find(({ warehouses = [] }) => warehouses.includes(ask.warehouse ?? 1));
  const origin =
    byWarehouse ??
    origins[
      areaOf(
        origins.map(({ places }) => places),
        here,
        here,
      )
    ];
  const among = (isFor: (from: readonly string[] | undefined) => boolean) =>
    areaOf(
      zones.map(({ from, to, services }) =>
        isFor(from) && (services === undefined || services.some(code => code === service)) ? to : undefined,
      ),
      there,
      here,
    );
  const own = origin ? among(from => from?.includes(origin.code) ?? false) : -1;
  const zone = zones[own >= 0 ? own : among(from => from === undefined)];
  if (!zone || zone.notServed) return because('DESTINATION_NOT_SERVED');

  const parcels = parcelsOf(ask).map(one => ({ ...one, pallet: classed(version.palletClasses ?? [], one) }));
  const isAt = (to: To) => areaOf([to], there, here) >= 0;
  const isDeclared = there.territory !== here.territory;
  /** All that is given holds; of parcels, of some of them. */
  const all = (when: When, those: readonly Parcel[], of: Record<string, Q>) => {
    const at = {
      zone: zone.code,
      origin: origin?.code,
      service,
      date,
      parcels: those,
      measures: of,
      asked,
      isAt,
      ask,
      isDeclared,
    };
    const payment = codAmount > 0 ? (ask.payment ?? 'cash') : undefined;
    return REFERENCE_CONDITIONS.every(([, one]) => one.holds(when, { ...at, payment }));
  };
  const weighs = (some: readonly Parcel[]) => {
    const { volumetric = [], minimums = [], roundUp, kgPerLoadingMetre = 0 } = weight;
    const holdsFor = (when: When | undefined, those: readonly Parcel[]) => when === undefined || all(when, those, {});
    const roundedUp = (kg: Q, those: readonly Parcel[]) => {
      const rule = roundUp.find(
        ({ when, upToKg }) => (upToKg === undefined || !kg.above(q(upToKg))) && holdsFor(when, those),
      );
      return kg.upTo(q(rule?.toKg));
    };
    const together = (those: readonly Parcel[]) => {
      const byRule = volumetric.map(({ kgPerM3, cm3PerKg }, i) => {
        const mine = those.filter(one => volumetric.findIndex(({ when }) => holdsFor(when, [one])) === i);
        const m3 = sum(mine.map(one => one.m3));
        const kg = kgPerM3 ? m3.times(new Q(kgPerM3)) : m3.times(new Q(1_000_000)).over(new Q(cm3PerKg ?? 1));
        return kg.upTo(GRAM);
      });
      const metres = loadingMetres(those).times(new Q(kgPerLoadingMetre)).upTo(GRAM);
      const byVolume = sum(byRule).max(metres);
      const real = sum(
        those.map(one => {
          const least = minimums.find(({ when }) => holdsFor(when, [one]));
          return one.kg.max(q(least?.parcelKg));
        }),
      );
      return { byVolume, kg: roundedUp(real.max(byVolume), those) };
    };
    const isTogether = weight.per === 'shipment' && zone.bandsPer !== 'parcel';
    const parts = isTogether ? [together(some)] : some.map(one => together([one]));
    return { kg: sum(parts.map(({ kg }) => kg)), byVolume: sum(parts.map(({ byVolume }) => byVolume)) };
  };
  const { kg: chargeable, byVolume } = weighs(parcels);

  const measures = (days = 0, minutes = 0): Record<string, Q> => ({
    chargeableKg: chargeable,
    realKg: sum(parcels.map(({ kg }) => kg)),
    volumeM3: sum(parcels.map(({ m3 }) => m3)),
    parcels: new Q(parcels.length),
    pallets: new Q(parcels.filter(({ pallet }) => pallet).length),
    loadingMetres: loadingMetres(parcels),
    ...values,
    monthlyShipments: new Q(monthly),
    storageDays: new Q(days),
    waitingMinutes: new Q(minutes),
  });
  const plain = measures();
  const holds = (when: When | undefined, of = plain): boolean => {
    if (!when) return true;
    const { allOf = [], anyOf, noneOf = [] } = when;
    return (
      all(when, parcels, of) &&
      allOf.every(one => holds(one, of)) &&
      (!anyOf || anyOf.some(one => holds(one, of))) &&
      !noneOf.some(one => holds(one, of))
    );
  };

  const reasons = new Set<string>();
  const { limits = {}, vat: table } = version;
  const sides = parcels.map(one => [...(one.sides ?? [0, 0, 0])].sort((x, y) => y - x).map(q));
  const longest = most(sides.map(([a = ZERO]) => a));
  const around = most(sides.map(all => sum(all)));
  const girth = most(sides.map(([a = ZERO, b = ZERO, c = ZERO]) => sum([a, b, b, c, c])));
  const exceeds = (value: Q, limit: number | undefined) => limit !== undefined && value.above(q(limit));
  if (exceeds(most(parcels.map(({ kg }) => kg.upTo(GRAM))), limits.parcelKg)) reasons.add('WEIGHT_OUT_OF_RANGE');
  if (exceeds(sum(parcels.map(({ kg }) => kg)), limits.shipmentKg)) reasons.add('WEIGHT_OUT_OF_RANGE');
  const isTooLarge =
    exceeds(longest, limits.longestSideCm) ||
    exceeds(around, limits.sumOfSidesCm) ||
    exceeds(girth, limits.girthCm) ||
    exceeds(new Q(parcels.length), limits.parcels);
  if (isTooLarge) reasons.add('DIMENSIONS_OUT_OF_RANGE');

  // Base.
  let base = ZERO;
  const pricesFor = ({ pallet }: Parcel) =>
    zone.pallets?.findIndex(({ types }) => pallet && types.includes(pallet.type)) ?? -1;
  for (const [i, { prices, each }] of (zone.pallets ?? []).entries()) {
    const count = parcels.filter(one => pricesFor(one) === i).length;
    if (count === 0) continue;
    const found = prices.find(({ upTo }) => count <= upTo);
    const last = prices.at(-1);
    if (!found && each === undefined) reasons.add('DIMENSIONS_OUT_OF_RANGE');
    base = base.plus(found ? q(found.price) : q(last?.price).plus(q(each).times(new Q(count - (last?.upTo ?? 0)))));
  }
  const byWeight = parcels.filter(one => pricesFor(one) < 0);
  const inBands = (kg: Q): Q => {
    const { bands = [], beyond = [] } = zone;
    const band = bands.find(({ upToKg }) => !kg.above(q(upToKg))) ?? bands.at(-1);
    const inBand = kg.min(q(band?.upToKg));
    const parts = q(band?.price)
      .plus(q(band?.perKg).times(inBand))
      .plus(q(band?.per100Kg).times(inBand.over(HUNDRED).ceil()));
    let price = parts.max(q(band?.minimum)).cent();
    let from = q(bands.at(-1)?.upToKg);
    for (const { upToKg, everyKg, price: each } of beyond) {
      if (!kg.above(from)) break;
      const end = upToKg === undefined ? kg : kg.min(q(upToKg));
      price = price.plus(end.minus(from).over(q(everyKg)).ceil().times(q(each)));
      from = end;
    }
    if (kg.above(from.max(q(bands.at(-1)?.upToKg)))) reasons.add('WEIGHT_OUT_OF_RANGE');
    return price;
  };
  if (byWeight.length > 0 && zone.bandsPer === 'parcel') {
    // "The dearest parcel costs its whole price", and each other one is reduced and rounded.
    const prices = byWeight.map(one => inBands(weighs([one]).kg));
    const dearest = most(prices);
    const share = HUNDRED.minus(q(zone.furtherParcelsDiscount)).over(HUNDRED);
    const others = prices.toSpliced(
      prices.findIndex(price => !dearest.above(price)),
      1,
    );
    base = base.plus(dearest).plus(sum(others.map(price => price.times(share).cent())));
  } else if (byWeight.length > 0) {
    base = base.plus(inBands(byWeight.length < parcels.length ? weighs(byWeight).kg : chargeable));
  }

  // Services.
  const level = version.services?.find(({ code }) => code === service);
  if (!holds(level?.when)) reasons.add('OPTION_NOT_SUPPORTED');
  const firstOf = (lines: readonly LineInput[]) => lines.find(({ when }) => holds(when));
  if (codAmount > 0 && !firstOf(cod)) reasons.add('COD_NOT_SUPPORTED');
  if (insured > 0 && !firstOf(insurance)) reasons.add('INSURANCE_NOT_SUPPORTED');
  for (const code of asked) {
    const option = options.find(line => line.code === code);
    if (!option || !holds(option.when)) reasons.add('OPTION_NOT_SUPPORTED');
  }
  if (reasons.size > 0) return { reasons };
  const charged = new Map<string, { line: LineInput; group: string }>();
  const charge = (group: string, lines: readonly (LineInput | undefined)[]) => {
    for (const line of lines) if (line) charged.set(line.code, { line, group });
  };
  charge(
    'surcharges',
    surcharges.filter(({ when }) => holds(when)),
  );
  charge('fuel', [firstOf(fuel)]);
  charge(
    'options',
    options.filter(({ code }) => asked.includes(code)).toSorted((a, b) => (a.code < b.code ? -1 : 1)),
  );
  if (codAmount > 0) charge('cod', [firstOf(cod)]);
  if (insured > 0) charge('insurance', [firstOf(insurance)]);

  const known = new Map<string, Q>([['base', base]]);
  const amountOfCode = (code: string): Q => {
    const found = charged.get(code);
    const before = known.get(code);
    if (before || !found) return before ?? ZERO;
    const amount = priceOf(found.line, found.line.price, plain, found.group === 'surcharges');
    known.set(code, amount);
    return amount;
  };
  const amountsIn = (of: readonly string[]): Q => {
    const codes = new Set(
      of.flatMap(name => {
        const group = [...charged].filter(([, one]) => one.group === name).map(([code]) => code);
        return ['surcharges', 'fuel', 'options', 'cod', 'insurance'].includes(name) ? group : [name];
      }),
    );
    return sum([...codes].map(code => values[code] ?? amountOfCode(code)));
  };
  const sumOf = (line: LineInput, part: Sum, of: Record<string, Q>, above = ZERO): Q => {
    const test = line.when?.parcel;
    const matching = test ? parcels.filter(one => parcelHolds(test, one)).length : parcels.length;
    const shipment = { chargeable, date, measures: of, parcels: { all: parcels.length, matching }, amountsIn, above };
    return sum(REFERENCE_CHARGES.map(([, { amount }]) => amount(part, shipment)));
  };
  const within = (amount: Q, { minimum, maximum }: { minimum?: number | undefined; maximum?: number | undefined }) => {
    const raised = minimum === undefined || amount.above(signed(minimum)) ? amount : signed(minimum);
    return maximum === undefined || signed(maximum).above(raised) ? raised : signed(maximum);
  };
  const priceOf = (line: LineInput, price: Price, of: Record<string, Q>, canBeNegative: boolean): Q => {
    const { greaterOf, brackets, above } = price;
    if (above !== undefined && !amountsIn(price.of ?? []).above(q(above))) return ZERO;
    let amount: Q;
    if (brackets) {
      const value = of[brackets.by] as Q;
      const reached = brackets.prices.find(({ upTo }) => upTo === undefined || !value.above(q(upTo)));
      amount = reached ? within(sumOf(line, reached, of), reached) : ZERO;
    } else if (greaterOf) {
      const [first = ZERO, ...others] = greaterOf.map(one => sumOf(line, one, of));
      amount = others.reduce((a, b) => a.max(b), first);
    } else amount = sumOf(line, price, of, above === undefined ? ZERO : q(above));
    const bounded = within(amount, price);
    return rounded(canBeNegative || !ZERO.above(bounded) ? bounded : ZERO);
  };

  const lines: Record<string, Q> = { base };
  for (const code of charged.keys()) lines[code] = amountOfCode(code);
  const late: Record<string, Q> = {};
  for (const { on, days, minutes } of events) {
    const of = measures(days, minutes);
    const line = (version.afterShipment ?? []).find(one => one.on === on && holds(one.when, of));
    if (line) late[on] = priceOf(line, line.price, of, false);
  }
  let total = sum(Object.values(lines));
  for (const code of [...charged.keys()].toReversed()) {
    const amount = lines[code] as Q;
    if (!ZERO.above(total) || !ZERO.above(amount)) continue;
    const cut = ZERO.minus(total).min(ZERO.minus(amount));
    lines[code] = amount.plus(cut);
    total = total.plus(cut);
  }
  const row =
    table?.[
      areaOf(
        table.map(({ to }) => to),
        there,
        here,
      )
    ];
  const percentThere = table ? (row?.percent ?? 0) : there.vat;
  const rates = new Map<number, Q>();
  for (const [code, amount] of Object.entries(lines)) {
    const percent = charged.get(code)?.line.vat?.percent ?? percentThere;
    rates.set(percent, (rates.get(percent) ?? ZERO).plus(amount));
  }
  const vatBreakdown: Record<string, readonly [Q, Q]> = {};
  for (const [percent, net] of rates) {
    vatBreakdown[percent] = [net, rounded(net.times(q(percent)).over(HUNDRED))];
  }
  const vat = sum(Object.values(vatBreakdown).map(([, amount]) => amount));
  const priced = { zone: zone.code, chargeable, volumetric: byVolume, lines, total, vat, vatBreakdown };
  return { reasons, ...priced, events: late };
}
