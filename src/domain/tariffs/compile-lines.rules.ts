import type { Bracket, Charge, Sum } from './charge.format.rules.ts';
import { compileCondition, compileParcel, type Names } from './compile-conditions.rules.ts';
import type {
  CompiledCharge,
  CompiledEvent,
  CompiledLine,
  CompiledService,
  CompiledSum,
  CompiledSumRules,
  Rate,
} from './compiled-tariff.rules.ts';
import { MEASURES, type ParcelCondition, type Range } from './condition.format.rules.ts';
import type { Line, TariffVersion } from './tariff.format.rules.ts';
import { ALTERNATIVES, isCalculated, linesOf, namedIn } from './tariff-lines.rules.ts';
import { cents, DECIMALS, grams, MICRO, ppmOf, scaledSigned } from './units.rules.ts';

/** The lines of a version, ready to be reckoned. */

interface CompiledLines {
  readonly lines: CompiledLine[];
  readonly order: number[];
  readonly events: CompiledEvent[];
}

/** What the names in prices mean. */
interface PriceNames extends Names {
  readonly positionsOf: (of: readonly string[]) => number[];
}

export function compileLines(version: TariffVersion, names: Names): CompiledLines {
  const named = linesOf(version);
  const positions = new Map(named.map(({ code }, position) => [code, position]));
  const inPrices: PriceNames = {
    ...names,
    positionsOf: of => namedIn(of, named).map(code => positions.get(code) ?? -1),
  };
  const lines: CompiledLine[] = [];
  for (const { component, path, ...line } of named) {
    const before = lines.flatMap((other, position) => (other.component === component ? [position] : []));
    const isAmountAlone = component === 'cod' || component === 'insurance';
    const when =
      isAmountAlone && named.filter(one => one.component === component).length === 1
        ? beyondMaximum(line.when, component)
        : line.when;
    lines.push({
      ...compileLine({ ...line, when }, inPrices, component === 'surcharges'),
      component,
      path,
      rivals: ALTERNATIVES.has(component) && before.length > 0 ? before : undefined,
    });
  }
  const events: CompiledEvent[] = [];
  for (const [i, { on, ...line }] of version.afterShipment.entries()) {
    events.push({ ...compileLine(line, inPrices, false), on, path: ['afterShipment', i] });
  }
  return { lines, order: orderOf(lines), events };
}

function compileLine({ code, description, when, price, vat }: Line, names: PriceNames, canBeNegative: boolean) {
  const charge = compileCharge(price, names, when?.parcel);
  return {
    code,
    description,
    condition: when && compileCondition(when, names),
    charge: canBeNegative ? charge : { ...charge, minimum: Math.max(charge.minimum, 0) },
    calculated: isCalculated(price),
    vat: vat && { ppm: ppmOf(vat.percent), note: vat.note ?? null },
  };
}

const VALUE_OF = { cod: 'codAmount', insurance: 'insuredValue' } as const;

/** A condition without the maximum, which the engine looks at by itself. */
function beyondMaximum(when: Line['when'], component: keyof typeof VALUE_OF): Line['when'] {
  const value = VALUE_OF[component];
  if (!when?.[value] || !isOnlyMaximum(when[value])) return when;
  const { [value]: _, ...others } = when;
  return Object.keys(others).length > 0 ? others : undefined;
}

const isOnlyMaximum = (range: Range) => range.upTo !== undefined && Object.keys(range).length === 1;

/** Where cash on delivery or insurance is offered. */
export function compileService(
  version: TariffVersion,
  lines: readonly CompiledLine[],
  component: keyof typeof VALUE_OF,
): CompiledService {
  const value = VALUE_OF[component];
  const offered = version[component];
  const maxima = offered.map(({ when }) => when?.[value]?.upTo ?? Number.POSITIVE_INFINITY);
  const maximum = Math.max(-1, ...maxima);
  const own = lines.flatMap((line, position) => (line.component === component ? [position] : []));
  return {
    maximum: Number.isFinite(maximum) && maximum >= 0 ? cents(maximum) : maximum,
    maximumPath: offered.length === 1 ? [component, 0, 'when', value] : [component],
    positions: own.some(position => lines[position]?.condition === undefined) ? [] : own,
  };
}

