import type { IssueCode } from '../../../../platform/issue-codes.ts';
import { readComune, sameKeys } from '../../../common/places/comuni.rules.ts';
import { provinceCode, regionNamed } from '../../../common/places/italy.rules.ts';
import { isCountryCode } from '../../../common/places/places.rules.ts';
import { MAX_PLACE_LENGTH, PLAIN_TEXT } from '../format/parts.format.rules.ts';
import {
  ANYWHERE,
  AREA_FIELDS,
  AREA_RULE_KINDS,
  type AreaRuleKind,
  type AreaTable,
  OF_LIST,
  SAME,
} from './area.rules.ts';
import type { Area, PlaceList } from './place.format.rules.ts';
import { PostalCodes } from './postal.rules.ts';
import { beginningInOrder, rangeInOrder } from './postal-order.rules.ts';
import { isWholeEnd, isWholeOrBeginning, ownerOf, plainPostalCode, wholeRanges } from './postal-patterns.rules.ts';
import { readTown } from './towns.rules.ts';

/** Compiles areas to a table, and finds the rules that can't be read or that contradict each other. */

type Path = readonly (string | number)[];
type Field = (typeof AREA_FIELDS)[number];
type Lists = ReadonlyMap<string, PlaceList>;

/** One of the rules of an area: what it says, and where it stands in the tariff. */
interface AreaRule {
  /** Which of the areas it belongs to. */
  readonly area: number;
  readonly kind: AreaRuleKind;
  readonly text: string;
  /** Within the area: `['postalCodes', 4]`. */
  readonly path: Path;
}

/** A rule that can't be read, or that claims a place that a rule of another area (`other`) claims too. */
interface AreaProblem {
  readonly rule: AreaRule;
  readonly code: IssueCode;
  readonly message: string;
  readonly other?: AreaRule | undefined;
  /** Whether tariffs of earlier releases may have it; they price by it as they did. */
  readonly isOfOldTariffs?: boolean;
}

const NO_LISTS: Lists = new Map();
/** Bytes of memory that a rule takes: a little more than measurements of the heap show. */
const BYTES_OF_RULE = 150;
const UNKNOWN_COUNTRY = 'must have an assigned ISO 3166-1 alpha-2 country code';

/** A table of areas that were checked. */
export function areaTable(areas: readonly Area[], lists: Lists = NO_LISTS): AreaTable {
  return new Areas(areas, lists).table();
}

/** Tables of a tariff. Areas have one table, however many services of a version ask for it. */
export class AreaTables {
  readonly #lists: Lists;
  readonly #ids = new Map<Area, number>();
  readonly #tables = new Map<string, AreaTable>();

  constructor(lists: Lists) {
    this.#lists = lists;
  }

  of(areas: readonly Area[]): AreaTable {
    const ids = areas.map(area => {
      const id = this.#ids.get(area) ?? this.#ids.size;
      this.#ids.set(area, id);
      return id;
    });
    const key = ids.join(' ');
    const table = this.#tables.get(key) ?? areaTable(areas, this.#lists);
    this.#tables.set(key, table);
    return table;
  }

