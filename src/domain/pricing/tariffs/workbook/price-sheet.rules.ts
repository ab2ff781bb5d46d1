import type { WrittenCell } from '../../../../platform/tables/write-workbook.ts';
import type { Band } from '../bands/weight-bands.rules.ts';
import type { TariffVersion, Zone } from '../format/tariff.format.rules.ts';
import type { Place, Reading } from './read-rows.rules.ts';
import { inFields, type SheetRow, versionOf } from './sheet-rows.rules.ts';

/**
 * The sheet of base prices: a row for each weight, a column for each zone. The column `what` names the part of the
 * band, so a band with a price by kilogram and a minimum takes two rows.
 */

export const PRICE_SHEET = 'Prices';

const FIELDS = { price: 'price', perKg: 'per kg', per100Kg: 'per 100 kg', minimum: 'minimum' } as const;
type BandField = keyof typeof FIELDS;
/** A step beyond the last band. */
const STEP = 'each step';

/** The columns before the columns of the zones. */
export const PRICE_COLUMNS = {
  version: 'The first day of the version; may be empty if there is one.',
  'over kg': 'The limit of the band before, if it is to be checked.',
  'up to kg': 'The band reaches to this weight, and includes it. Empty for a step without an end.',
  'every kg': 'For a step beyond the last band: the price is for each so many kilograms begun.',
  what: 'What the prices are. The parts of one band are added, and come to its minimum at least.',
} as const;
export const PRICED = [...Object.values(FIELDS), STEP];

type Step = Zone['beyond'][number];
interface Line {
  readonly over: number | undefined;
  readonly upTo: number | undefined;
  readonly every: number | undefined;
  readonly what: string;
  /** Prices by zone. */
  readonly prices: Map<string, number>;
}

/** The rows of a version, without its own column, and the codes of the zones that they price. */
export function priceRows({
  zones,
}: TariffVersion): (readonly [cells: (WrittenCell | undefined)[], prices: Map<string, number>])[] {
  const lines = new Map<string, Line>();
  const add = (zone: string, line: Omit<Line, 'prices'>, price: number | undefined) => {
    if (price === undefined) return;
    const key = [line.over, line.upTo, line.every, line.what].join(' ');
    const known = lines.get(key) ?? { ...line, prices: new Map() };
    known.prices.set(zone, price);
    lines.set(key, known);
  };
  for (const { code, bands, beyond } of zones) {
    for (const band of bands) {
      for (const [field, what] of Object.entries(FIELDS)) {
        add(code, { over: band.overKg, upTo: band.upToKg, every: undefined, what }, band[field as BandField]);
      }
    }
    for (const { upToKg: upTo, everyKg: every, price } of beyond)
      add(code, { over: undefined, upTo, every, what: STEP }, price);
  }
  const sorted = [...lines.values()].toSorted(
    (one, other) =>
      Number(one.every !== undefined) - Number(other.every !== undefined) ||
      (one.upTo ?? Number.POSITIVE_INFINITY) - (other.upTo ?? Number.POSITIVE_INFINITY) ||
      (one.over ?? 0) - (other.over ?? 0) ||
      PRICED.indexOf(one.what as never) - PRICED.indexOf(other.what as never),
  );
  return sorted.map(({ over, upTo, every, what, prices }) => [[over, upTo, every, what], prices]);
}

type Prices = { bands: Partial<Band>[]; beyond: Partial<Step>[] };

/**
 * The bands and steps of each zone, by version and zone.
 *
 * @param zonesOf the codes of the zones of each version, by its first day
 */
export function readPrices(
  rows: readonly SheetRow[],
  zonesOf: ReadonlyMap<string, readonly string[]>,
  reading: Reading,
): ReadonlyMap<string, Prices> {
  const versions = [...zonesOf.keys()];
  const found = new Map<string, Prices>();
  const unknown = new Map<string, Place>();
  for (const row of rows) {
    const version = versionOf(row, versions, reading);
    if (version === undefined) continue;
    const zones = zonesOf.get(version) ?? [];
    const { numberIn, textIn, others, issue } = inFields(row, Object.keys(PRICE_COLUMNS), reading);
    const what = textIn('what')?.toLowerCase();
    const field = Object.entries(FIELDS).find(([, name]) => name === what)?.[0] as BandField | undefined;
    if (field === undefined && what !== STEP) {
      issue('what', 'not_allowed', `must be one of ${PRICED.join(', ')}`);
      continue;
    }
    const [over, upTo, every] = [numberIn('over kg', 'kg'), numberIn('up to kg', 'kg'), numberIn('every kg', 'kg')];
    for (const { header: zone, number, place } of others('money')) {
      if (number === undefined) continue;
      if (!zones.includes(zone)) {
        unknown.set(zone, [...place.slice(0, 1), 1, ...place.slice(2)]);
        continue;
      }
      const prices = found.get(`${version} ${zone}`) ?? { bands: [], beyond: [] };
      found.set(`${version} ${zone}`, prices);
      const at = ['versions', versions.indexOf(version), 'zones', zones.indexOf(zone)];
      const upToKg = upTo === undefined ? {} : { upToKg: upTo };
      const last = prices.bands.at(-1);
      if (field === undefined) {
        reading.places.set([...at, 'beyond', prices.beyond.length, 'price'].join('.'), place);
        prices.beyond.push({ ...upToKg, ...(every !== undefined && { everyKg: every }), price: number });
      } else if (last && last.upToKg === upTo && last.overKg === over && last[field] === undefined) {
        last[field] = number;
      } else {
        prices.bands.push({ ...(over !== undefined && { overKg: over }), ...upToKg, [field]: number });
      }
      if (field !== undefined) reading.places.set([...at, 'bands', prices.bands.length - 1, field].join('.'), place);
    }
  }
  for (const [zone, path] of unknown) {
    const message = `must be the code of a zone of each version with a price in its column, and is "${zone}"`;
    reading.issues.push({ path, code: 'unknown_zone', message });
  }
  return found;
}
