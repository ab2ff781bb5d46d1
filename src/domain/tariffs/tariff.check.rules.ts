import type { z } from 'zod';
import { type Issue, invalid } from '../../platform/fault.ts';
import type { Steps } from '../../platform/limits/slices.ts';
import { atOnce } from '../steps.rules.ts';
import { AreaTable } from './area.rules.ts';
import { compileTariffSteps, dayBefore, linesOf, type NamedLine, namedIn } from './compile.rules.ts';
import { readForm } from './form.rules.ts';
import {
  type Area,
  type Charge,
  type Condition,
  MAX_BANDS,
  MAX_PLACE_LENGTH,
  MAX_PLACES,
  PLAIN_TEXT,
  type Sum,
  type Tariff,
  type TariffVersion,
  tariffFormat,
  type Zone,
} from './tariff.format.rules.ts';
import { DECIMALS, scaled } from './units.rules.ts';

type Path = readonly (string | number)[];

/** More at once would help nobody. */
const MAX_ISSUES = 100;
const MAX_OBJECTS = 50_000;
const MAX_FIELDS = 100;
/** Of memory that a tariff may take once it is compiled. */
const MAX_MB = 24;
/** Objects looked at between two pauses. */
const PAUSE_EVERY = 500;

/** Lists of places, which alone may have more than `MAX_BANDS` entries. */
const PLACES: ReadonlySet<string | number> = new Set([
  'postalCodes',
  'municipalities',
  'provinces',
  'regions',
  'countries',
]);

/** Codes of lines that a tariff has without naming them. */
const RESERVED: ReadonlySet<string> = new Set(['base', 'fuel', 'cod', 'insurance', 'surcharges', 'options']);

/** Codes that a zone can't have, since the grid of bands by zones has columns of those names. */
const COLUMNS: ReadonlySet<string> = new Set(['up_to_kg', 'over_kg']);

/** Most decimals of each number of a tariff, by its field. */
const DECIMALS_OF: Readonly<Record<string, number>> = {
  price: DECIMALS.money,
  fixed: DECIMALS.money,
  perParcel: DECIMALS.money,
  minimum: DECIMALS.money,
  maximum: DECIMALS.money,
  maximumAmount: DECIMALS.money,
  allowance: DECIMALS.money,
  perKg: DECIMALS.eurPerKg,
  percent: DECIMALS.percent,
  overKg: DECIMALS.kg,
  upToKg: DECIMALS.kg,
  everyKg: DECIMALS.kg,
  fromKg: DECIMALS.kg,
  parcelFromKg: DECIMALS.kg,
  parcelKg: DECIMALS.kg,
  shipmentKg: DECIMALS.kg,
  roundUpToKg: DECIMALS.kg,
  longestSideCm: DECIMALS.cm,
  sumOfSidesCm: DECIMALS.cm,
  longestSideOverCm: DECIMALS.cm,
  sumOfSidesOverCm: DECIMALS.cm,
};

/**
 * A tariff out of what was sent: its form, and what the form can't say.
 *
 * @param base path of the tariff in what was sent
 * @param complete what is done to it between the two, such as putting a grid in
 * @throws Fault `validation_failed` with the place of everything that is wrong
 */
export function readTariff(value: unknown, base: Path = [], complete?: (tariff: Tariff) => Tariff): Tariff {
  return atOnce(readTariffSteps(value, base, complete));
}

/** The same in steps: a large tariff takes several tenths of a second. */
export function* readTariffSteps(
  value: unknown,
  base: Path = [],
  complete = (tariff: Tariff) => tariff,
): Steps<Tariff> {
  const refuse = (issues: readonly Issue[]) =>
    invalid(issues.slice(0, MAX_ISSUES).map(issue => ({ ...issue, path: [...base, ...issue.path] })));
  const oversize = yield* findOversize(value);
  if (oversize) throw refuse([oversize]);
  const form = yield* readForm(tariffFormat, value, MAX_ISSUES);
  if (form.value === undefined) throw refuse(formIssues(form.issues, value));
  const { $schema: _, ...given } = form.value;
  const tariff = complete(given);
  const issues = yield* TariffCheck.issuesOf(tariff);
  if (issues.length > 0) throw refuse(issues);
  const { bytes } = yield* compileTariffSteps(tariff);
  const mb = Math.ceil(bytes / 1_000_000);
  if (mb > MAX_MB) {
    const message = `must take at most ${MAX_MB} MB of memory, takes ${mb} MB: give fewer places, in fewer versions`;
    throw refuse([{ path: ['versions'], code: 'too_many', message }]);
  }
  return tariff;
}

