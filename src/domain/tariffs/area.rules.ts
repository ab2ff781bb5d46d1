import type { IssueCode } from '../../platform/issue-codes.ts';
import type { Steps } from '../../platform/limits/slices.ts';
import { FORMER_PROVINCES } from '../places/caps.rules.ts';
import { comuneKeys, provincesOfPlace, readComune, sameKeys } from '../places/comuni.rules.ts';
import { provinceCode, regionNamed, regionOfProvince } from '../places/italy.rules.ts';
import { countryOfPlace, EU_COUNTRIES, isCountryCode } from '../places/places.rules.ts';
import { atOnce } from '../steps.rules.ts';
import { MAX_PLACE_LENGTH, PLAIN_TEXT } from './parts.format.rules.ts';
import type { Area, PlaceList } from './place.format.rules.ts';
import { PostalTable } from './postal.rules.ts';
import { isWholeOrBeginning, ownerOf, plainPostalCode } from './postal-patterns.rules.ts';

/** A place that is shipped to, prepared for look-ups. */
export interface Destination {
  /** The country it lies in, whatever was written: San Marino and the Vatican are not Italy. */
  readonly countryCode: string;
  /** Upper-case, without spaces and hyphens. */
  readonly postalCode: string;
  /** What its comune is looked up by; none abroad. */
  readonly comuneKeys: readonly string[];
  /** Italian abbreviation; undefined for a CAP of no province. */
  readonly province: string | undefined;
  /** Italian region. */
  readonly region: string | undefined;
}

/**
 * What a place may be: one destination, or one for each of the provinces that share its CAP where neither the province
 * nor the comune decides.
 *
 * @param place with a known abbreviation as `province`, or none
 */
export function destinationsAt(place: {
  countryCode: string;
  postalCode: string;
  city: string;
  province?: string | undefined;
}): readonly [Destination, ...Destination[]] {
  const countryCode = countryOfPlace(place.countryCode, place.postalCode);
  const postalCode = plainPostalCode(countryCode, place.postalCode);
  if (countryCode !== 'IT') {
    return [{ countryCode, postalCode, comuneKeys: [], province: undefined, region: undefined }];
  }
  const destinationIn = (province: string | undefined): Destination => ({
    countryCode,
    postalCode,
    comuneKeys: comuneKeys(place.city, province, postalCode),
    province,
    region: province === undefined ? undefined : regionOfProvince(province),
  });
  const provinces = place.province === undefined ? provincesOfPlace(postalCode, place.city) : [place.province];
  const [first, ...others] = provinces;
  return [destinationIn(first), ...others.map(destinationIn)];
}

type AreaRuleKind =
  | 'postal_code'
  | 'postal_code_range'
  | 'municipality'
  | 'same_province'
  | 'province'
  | 'same_region'
  | 'region'
  | 'country'
  | 'country_group'
  | 'default';

/** One of the rules of an area: what it says, and where it stands in the tariff. */
interface AreaRule {
  /** Which of the areas it belongs to. */
  readonly area: number;
  readonly kind: AreaRuleKind;
  readonly text: string;
  /** Within the area: `['postalCodes', 4]`. */
  readonly path: readonly (string | number)[];
}

/** A rule that can't be read, or that claims what another area (`other`) claims alike. */
interface AreaProblem {
  readonly rule: AreaRule;
  readonly code: IssueCode;
  readonly message: string;
  readonly other?: AreaRule;
}

type Path = readonly (string | number)[];

type Lists = ReadonlyMap<string, PlaceList>;

const ANYWHERE = '*';
/** Keys of the warehouse's province and region, which no province and no region has. */
const SAME = '=';
const NO_LISTS: Lists = new Map();
/** Rules read between two pauses. */
const PAUSE_EVERY = 100;
const UNKNOWN_COUNTRY = 'must have an assigned ISO 3166-1 alpha-2 country code';

