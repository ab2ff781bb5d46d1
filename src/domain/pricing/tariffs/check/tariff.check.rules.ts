import { type Issue, invalid, MAX_ISSUES } from '../../../../platform/fault.ts';
import type { IssueCode } from '../../../../platform/issue-codes.ts';
import { checkAccount } from '../account/account-fees.rules.ts';
import { areaProblems } from '../areas/area-table.rules.ts';
import { checkByParcel } from '../bands/parcel-bands.rules.ts';
import { checkSteps } from '../bands/steps-beyond.rules.ts';
import { checkBands } from '../bands/weight-bands.rules.ts';
import { checkCharge } from '../charges/charge.rules.ts';
import { compileTariff, dayBefore, isForService } from '../compile/compile.rules.ts';
import { ALTERNATIVES, linesOf, type NamedLine, namedIn, sumsOf } from '../compile/tariff-lines.rules.ts';
import { checkCondition } from '../conditions/condition-check.rules.ts';
import type { KnownCodes } from '../conditions/condition-kind.rules.ts';
import { type Tariff, type TariffVersion, tariffFormat, type Zone } from '../format/tariff.format.rules.ts';
import { findOversize, formIssues, type Path } from '../format/tariff-document.rules.ts';
import { checkPalletClasses } from '../pallets/pallet-classes.rules.ts';
import { checkPallets } from '../pallets/pallet-prices.rules.ts';
import { NO_REFERENCES, type References } from '../references/references.rules.ts';
import { checkWeight } from '../weight/chargeable-weight.rules.ts';
import { decimalsIn, roundDecimals } from './check-decimals.rules.ts';
import { knownNames, TariffIssues } from './check-issues.rules.ts';

/** The most megabytes of memory that a compiled tariff may take. */
const MAX_MB = 24;

/** Codes of lines that a tariff has without naming them. */
const RESERVED: ReadonlySet<string> = new Set(['base', 'fuel', 'cod', 'insurance', 'surcharges', 'options']);

/** Codes that a zone can't have: the grids of bands by zones of version 1.0.0 had columns of these names. */
const COLUMNS: ReadonlySet<string> = new Set(['up_to_kg', 'over_kg']);

interface ReadOptions {
  /** The references of the carrier of the tariff. Undefined if the carrier is not known. */
  readonly references?: References | undefined;
  /** Whether the tariff was accepted before, by this release or an earlier one. */
  readonly isStored?: boolean | undefined;
}

/**
 * Reads and checks a tariff that a caller sent: its form, and the rules that the form can't express.
 *
 * @param base path of the tariff in the request
 * @throws Fault `validation_failed` with the path of every issue
 */
export function readTariff(value: unknown, base: Path = [], { references, isStored }: ReadOptions = {}): Tariff {
  const rejection = (issues: readonly Issue[]) =>
    invalid(issues.map(issue => ({ ...issue, path: [...base, ...issue.path] })));
  const oversize = findOversize(value);
  if (oversize) throw rejection([oversize]);
  const otherFormat = formatIssue(value);
  if (otherFormat) throw rejection([otherFormat]);
  const form = tariffFormat.safeParse(value);
  if (!form.success) throw rejection(formIssues(form.error.issues.slice(0, MAX_ISSUES), value));
  const { $schema: _, ...tariff } = form.data;
  const found = new TariffIssues(references, isStored);
  for (const { path, message } of decimalsIn(tariff)) found.add(path, 'too_precise', message);
  roundDecimals(tariff);
  const issues = TariffCheck.issuesOf(tariff, found);
  if (issues.length > 0) throw rejection(issues);
  const { bytes } = compileTariff(tariff, references ?? NO_REFERENCES);
  const mb = Math.ceil(bytes / 1_000_000);
  if (mb > MAX_MB) {
    const message = `needs ${mb} MB of memory, and the limit is ${MAX_MB} MB: send fewer places or versions`;
    throw rejection([{ path: ['versions'], code: 'too_many', message }]);
  }
  return tariff;
}

/** The one issue of a document of another format or of none, since its other issues would mislead. */
function formatIssue(value: unknown): Issue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { format } = value as { format?: unknown };
  if (format === 2) return undefined;
  return { path: ['format'], code: format === undefined ? 'required' : 'not_allowed', message: 'must be 2' };
}

/**
 * Checks the rules that the form of a tariff can't express: no place is claimed twice, bands and dates meet, and names
 * exist.
 */
class TariffCheck {
  readonly #issues: TariffIssues;

  private constructor(issues: TariffIssues) {
    this.#issues = issues;
  }

  static issuesOf({ versions }: Tariff, issues: TariffIssues): readonly Issue[] {
    const check = new TariffCheck(issues);
    check.#validity(versions);
    for (const [i, version] of versions.entries()) check.#version(['versions', i], version);
    return issues.found;
  }

