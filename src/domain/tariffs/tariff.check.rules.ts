import { type Issue, invalid, MAX_ISSUES } from '../../platform/fault.ts';
import type { IssueCode } from '../../platform/issue-codes.ts';
import type { Steps } from '../../platform/limits/slices.ts';
import { atOnce } from '../steps.rules.ts';
import { AreaTable } from './area.rules.ts';
import { compileTariffSteps, dayBefore } from './compile.rules.ts';
import { readForm } from './form.rules.ts';
import {
  type Area,
  type Charge,
  type Condition,
  type Sum,
  type Tariff,
  type TariffVersion,
  tariffFormat,
  type Zone,
} from './tariff.format.rules.ts';
import { findOversize, formIssues, PAUSE_EVERY, type Path, pathOf, spotsIn } from './tariff-document.rules.ts';
import { linesOf, type NamedLine } from './tariff-lines.rules.ts';
import { circleFrom, referencesOf } from './tariff-references.rules.ts';
import { DECIMALS, scaled } from './units.rules.ts';

/** Of memory that a tariff may take once it is compiled. */
const MAX_MB = 24;

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
  const rejection = (issues: readonly Issue[]) =>
    invalid(issues.map(issue => ({ ...issue, path: [...base, ...issue.path] })));
  const oversize = yield* findOversize(value);
  if (oversize) throw rejection([oversize]);
  const form = yield* readForm(tariffFormat, value, MAX_ISSUES);
  if (form.value === undefined) throw rejection(formIssues(form.issues, value));
  const { $schema: _, ...given } = form.value;
  const tariff = complete(given);
  const issues = yield* TariffCheck.issuesOf(tariff);
  if (issues.length > 0) throw rejection(issues);
  const { bytes } = yield* compileTariffSteps(tariff);
  const mb = Math.ceil(bytes / 1_000_000);
  if (mb > MAX_MB) {
    const message = `must take at most ${MAX_MB} MB of memory, takes ${mb} MB: give fewer places, in fewer versions`;
    throw rejection([{ path: ['versions'], code: 'too_many', message }]);
  }
  return tariff;
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

  #add(path: Path, code: IssueCode, message: string): void {
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

function shortList(names: readonly string[]): string {
  return names.length > 10 ? `${names.slice(0, 10).join(', ')}, …` : names.join(', ');
}