/** Areas compiled for look-ups that do not search: what they cost does not depend on how many rules there are. */
export class AreaTable {
  readonly rules: AreaRule[] = [];
  readonly problems: AreaProblem[] = [];
  /** The area of each rule, close together in memory: with many rules that is what a look-up waits for. */
  #areas = new Int32Array(0);
  readonly #postal = new Map<string, PostalTable>();
  readonly #municipalities = new Map<string, number>();
  readonly #provinces = new Map<string, number>();
  readonly #regions = new Map<string, number>();
  /** By code; and by `EU` and `ANYWHERE`, which no country has. */
  readonly #countries = new Map<string, number>();

  /** Where an area does not hold, by area; undefined where all of them hold everywhere. */
  #exceptions: (AreaTable | undefined)[] | undefined;
  #isOfOrigin = false;
  /** Neither of both: one look for what nearly all tables are. */
  #isPlain = true;

  private constructor() {}

  static of(areas: readonly Area[], lists: Lists = NO_LISTS): AreaTable {
    return atOnce(AreaTable.steps(areas, lists));
  }

  /** The same in steps: a tariff may have many thousands of rules. */
  static *steps(areas: readonly Area[], lists: Lists = NO_LISTS): Steps<AreaTable> {
    const table = new AreaTable();
    for (const [area, { except, ...rules }] of areas.entries()) {
      yield* table.#add(area, rules);
      for (const [i, name] of (rules.lists ?? []).entries()) {
        const list = lists.get(name);
        if (list) yield* table.#add(area, list, ['lists', i], ` of the list ${name}`);
      }
      if (except) yield* table.#addException(area, except, lists);
    }
    yield* table.#build();
    return table;
  }

