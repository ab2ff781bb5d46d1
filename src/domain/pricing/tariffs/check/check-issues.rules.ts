import { type Issue, MAX_ISSUES } from '../../../../platform/fault.ts';
import type { IssueCode } from '../../../../platform/issue-codes.ts';
import { areaProblems } from '../areas/area-table.rules.ts';
import type { Area } from '../areas/place.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { References } from '../references/references.rules.ts';

/** Collects the issues of a tariff, with paths in the document that the caller sent. */
export class TariffIssues {
  readonly found: Issue[] = [];
  /** Undefined if the carrier is not known, as on the command line without a database. */
  readonly references: References | undefined;
  readonly #isStored: boolean;

  /** @param isStored whether the tariff was accepted before, so that rules of later releases do not reject it */
  constructor(references: References | undefined, isStored = false) {
    this.references = references;
    this.#isStored = isStored;
  }

  add(path: Path, code: IssueCode, message: string): void {
    // Zones for all services are checked together with the zones for each service.
    const isKnown = this.found.some(one => one.message === message && one.path.join('/') === path.join('/'));
    if (!isKnown && this.found.length < MAX_ISSUES) this.found.push({ path, code, message });
  }

  /**
   * Checks areas that stand beside each other.
   *
   * @param names of the areas, for the one that claims a place already
   */
  areas(areas: readonly Area[], pathOf: (area: number) => Path, names: readonly string[]): void {
    for (const [i, area] of areas.entries()) {
      const { except, ...places } = area;
      for (const [field, one] of [['', places] as const, ...(except ? [['except', except] as const] : [])]) {
        const path = field === '' ? pathOf(i) : [...pathOf(i), field];
        if (Object.values(one).every(rules => Array.isArray(rules) && rules.length === 0)) {
          this.add(path, 'required', 'must name at least one place');
        }
        this.#lists(path, one.lists ?? []);
      }
    }
    this.claims(areas, pathOf, names);
  }

  /** Reports places that two areas claim, and places that can't be read. */
  claims(areas: readonly Area[], pathOf: (area: number) => Path, names: readonly string[]): void {
    for (const { rule, other, code, message, isOfOldTariffs } of areaProblems(areas, this.references?.lists)) {
      if (this.#isStored && isOfOldTariffs) continue;
      const by = other === undefined ? '' : ` ${other.text} of ${names[other.area]}`;
      this.add([...pathOf(rule.area), ...rule.path], code, `(${rule.text}) ${message}${by}`);
    }
  }

  #lists(path: Path, names: readonly string[]): void {
    if (!this.references) return;
    for (const [i, name] of names.entries()) {
      if (this.references.lists.has(name)) continue;
      const message = `names the list "${name}", which the carrier does not have: ${knownNames(this.references.lists.keys())}`;
      this.add([...path, 'lists', i], 'unknown_list', message);
    }
  }
}

/** The known names, for messages. */
export function knownNames(names: Iterable<string>): string {
  const all = [...names];
  if (all.length === 0) return 'there are none';
  return all.length > 10 ? `there are ${all.slice(0, 10).join(', ')}, …` : `there are ${all.join(', ')}`;
}
