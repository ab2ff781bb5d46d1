// The reference: fractions of whole numbers, as plainly as the rules of prices say it.
import type { Ask, LineInput, TariffInput } from './quote-support.ts';
import { type PLACES, RULES, type To } from './random-tariffs.ts';

// ---- The reference: fractions of whole numbers, as plainly as the notes say it.

const DECIMALS = new Map<number, Q>();

export class Q {
  readonly n: bigint;
  readonly d: bigint;
  constructor(n: bigint | number, d: bigint | number = 1) {
    this.n = BigInt(n);
    this.d = BigInt(d);
  }
  /** Exactly what was written: 0.1 is a tenth. A number is read once: a tariff's are asked for with every shipment. */
  static decimal(value = 0): Q {
    const known = DECIMALS.get(value);
    if (known) return known;
    const [whole = '0', fraction = ''] = String(value).split('.');
    const read = new Q(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
    DECIMALS.set(value, read);
    return read;
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
export const ZERO = new Q(0);
export const HUNDRED = new Q(100);
export const q = Q.decimal;

export function areaOf(areas: readonly To[], { fits }: (typeof PLACES)[number]): number {
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

export interface Reference {
  readonly reasons: ReadonlySet<string>;
  readonly lines?: Readonly<Record<string, number>>;
  readonly chargeable?: Q;
  readonly total?: number;
  readonly vat?: number;
}

export function reference({ versions }: TariffInput, ask: Ask & { place: (typeof PLACES)[number] }): Reference {
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