  #add(path: Path, code: IssueCode, message: string): void {
    this.#issues.add(path, code, message);
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
        this.#add(
          at('validFrom'),
          'overlap',
          `must come after ${before.validFrom}, the first day of the version before`,
        );
      } else if (before.validUntil !== undefined && before.validUntil !== dayBefore(validFrom)) {
        const code = before.validUntil < validFrom ? 'gap' : 'overlap';
        this.#add(at('validFrom'), code, `must be the day after the version before ends, ${before.validUntil}`);
      }
    }
  }

  #version(path: Path, version: TariffVersion): void {
    const known = this.#codes(path, version);
    for (const [i, zone] of version.zones.entries()) {
      this.#zone([...path, 'zones', i], zone, known);
    }
    this.#zonePlaces(path, version);
    this.#origins(path, version);
    this.#countries([...path, 'originCountries'], version.originCountries);
    checkWeight(this.#issues, [...path, 'weight'], version.weight, known);
    checkPalletClasses(this.#issues, [...path, 'palletClasses'], version.palletClasses);
    this.#services(path, version, known);
    this.#lines(path, version, known);
    if (version.account) checkAccount(this.#issues, [...path, 'account'], version.account);
    if (version.vat) {
      const rows = version.vat.map((_, i) => `row ${i} of the table`);
      const areas = version.vat.map(({ to }) => to);
      this.#issues.areas(areas, area => [...path, 'vat', area, 'to'], rows);
      if (!version.vat.some(({ to }) => to.anywhere)) {
        this.#add([...path, 'vat'], 'gap', 'must have a row for anywhere, so that every destination has its VAT');
      }
    }
  }

  /** Returns the codes that conditions may name, and reports codes that occur twice. */
  #codes(path: Path, { zones, origins, options, services = [] }: TariffVersion): KnownCodes {
    const once = (field: 'zones' | 'origins' | 'services', list: readonly { readonly code: string }[]) => {
      const codes = new Set<string>();
      for (const [i, { code }] of list.entries()) {
        if (codes.has(code)) this.#add([...path, field, i, 'code'], 'duplicate', `is the code of another: ${code}`);
        codes.add(code);
      }
      return codes;
    };
    return {
      zones: once('zones', zones),
      origins: once('origins', origins),
      options: new Set(options.map(({ code }) => code)),
      services: once('services', services),
    };
  }

  #services(path: Path, { services = [] }: TariffVersion, known: KnownCodes): void {
    for (const [i, { when }] of services.entries()) {
      if (when) checkCondition(this.#issues, [...path, 'services', i, 'when'], when, known);
    }
  }

  #zone(path: Path, zone: Zone, known: KnownCodes): void {
    const { code, from = [], services = [], bands, beyond, pallets, notServed } = zone;
    if (COLUMNS.has(code)) this.#add([...path, 'code'], 'not_allowed', 'names a column of the grid');
    for (const [i, origin] of from.entries()) {
      if (known.origins.has(origin)) continue;
      this.#add([...path, 'from', i], 'unknown_origin', `names "${origin}": ${knownNames(known.origins)}`);
    }
    for (const [i, service] of services.entries()) {
      if (known.services.has(service)) continue;
      this.#add([...path, 'services', i], 'unknown_service', `names "${service}": ${knownNames(known.services)}`);
    }
    checkByParcel(this.#issues, path, zone);
    if (notServed !== undefined) {
      if (bands.length + beyond.length + pallets.length > 0)
        this.#add([...path, 'bands'], 'not_allowed', 'must be empty where notServed is given');
      return;
    }
    if (bands.length === 0 && (pallets.length === 0 || beyond.length > 0))
      this.#add([...path, 'bands'], 'required', 'must have at least one band');
    checkBands(this.#issues, [...path, 'bands'], bands);
    checkSteps(this.#issues, [...path, 'beyond'], beyond, bands.at(-1)?.upToKg ?? 0);
    checkPallets(this.#issues, [...path, 'pallets'], pallets);
  }

  /** Zones for one service and one origin stand beside each other, as do those for any origin. */
  #zonePlaces(path: Path, { zones, origins, services }: TariffVersion): void {
    const pathOf = (zone: number) => [...path, 'zones', zone, 'to'];
    const names = zones.map(({ code }) => `zone ${code}`);
    const isChecked = new Set<string>();
    const check = (isOne: (zone: Zone) => boolean) => {
      const own = zones.map(zone => (isOne(zone) ? zone.to : ELSEWHERE));
      const key = own.map(area => (area === ELSEWHERE ? 0 : 1)).join('');
      if (isChecked.has(key)) return;
      isChecked.add(key);
      this.#issues.areas(own, pathOf, names);
    };
    for (const service of services ?? [undefined]) {
      check(zone => zone.from === undefined && isForService(zone, service?.code));
      for (const { code } of origins)
        check(zone => zone.from?.includes(code) === true && isForService(zone, service?.code));
    }
  }

  #origins(path: Path, { origins }: TariffVersion): void {
    const warehouses = new Set<number>();
    for (const [i, origin] of origins.entries()) {
      const at = [...path, 'origins', i];
      if ((origin.warehouses ?? origin.places) === undefined)
        this.#add(at, 'required', 'must have at least one of warehouses, places');
      for (const [j, id] of (origin.warehouses ?? []).entries()) {
        if (warehouses.has(id)) this.#add([...at, 'warehouses', j], 'conflict', `is claimed already: ${id}`);
        warehouses.add(id);
      }
      for (const field of ['sameProvince', 'sameRegion'] as const) {
        if (origin.places?.[field]) this.#add([...at, 'places', field], 'not_allowed', 'is about destinations alone');
      }
    }
    const areas = origins.map(({ places }) => places ?? ELSEWHERE);
    const names = origins.map(({ code }) => `origin ${code}`);
    this.#issues.areas(areas, i => [...path, 'origins', i, 'places'], names);
  }

  #countries(path: Path, countries: readonly string[] | undefined): void {
    for (const { rule, code, message } of areaProblems([{ countries: [...(countries ?? [])] }])) {
      this.#add([...path, ...rule.path.slice(1)], code, message);
    }
  }

  #lines(path: Path, version: TariffVersion, known: KnownCodes): void {
    const lines = linesOf(version);
    const { validFrom } = version;
    const codes = new Set<string>();
    for (const { code, path: linePath, price, when, component } of lines) {
      const at = [...path, ...linePath];
      const isOwn = component === code && ALTERNATIVES.has(component);
      if (component !== 'base' && ((RESERVED.has(code) && !isOwn) || codes.has(code)))
        this.#add([...at, 'code'], 'duplicate', `names a second line ${code}`);
      codes.add(code);
      if (component === 'base') continue;
      const rules = { validFrom, canBeNegative: component === 'surcharges', isLate: false };
      checkCharge(this.#issues, [...at, 'price'], price, rules);
      if (when) checkCondition(this.#issues, [...at, 'when'], when, known);
    }
    const events = new Set<string>();
    for (const [i, { code, price, when }] of version.afterShipment.entries()) {
      const at = [...path, 'afterShipment', i];
      if (RESERVED.has(code) || events.has(code))
        this.#add([...at, 'code'], 'duplicate', `names a second line ${code}`);
      events.add(code);
      checkCharge(this.#issues, [...at, 'price'], price, { validFrom, canBeNegative: false, isLate: true });
      if (when) checkCondition(this.#issues, [...at, 'when'], when, { ...known, isLate: true });
    }
    this.#references(path, lines, version);
  }

  #references(path: Path, lines: readonly NamedLine[], { afterShipment }: TariffVersion): void {
    const references = lines.map(line => ({
      code: line.code,
      path: line.path,
      references: lineReferences(line, lines),
    }));
    const of = new Map(references.map(line => [line.code, line.references.flatMap(({ names }) => names)]));
    const late = afterShipment.map((line, i) => ({
      code: '',
      path: ['afterShipment', i],
      references: lineReferences(line, lines),
    }));
    for (const line of [...references, ...late]) {
      for (const { path: at, names } of line.references) {
        for (const name of names) {
          const message = `names ${name}, which this version does not have`;
          if (!of.has(name)) this.#add([...path, ...line.path, ...at], 'unknown_line', message);
        }
        const circle = circleFrom(line.code, names, of);
        const message = `refers in a circle: ${circle?.join(' → ')}`;
        if (circle) this.#add([...path, ...line.path, ...at], 'circle', message);
      }
    }
  }
}

/** An area that claims nothing, in the place of one that is checked with others. */
const ELSEWHERE: Zone['to'] = { municipalities: undefined };

// Finds which lines of a tariff the percentages of others refer to, and whether that leads in a circle.

/** The lists of names a line's percentages refer to, each with its place in the line. */
function lineReferences(
  { price }: Pick<NamedLine, 'price'>,
  lines: readonly NamedLine[],
): { path: Path; names: string[] }[] {
  return sumsOf(price).flatMap(({ sum, path }) =>
    sum.of ? [{ path: ['price', ...path, 'of'], names: namedIn(sum.of, lines) }] : [],
  );
}

/** Returns the names along a circle that begins at a line and leads through its first references; undefined for none. */
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