  /**
   * The most specific rule for a place, as an index into `rules`; −1 for none.
   *
   * @param origin where it is shipped from, if rules may depend on it
   */
  find(destination: Destination, origin?: { readonly place: Destination }): number {
    if (!this.#isPlain) return this.#findAmong(destination, this.#isOfOrigin ? origin?.place : undefined);
    const { countryCode, postalCode, province = '', region = '' } = destination;
    const byCode = this.#postal.get(countryCode)?.find(postalCode) ?? -1;
    if (byCode >= 0) return byCode;
    if (countryCode === 'IT') {
      const rule = this.#municipalityRule(destination) ?? this.#provinceRule(province) ?? this.#regions.get(region);
      if (rule !== undefined) return rule;
    }
    return (
      this.#countries.get(countryCode) ??
      (EU_COUNTRIES.has(countryCode) ? this.#countries.get('EU') : undefined) ??
      this.#countries.get(ANYWHERE) ??
      -1
    );
  }

  /** The same where areas have exceptions, or rules about the origin. */
  #findAmong(destination: Destination, origin: Destination | undefined): number {
    const { countryCode, postalCode, province, region = '' } = destination;
    const isOut = this.#exceptions && this.#isOutside(destination);
    const table = this.#postal.get(countryCode);
    const byCode = (isOut ? table?.findWithout(postalCode, isOut) : table?.find(postalCode)) ?? -1;
    if (byCode >= 0) return byCode;
    const within = (rule: number | undefined) => (rule === undefined || isOut?.(rule) ? undefined : rule);
    const same = (own: string | undefined, other: string | undefined, map: ReadonlyMap<string, number>) =>
      own !== undefined && own === other ? within(map.get(SAME)) : undefined;
    if (countryCode === 'IT') {
      const rule =
        this.#municipalityRule(destination, isOut) ??
        same(province, origin?.province, this.#provinces) ??
        this.#provinceRule(province ?? '', isOut) ??
        same(destination.region, origin?.region, this.#regions) ??
        within(this.#regions.get(region));
      if (rule !== undefined) return rule;
    }
    return (
      within(this.#countries.get(countryCode)) ??
      (EU_COUNTRIES.has(countryCode) ? within(this.#countries.get('EU')) : undefined) ??
      within(this.#countries.get(ANYWHERE)) ??
      -1
    );
  }

  /** Whether a rule is of an area that does not hold for a place. */
  #isOutside(destination: Destination): (rule: number) => boolean {
    return rule => {
      const exception = this.#exceptions?.[this.#areas[rule] ?? -1];
      return exception !== undefined && exception.find(destination) >= 0;
    };
  }

  /** The area that `find` leads to; −1 for none. */
  areaOf(rule: number): number {
    return this.#areas[rule] ?? -1;
  }

  /** About how many bytes of memory it takes, by what was measured on the heap. */
  get bytes(): number {
    const own = 1_500 + this.rules.length * 150 + this.#municipalities.size * 100;
    const inExceptions = (this.#exceptions ?? []).reduce((sum, table) => sum + (table?.bytes ?? 0), 0);
    return [...this.#postal.values()].reduce((sum, { bytes }) => sum + bytes, own + inExceptions);
  }

  #municipalityRule({ comuneKeys }: Destination, isOut?: (rule: number) => boolean): number | undefined {
    if (this.#municipalities.size === 0) return undefined;
    for (const key of comuneKeys) {
      const rule = this.#municipalities.get(key);
      if (rule !== undefined && !isOut?.(rule)) return rule;
    }
    return undefined;
  }

  /** Sardinia's provinces change: a rule for the one that a place was of before still holds. */
  #provinceRule(province: string, isOut?: (rule: number) => boolean): number | undefined {
    if (this.#provinces.size === 0) return undefined;
    for (const one of [province, ...(FORMER_PROVINCES.get(province) ?? [])]) {
      const rule = this.#provinces.get(one);
      if (rule !== undefined && !isOut?.(rule)) return rule;
    }
    return undefined;
  }

  *#addException(area: number, except: Area, lists: Lists): Steps<void> {
    const table = yield* AreaTable.steps([except], lists);
    this.#exceptions ??= [];
    this.#exceptions[area] = table;
    for (const { rule, ...problem } of table.problems) {
      this.problems.push({ ...problem, rule: { ...rule, area, path: ['except', ...rule.path] } });
    }
  }

  *#build(): Steps<void> {
    this.#isPlain = this.#exceptions === undefined && !this.#isOfOrigin;
    this.#areas = new Int32Array(this.rules.length);
    for (const [i, { area }] of this.rules.entries()) {
      this.#areas[i] = area;
      if (i % 1000 === 0) yield;
    }
    for (const table of this.#postal.values()) {
      for (const { rule, other } of yield* table.build(this.#exceptions !== undefined)) {
        this.#reject(rule, 'overlap', 'overlaps, and neither lies within the other, with', other);
      }
      yield;
    }
  }

  /** @param from the list that the places come from: its place in the area, and words that name it */
  *#add(area: number, rules: Area, from: Path = [], ofList = ''): Steps<void> {
    const ruleOf = (kind: AreaRuleKind, text: string, path: Path) =>
      this.#rule(area, kind, text + ofList, from.length > 0 ? from : path);
    for (const [i, text] of (rules.postalCodes ?? []).entries()) {
      this.#addPostalCode(text, kind => ruleOf(kind, text, ['postalCodes', i]));
      if (i % PAUSE_EVERY === 0) yield;
    }
    for (const [i, text] of (rules.municipalities ?? []).entries()) {
      if (i % PAUSE_EVERY === 0) yield;
      const rule = ruleOf('municipality', text, ['municipalities', i]);
      const { keys, issue } = readComune(text);
      if (issue?.code === 'invalid_text' || text.length > MAX_PLACE_LENGTH || !PLAIN_TEXT.test(text)) {
        this.#reject(rule, 'invalid_text', `must be the name of a comune, of at most ${MAX_PLACE_LENGTH} characters`);
      } else if (issue) this.#reject(rule, issue.code, issue.message);
      else this.#claimComune(keys, rule);
    }
    for (const [i, text] of (rules.provinces ?? []).entries()) {
      const province = provinceCode(text);
      const rule = ruleOf('province', text, ['provinces', i]);
      if (province === undefined)
        this.#reject(rule, 'unknown_province', 'must be an Italian province, such as PA or Palermo');
      else this.#claim(this.#provinces, province, rule);
    }
    for (const [i, text] of (rules.regions ?? []).entries()) {
      const region = regionNamed(text);
      const rule = ruleOf('region', text, ['regions', i]);
      if (region === undefined) this.#reject(rule, 'unknown_region', 'must be an Italian region, such as Sicilia');
      else this.#claim(this.#regions, region, rule);
    }
    for (const [i, code] of (rules.countries ?? []).entries()) {
      const isGroup = code === 'EU';
      const rule = ruleOf(isGroup ? 'country_group' : 'country', code, ['countries', i]);
      if (!isGroup && !isCountryCode(code)) this.#reject(rule, 'unknown_country', UNKNOWN_COUNTRY);
      else this.#claim(this.#countries, code, rule);
    }
    if (rules.sameProvince || rules.sameRegion) this.#isOfOrigin = true;
    if (rules.sameProvince)
      this.#claim(this.#provinces, SAME, ruleOf('same_province', 'same province', ['sameProvince']));
    if (rules.sameRegion) this.#claim(this.#regions, SAME, ruleOf('same_region', 'same region', ['sameRegion']));
    if (rules.anywhere) this.#claim(this.#countries, ANYWHERE, ruleOf('default', 'anywhere', ['anywhere']));
  }

  #addPostalCode(text: string, ruleOf: (kind: AreaRuleKind) => number): void {
    const [, countryCode = 'IT', pattern = ''] = /^(?:([A-Z]{2}) )?(.*)$/.exec(text) ?? [];
    const [, from, to] = /^(\d{1,5})-(\d{1,5})$/.exec(pattern.replaceAll(' ', '')) ?? [];
    // 10-19 is a range; 00-950 is how a Polish code is written.
    const isRange = from !== undefined && to !== undefined && from.length === to.length;
    const rule = ruleOf(isRange || pattern.endsWith('*') ? 'postal_code_range' : 'postal_code');
    if (!isCountryCode(countryCode)) this.#reject(rule, 'unknown_country', UNKNOWN_COUNTRY);
    else if (isRange && from > to) this.#reject(rule, 'empty_range', `begins at ${from}, after its end ${to}`);
    else if (!isRange && !isWholeOrBeginning(countryCode, pattern)) {
      const allowed = `must be a postal code of ${countryCode}, a range of two with at most five digits such as 57030-57039, or a beginning such as 90*`;
      this.#reject(rule, 'invalid_postal_code', allowed);
    } else {
      const code = plainPostalCode(countryCode, pattern);
      const owner = countryCode === 'IT' ? ownerOf(isRange ? from : code, isRange ? to : code) : countryCode;
      const table = this.#postal.get(owner) ?? new PostalTable();
      this.#postal.set(owner, table);
      const known = isRange ? table.addRange(from, to, rule) : table.add(code, rule);
      if (known !== undefined) this.#conflict(rule, known);
    }
  }

  #rule(area: number, kind: AreaRuleKind, text: string, path: Path): number {
    return this.rules.push({ area, kind, text, path }) - 1;
  }

  #claim(map: Map<string, number>, key: string, rule: number): void {
    const known = map.get(key);
    if (known === undefined) map.set(key, rule);
    else this.#conflict(rule, known);
  }

  #claimComune(keys: readonly string[], rule: number): void {
    const area = this.rules[rule]?.area;
    const others = keys.flatMap(sameKeys).map(key => this.#municipalities.get(key));
    const other = others.find(known => known !== undefined && this.rules[known]?.area !== area);
    if (other !== undefined) this.#conflict(rule, other);
    for (const key of keys) if (!this.#municipalities.has(key)) this.#municipalities.set(key, rule);
  }

  /** The same place twice: harmless within an area, undecidable between two. */
  #conflict(rule: number, known: number): void {
    if (this.rules[rule]?.area !== this.rules[known]?.area)
      this.#reject(rule, 'conflict', 'is claimed already by', known);
  }

  #reject(rule: number, code: IssueCode, message: string, other = -1): void {
    this.problems.push({ rule: this.rules[rule] as AreaRule, code, message, other: this.rules[other] });
  }
}