/** A value of a document and where it stands; its path is made only where something is wrong with it. */
interface Spot {
  readonly value: object;
  readonly step: string | number;
  readonly around: Spot | undefined;
}

function pathOf(spot: Spot): Path {
  const path: (string | number)[] = [];
  for (let at = spot; at.around !== undefined; at = at.around) path.push(at.step);
  return path.reverse();
}

/** Every object and list of a document, the outer before the inner; what `skips` says so is not looked into. */
function* spotsIn(document: object, skips: (field: string) => boolean = () => false): Generator<Spot, void> {
  // By hand and not by recursion, which a document could nest too deep for.
  const left: Spot[] = [{ value: document, step: '', around: undefined }];
  for (let spot = left.pop(); spot !== undefined; spot = left.pop()) {
    yield spot;
    const inner: Spot[] = [];
    const add = (step: string | number, value: unknown) => {
      if (typeof value === 'object' && value !== null) inner.push({ value, step, around: spot });
    };
    if (Array.isArray(spot.value)) for (const [i, value] of spot.value.entries()) add(i, value);
    else for (const [name, value] of Object.entries(spot.value)) if (!skips(name)) add(name, value);
    for (const one of inner.reverse()) left.push(one);
  }
}

/**
 * What makes a document too large to be worth reading, or a list of many that are not texts: its form is checked piece by
 * piece, and each wrong piece is an issue.
 */
function* findOversize(document: unknown): Steps<Issue | undefined> {
  if (typeof document !== 'object' || document === null) return undefined;
  let objects = 0;
  let places = 0;
  for (const spot of spotsIn(document)) {
    if (++objects % PAUSE_EVERY === 0) yield;
    if (objects > MAX_OBJECTS) {
      return { path: [], code: 'too_many', message: `must have at most ${MAX_OBJECTS} bands, zones and lists in all` };
    }
    const { value } = spot;
    if (!Array.isArray(value)) {
      const count = Object.keys(value).length;
      if (count <= MAX_FIELDS) continue;
      const message = `must have at most ${MAX_FIELDS} fields, has ${count}`;
      return { path: pathOf(spot), code: 'unknown_field', message };
    }
    if (PLACES.has(spot.step)) places += value.length;
    if (places > MAX_PLACES) {
      const message = `must have at most ${MAX_PLACES} places in all zones of all versions`;
      return { path: pathOf(spot), code: 'too_many', message };
    }
    if (value.length <= MAX_BANDS) continue;
    if (!PLACES.has(spot.step)) {
      const message = `must have at most ${MAX_BANDS} entries, has ${value.length}`;
      return { path: pathOf(spot), code: 'too_many', message };
    }
    const wrong = value.findIndex(element => typeof element !== 'string' || element.length > MAX_PLACE_LENGTH);
    if (wrong >= 0) {
      const message = `must be a text of at most ${MAX_PLACE_LENGTH} characters, as one of ${value.length}`;
      return { path: [...pathOf(spot), wrong], code: 'wrong_type', message };
    }
  }
  return undefined;
}