function compileCharge(
  price: Charge | Bracket,
  names: PriceNames,
  parcel: ParcelCondition | undefined,
): CompiledCharge {
  const { greaterOf, brackets, above, minimum, maximum }: Charge = price;
  return {
    sums: brackets ? [] : (greaterOf ?? [price]).map(sum => compileSum(sum, names, parcel)),
    above: cents(above),
    minimum: minimum === undefined ? Number.NEGATIVE_INFINITY : cents(minimum) * MICRO,
    maximum: maximum === undefined ? Number.POSITIVE_INFINITY : cents(maximum) * MICRO,
    brackets: brackets && {
      by: brackets.by,
      upTo: Float64Array.from(brackets.prices, ({ upTo }) =>
        upTo === undefined ? Number.POSITIVE_INFINITY : (scaledSigned(upTo, MEASURES[brackets.by]) ?? Number.NaN),
      ),
      charges: brackets.prices.map(one => compileCharge(one, names, parcel)),
    },
  };
}

function compileSum(sum: Sum, names: PriceNames, parcel: ParcelCondition | undefined): CompiledSum {
  const { fixed, perKg, aboveKg, perParcel, parcels, afterParcels = 0, percent, of = [], per = [] } = sum;
  const ofMatching = parcel !== undefined && parcels !== 'all' ? parcel : undefined;
  const isPerSome = perParcel !== undefined && (ofMatching !== undefined || afterParcels > 0);
  const perGram = scaledSigned(perKg ?? 0, DECIMALS.eurPerKg) ?? Number.NaN;
  const more: CompiledSumRules = {
    perGram: aboveKg === undefined ? 0 : perGram,
    aboveGrams: grams(aboveKg),
    perParcel: isPerSome ? cents(perParcel) * MICRO : 0,
    parcel: ofMatching && compileParcel(ofMatching),
    afterParcels,
    per: per.map(({ measure, every, above = 0, price }) => ({
      measure,
      every: scaledSigned(every, MEASURES[measure]) ?? Number.NaN,
      above: scaledSigned(above, MEASURES[measure]) ?? Number.NaN,
      cents: cents(price),
    })),
  };
  return {
    fixed: cents(fixed) * MICRO,
    perGram: aboveKg === undefined ? perGram : 0,
    perParcel: isPerSome ? 0 : cents(perParcel) * MICRO,
    ppm: ppmOf(percent),
    rates: ratesOf(sum, names),
    of: names.positionsOf(of),
    ofCod: of.includes('codAmount'),
    ofInsured: of.includes('insuredValue'),
    more: isPerSome || aboveKg !== undefined || per.length > 0 ? more : undefined,
  };
}

function ratesOf({ rates, index }: Sum, { references }: Names): readonly Rate[] | undefined {
  const found = index === undefined ? rates : (references.indexes.get(index) ?? []);
  return found?.map(({ from, percent }) => ({ from, ppm: ppmOf(percent) }));
}

/** Positions in an order in which each line comes after those it is a percentage of. */
function orderOf(lines: readonly CompiledLine[]): number[] {
  const order: number[] = [];
  const seen = new Set([0]);
  const visit = (position: number) => {
    if (seen.has(position)) return;
    seen.add(position);
    const charge = lines[position]?.charge;
    if (charge) for (const { of } of allSums(charge)) for (const other of of) visit(other);
    order.push(position);
  };
  for (const position of lines.keys()) visit(position);
  return order;
}

function allSums({ sums, brackets }: CompiledCharge): readonly CompiledSum[] {
  return brackets ? brackets.charges.flatMap(allSums) : sums;
}