  /** About how many bytes of memory they take. */
  get bytes(): number {
    return [...this.#tables.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** Returns the problems of areas that stand beside each other. */
export function areaProblems(areas: readonly Area[], lists: Lists = NO_LISTS): readonly AreaProblem[] {
  const all = new Areas(areas, lists);
  all.table();
  return all.problems;
}

const NO_TOWN = {
  code: 'invalid_text',
  message: `must be the name of a town, of at most ${MAX_PLACE_LENGTH} characters`,
} as const;

const isPlainPlace = (text: string) => text.length <= MAX_PLACE_LENGTH && PLAIN_TEXT.test(text);

class Areas {
  readonly problems: AreaProblem[] = [];
  readonly #rules: AreaRule[] = [];
  readonly #postal = new Map<string, PostalCodes>();
  readonly #municipalities = new Map<string, number>();
  readonly #provinces = new Map<string, number>();
  readonly #regions = new Map<string, number>();
  readonly #countries = new Map<string, number>();
  #exceptions: (AreaTable | undefined)[] | undefined;
  #isOfOrigin = false;

  constructor(areas: readonly Area[], lists: Lists) {
    for (const [area, { except, ...rules }] of areas.entries()) {
      this.#add(area, rules);
      for (const [i, name] of (rules.lists ?? []).entries()) {
        const list = lists.get(name);
        if (list) this.#add(area, list, ['lists', i], OF_LIST + name);
      }
      if (except) this.#addException(area, except, lists);
    }
  }

  table(): AreaTable {
    const postal = new Map(
      [...this.#postal].map(([owner, codes]) => {
        const { table, crossings } = codes.table(this.#exceptions !== undefined);
        for (const { rule, other } of crossings)
          this.#reject(rule, 'overlap', 'overlaps, and neither lies within the other, with', other);
        return [owner, table] as const;
      }),
    );
    const rules = this.#rules;
    const position = <Name>(names: readonly Name[], name: Name) => names.indexOf(name);
    return {
      areas: Int32Array.from(rules, ({ area }) => area),
      kinds: Uint8Array.from(rules, ({ kind }) => position(AREA_RULE_KINDS, kind)),
      texts: rules.map(({ text }) => text),
      fields: Uint8Array.from(rules, ({ path }) => position(AREA_FIELDS, path[0] as Field)),
      positions: Int32Array.from(rules, ({ path: [, at = -1] }) => Number(at)),
      postal,
      municipalities: this.#municipalities,
      provinces: this.#provinces,
      regions: this.#regions,
      countries: this.#countries,
      exceptions: this.#exceptions,
      isOfOrigin: this.#isOfOrigin,
      bytes: this.#bytes([...postal.values()]),
    };
  }

  /** Estimates the memory of the table, from measurements of the heap. */
  #bytes(postal: readonly { readonly bytes: number }[]): number {
    const tableBytes = 1_500 + this.#rules.length * BYTES_OF_RULE + this.#municipalities.size * 100;
    return [...(this.#exceptions ?? []), ...postal].reduce((sum, table) => sum + (table?.bytes ?? 0), tableBytes);
  }

  #addException(area: number, except: Area, lists: Lists): void {
    const areas = new Areas([except], lists);
    this.#exceptions ??= [];
    this.#exceptions[area] = areas.table();
    for (const { rule, ...problem } of areas.problems) {
      this.problems.push({ ...problem, rule: { ...rule, area, path: ['except', ...rule.path] } });
    }
  }

  /** @param from the list that the places come from: its place in the area, and words that name it */
  #add(area: number, rules: Area, from: Path = [], ofList = ''): void {
    const ruleOf = (kind: AreaRuleKind, text: string, path: Path) =>
      this.#rule(area, kind, text + ofList, from.length > 0 ? from : path);
    for (const [i, text] of (rules.postalCodes ?? []).entries()) {
      this.#addPostalCode(text, kind => ruleOf(kind, text, ['postalCodes', i]));
    }
    for (const [i, text] of (rules.municipalities ?? []).entries()) {
      const rule = ruleOf('municipality', text, ['municipalities', i]);
      const { keys, issue } = readComune(text);
      if (issue?.code === 'invalid_text' || !isPlainPlace(text)) {
        this.#reject(rule, 'invalid_text', `must be the name of a comune, of at most ${MAX_PLACE_LENGTH} characters`);
      } else if (issue) this.#reject(rule, issue.code, issue.message);
      else this.#claimComune(keys, rule);
    }
    for (const [i, text] of (rules.towns ?? []).entries()) {
      const rule = ruleOf('town', text, ['towns', i]);
      const key = isPlainPlace(text) ? readTown(text) : NO_TOWN;
      if (typeof key === 'string') this.#claim(this.#municipalities, key, rule);
      else this.#reject(rule, key.code, key.message);
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
    const range = rangeInOrder(countryCode, pattern);
    const isBeginning = pattern.endsWith('*');
    const rule = ruleOf(range || isBeginning ? 'postal_code_range' : 'postal_code');
    if (!isCountryCode(countryCode)) this.#reject(rule, 'unknown_country', UNKNOWN_COUNTRY);
    else if (range && range.from > range.to)
      this.#reject(rule, 'empty_range', `begins at ${range.from}, after its end ${range.to}`);
    else if (!range && !isWholeOrBeginning(countryCode, pattern)) {
      const allowed = `must be a postal code of ${countryCode}, a range of two such as 57030-57039 or GB AB31-AB38, or a beginning such as 90*`;
      this.#reject(rule, 'invalid_postal_code', allowed);
    } else {
      const code = plainPostalCode(countryCode, pattern);
      const owner = countryCode === 'IT' ? ownerOf(range?.from ?? code, range?.to ?? code) : countryCode;
      const table = this.#postal.get(owner) ?? new PostalCodes(owner);
      this.#postal.set(owner, table);
      if (isBeginning) {
        // A second range has a rule of its own, since it can lie within other ranges than the first.
        for (const [i, { from, to }] of beginningInOrder(owner, pattern.slice(0, -1)).entries()) {
          const rangeRule = i === 0 ? rule : ruleOf('postal_code_range');
          this.#conflictIf(rangeRule, table.addRange(from, to, rangeRule));
        }
      } else if (range) {
        if (/^\d+$/.test(range.from) && !isWholeEnd(countryCode, range.from))
          this.#rejectShort(rule, countryCode, range);
        this.#conflictIf(rule, table.addRange(range.from, range.to, rule));
      } else this.#conflictIf(rule, table.add(code, rule));
    }
  }

  /** A range such as 100-199, which can mean 10000-19999, and 00100-00199 without the zeros that a spreadsheet drops. */
  #rejectShort(rule: number, countryCode: string, { from, to }: { readonly from: string; readonly to: string }): void {
    const such = wholeRanges(countryCode, from, to);
    const message = `must have whole postal codes of ${countryCode} at both ends${such.length > 0 ? `: ${such.join(' or ')}` : ''}`;
    this.problems.push({
      rule: this.#rules[rule] as AreaRule,
      code: 'invalid_postal_code',
      message,
      isOfOldTariffs: true,
    });
  }

  #conflictIf(rule: number, known: number | undefined): void {
    if (known !== undefined) this.#conflict(rule, known);
  }

  #rule(area: number, kind: AreaRuleKind, text: string, path: Path): number {
    return this.#rules.push({ area, kind, text, path }) - 1;
  }

  #claim(map: Map<string, number>, key: string, rule: number): void {
    const known = map.get(key);
    if (known === undefined) map.set(key, rule);
    else this.#conflict(rule, known);
  }

  #claimComune(keys: readonly string[], rule: number): void {
    const area = this.#rules[rule]?.area;
    const others = keys.flatMap(sameKeys).map(key => this.#municipalities.get(key));
    const other = others.find(known => known !== undefined && this.#rules[known]?.area !== area);
    if (other !== undefined) this.#conflict(rule, other);
    for (const key of keys) if (!this.#municipalities.has(key)) this.#municipalities.set(key, rule);
  }

  /** Reports a place that two areas claim. A repetition within one area is harmless. */
  #conflict(rule: number, known: number): void {
    if (this.#rules[rule]?.area !== this.#rules[known]?.area)
      this.#reject(rule, 'conflict', 'is claimed already by', known);
  }

  #reject(rule: number, code: IssueCode, message: string, other = -1): void {
    this.problems.push({ rule: this.#rules[rule] as AreaRule, code, message, other: this.#rules[other] });
  }
}