/** What zod found, in the words and codes of every other refusal. */
function formIssues(found: readonly z.core.$ZodIssue[], whole: unknown): Issue[] {
  return found.flatMap((issue): Issue[] => {
    const path = issue.path as Path;
    if (valueAt(whole, path) === undefined) return [{ path, code: 'required', message: 'must be given' }];
    switch (issue.code) {
      case 'invalid_type':
        return [{ path, code: 'wrong_type', message: `must be a value of type ${issue.expected}` }];
      case 'unrecognized_keys':
        return issue.keys.map(key => ({ path: [...path, key], code: 'unknown_field', message: 'is not a field here' }));
      case 'too_small':
        return [{ path, code: 'out_of_range', message: limit('at least', 'more than', issue.minimum, issue) }];
      case 'too_big':
        return [{ path, code: 'out_of_range', message: limit('at most', 'less than', issue.maximum, issue) }];
      case 'invalid_value':
        return [{ path, code: 'not_allowed', message: `must be ${issue.values.map(String).join(' or ')}` }];
      case 'invalid_format':
        return [{ path, code: 'invalid_format', message: formatMessage(issue) }];
      case 'invalid_union':
        return [{ path, code: 'not_allowed', message: 'must have either kgPerM3 or cm3PerKg, a whole number' }];
      default:
        return [{ path, code: 'not_allowed', message: issue.message }];
    }
  });
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  );
}

function formatMessage({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): string {
  if (format === 'date' || pattern === '/^20/') return 'must be a calendar day, such as 2026-01-31';
  return pattern === String(PLAIN_TEXT) ? 'must be plain text without control characters' : `must fit ${pattern}`;
}

function limit(
  inclusive: string,
  exclusive: string,
  bound: number | bigint,
  issue: { origin: string; inclusive?: boolean | undefined },
): string {
  const amount = `${issue.inclusive === false ? exclusive : inclusive} ${bound}`;
  if (issue.origin === 'array') return `must have ${amount} entries`;
  return issue.origin === 'string' ? `must have ${amount} characters` : `must be ${amount}`;
}

/** What the form of a tariff can't say: places that are claimed twice, bands and dates that don't meet, names of nothing. */
class TariffCheck {
  readonly #issues: Issue[] = [];

  private constructor() {}

  static *issuesOf(tariff: Tariff): Steps<readonly Issue[]> {
    const check = new TariffCheck();
    yield* check.#decimals(tariff);
    check.#validity(tariff.versions);
    for (const [i, version] of tariff.versions.entries()) yield* check.#version(['versions', i], version);
    return check.#issues;
  }

  #add(path: Path, code: string, message: string): void {
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ path, code, message });
  }

  *#decimals(tariff: Tariff): Steps<void> {
    let objects = 0;
    for (const spot of spotsIn(tariff, field => field === 'to' || field === 'of')) {
      if (++objects % PAUSE_EVERY === 0) yield;
      for (const [name, inner] of Object.entries(spot.value)) {
        const decimals = DECIMALS_OF[name];
        if (typeof inner !== 'number' || decimals === undefined || scaled(inner, decimals) !== undefined) continue;
        this.#add([...pathOf(spot), name], 'too_precise', `must have at most ${decimals} decimals`);
      }
    }
  }

  #validity(versions: readonly TariffVersion[]): void {
    for (const [i, { validFrom, validUntil }] of versions.entries()) {
      const at = (field: string) => ['versions', i, field];
      if (validUntil !== undefined && validUntil < validFrom) {
        this.#add(at('validUntil'), 'out_of_range', `must not lie before validFrom, ${validFrom}`);
      }
      const before = versions[i - 1];
      if (before === undefined) continue;
      if (validFrom <= before.validFrom) {
        this.#add(at('validFrom'), 'overlap', `must come after that of the version before, ${before.validFrom}`);
      } else if (before.validUntil !== undefined && before.validUntil !== dayBefore(validFrom)) {
        const code = before.validUntil < validFrom ? 'gap' : 'overlap';
        this.#add(at('validFrom'), code, `must be the day after the version before ends, ${before.validUntil}`);
      }
    }
  }

  *#version(path: Path, version: TariffVersion): Steps<void> {
    const zones = new Set<string>();
    for (const [i, zone] of version.zones.entries()) {
      if (COLUMNS.has(zone.code)) {
        this.#add([...path, 'zones', i, 'code'], 'not_allowed', 'names a column of the grid');
      }
      if (zones.has(zone.code))
        this.#add([...path, 'zones', i, 'code'], 'duplicate', `names a second zone ${zone.code}`);
      zones.add(zone.code);
      this.#bands([...path, 'zones', i], zone);
      yield;
    }
    const codes = version.zones.map(({ code }) => `zone ${code}`);
    yield* this.#areas(version.zones, area => [...path, 'zones', area, 'to'], codes);
    this.#countries([...path, 'originCountries'], version.originCountries);
    yield* this.#lines(path, version, zones);
    this.#fuel(path, version);
    this.#services(path, version);
    if (version.vat) {
      const rows = version.vat.map((_, i) => `row ${i} of the table`);
      yield* this.#areas(version.vat, area => [...path, 'vat', area, 'to'], rows);
      if (!version.vat.some(({ to }) => to.anywhere)) {
        this.#add([...path, 'vat'], 'gap', 'must have a row for anywhere, so that every destination has its VAT');
      }
    }
  }

  #bands(path: Path, { bands, beyond, notServed }: Zone): void {
    if (notServed !== undefined) {
      if (bands.length > 0 || beyond)
        this.#add([...path, 'bands'], 'not_allowed', 'must be empty where notServed is given');
      return;
    }
    if (bands.length === 0) this.#add([...path, 'bands'], 'required', 'must have at least one band');
    for (const [i, { overKg, upToKg }] of bands.entries()) {
      const before = bands[i - 1]?.upToKg ?? 0;
      const at = [...path, 'bands', i];
      if (upToKg <= before)
        this.#add([...at, 'upToKg'], 'overlap', `must be more than that of the band before, ${before}`);
      else if (overKg !== undefined && overKg > before) {
        this.#add([...at, 'overKg'], 'gap', `must be where the band before ends, ${before}`);
      } else if (overKg !== undefined && overKg < before) {
        this.#add([...at, 'overKg'], 'overlap', `must be where the band before ends, ${before}`);
      }
    }
  }

  *#areas(
    rows: readonly { readonly to: Area }[],
    pathOf: (area: number) => Path,
    names: readonly string[],
  ): Steps<void> {
    for (const [i, { to }] of rows.entries()) {
      if (Object.values(to).every(rules => Array.isArray(rules) && rules.length === 0)) {
        this.#add(pathOf(i), 'required', 'must name at least one place');
      }
    }
    const table = yield* AreaTable.steps(rows.map(({ to }) => to));
    for (const { rule, other, code, message } of table.problems) {
      const by = other === undefined ? '' : ` ${other.text} of ${names[other.area]}`;
      this.#add([...pathOf(rule.area), ...rule.path], code, `(${rule.text}) ${message}${by}`);
    }
  }

  #countries(path: Path, countries: readonly string[] | undefined): void {
    for (const { rule, code, message } of AreaTable.of([{ countries: [...(countries ?? [])] }]).problems) {
      this.#add([...path, ...rule.path.slice(1)], code, message);
    }
  }

  *#lines(path: Path, version: TariffVersion, zones: ReadonlySet<string>): Steps<void> {
    const lines = linesOf(version);
    const known = new Map<string, Path>();
    for (const { code, path: linePath, charge, when, component } of lines) {
      const at = [...path, ...linePath];
      const isNamed = component === 'surcharges' || component === 'options';
      if (isNamed && (RESERVED.has(code) || known.has(code))) {
        this.#add([...at, 'code'], 'duplicate', `names a second line ${code}`);
      }
      known.set(code, at);
      if (isNamed) this.#charge([...at, 'price'], charge);
      if (when) yield* this.#condition([...at, 'when'], when, zones);
      yield;
    }
    const references: (NamedLine & { readonly references: ReturnType<typeof referencesOf> })[] = [];
    for (const line of lines) {
      references.push({ ...line, references: referencesOf(line, lines) });
      yield;
    }
    const of = new Map(references.map(line => [line.code, line.references.flatMap(({ names }) => names)]));
    for (const line of references) {
      for (const { path: at, names } of line.references) {
        for (const name of names) {
          const message = `names ${name}, which this version does not have`;
          if (!of.has(name)) this.#add([...path, ...line.path, ...at], 'unknown_line', message);
        }
        const circle = circleFrom(line.code, names, of);
        const message = `refers in a circle: ${circle?.join(' → ')}`;
        if (circle) this.#add([...path, ...line.path, ...at], 'circle', message);
        yield;
      }
    }
  }

  #charge(path: Path, charge: Charge): void {
    const { greaterOf, minimum = 0, maximum = Number.POSITIVE_INFINITY, ...own } = charge;
    if (maximum < minimum)
      this.#add([...path, 'maximum'], 'out_of_range', `must not be less than the minimum, ${minimum}`);
    if (greaterOf === undefined) this.#sum(path, own);
    else if (Object.keys(own).length > 0)
      this.#add(path, 'not_allowed', 'must have greaterOf or sums of its own, not both');
    for (const [i, sum] of (greaterOf ?? []).entries()) this.#sum([...path, 'greaterOf', i], sum);
  }

  #sum(path: Path, { fixed, perKg, perParcel, percent, of }: Sum): void {
    if ((percent === undefined) !== (of === undefined)) {
      const missing = percent === undefined ? 'percent' : 'of';
      this.#add([...path, missing], 'required', 'must be given: percent and of go together');
    }
    if ([fixed, perKg, perParcel, percent].every(part => part === undefined)) {
      this.#add(path, 'required', 'must have at least one of fixed, perKg, perParcel, percent');
    }
  }

  *#condition(path: Path, when: Condition, zones: ReadonlySet<string>): Steps<void> {
    const known = shortList([...zones]);
    for (const [i, code] of (when.zones ?? []).entries()) {
      if (zones.has(code)) continue;
      this.#add([...path, 'zones', i], 'unknown_zone', `names "${code}", which is not among ${known}`);
    }
    if (when.to) yield* this.#areas([{ to: when.to }], () => [...path, 'to'], ['the same']);
  }

  #fuel(path: Path, { fuel, validFrom }: TariffVersion): void {
    if (!fuel) return;
    for (const [i, { from }] of fuel.rates.entries()) {
      const before = fuel.rates[i - 1]?.from;
      const at = [...path, 'fuel', 'rates', i, 'from'];
      if (before === undefined && from > validFrom) this.#add(at, 'gap', `must not come after validFrom, ${validFrom}`);
      if (before !== undefined && from <= before)
        this.#add(at, 'overlap', `must come after the rate before, ${before}`);
    }
  }

  #services(path: Path, { cod }: TariffVersion): void {
    if (cod && cod.fixed === undefined && cod.percent === undefined && cod.minimum === undefined) {
      this.#add([...path, 'cod'], 'required', 'must have at least one of fixed, percent, minimum');
    }
  }
}

/** The lists of names a line's percentages refer to, each with its place in the line. */
function referencesOf(
  { charge, component }: NamedLine,
  lines: readonly NamedLine[],
): { path: Path; names: string[] }[] {
  if (component === 'fuel') return [{ path: ['of'], names: namedIn(charge.of ?? [], lines) }];
  const sums = charge.greaterOf?.map((sum, i) => ({ sum, path: ['price', 'greaterOf', i, 'of'] }));
  return (sums ?? [{ sum: charge, path: ['price', 'of'] }]).flatMap(({ sum, path }) =>
    sum.of ? [{ path, names: namedIn(sum.of, lines) }] : [],
  );
}

/** Names along a circle that begins at a line and goes on with some of its references; undefined for none. */
function circleFrom(
  start: string,
  first: readonly string[],
  of: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const seen = new Set<string>();
  const walk = (way: readonly string[], names: readonly string[]): string[] | undefined => {
    for (const next of names) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const circle = walk([...way, next], of.get(next) ?? []);
      if (circle) return circle;
    }
    return undefined;
  };
  return walk([start], first);
}

function shortList(names: readonly string[]): string {
  return names.length > 10 ? `${names.slice(0, 10).join(', ')}, …` : names.join(', ');
}
