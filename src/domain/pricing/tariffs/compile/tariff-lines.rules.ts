import type { Bracket } from '../charges/brackets.rules.ts';
import type { Charge } from '../charges/charge.rules.ts';
import { isSumCalculated, type Sum } from '../charges/charge-kinds.rules.ts';
import { VALUE_NAMES } from '../charges/percentage-charge.rules.ts';
import type { Line, TariffVersion } from '../format/tariff.format.rules.ts';

// The lines of a version of a tariff, in one list: base, surcharges, fuel, options, COD and insurance.

export type Component = 'base' | 'surcharges' | 'fuel' | 'options' | 'cod' | 'insurance';

/** A line and its position in the version. */
export interface NamedLine extends Line {
  readonly component: Component;
  readonly path: readonly (string | number)[];
}

/** Components of which one line is charged: the first whose condition holds. */
export const ALTERNATIVES: ReadonlySet<Component> = new Set(['fuel', 'cod', 'insurance']);

/** Names that stand for all lines of a component. */
const GROUPS: ReadonlySet<string> = new Set(['base', 'surcharges', 'fuel', 'options', 'cod', 'insurance']);

/** Every line of a version, in the order in which they are shown. */
export function linesOf(version: TariffVersion): NamedLine[] {
  const named = (component: Exclude<Component, 'base'>): NamedLine[] =>
    version[component].map((line, i) => ({ ...line, component, path: [component, i] }));
  const byCode = (a: NamedLine, b: NamedLine) => (a.code < b.code ? -1 : 1);
  return [
    { component: 'base', code: 'base', description: 'Tariffa base', path: ['zones'], price: {} },
    ...named('surcharges'),
    ...named('fuel'),
    ...named('options').toSorted(byCode),
    ...named('cod'),
    ...named('insurance'),
  ];
}

/**
 * Returns the lines that names stand for, each once. The name of a component stands for all of its lines; names of
 * values, such as `codAmount`, are left out.
 */
export function namedIn(of: readonly string[], lines: readonly NamedLine[]): string[] {
  const names = [...new Set(of)].flatMap(name => {
    if (VALUE_NAMES.has(name)) return [];
    if (!GROUPS.has(name)) return name;
    const all = lines.filter(line => line.component === name).map(({ code }) => code);
    // A tariff without surcharges or options has none to name; one without the other components should not name them.
    return all.length > 0 || name === 'surcharges' || name === 'options' ? all : name;
  });
  return [...new Set(names)];
}

/** Every sum that a price is made of, with its place in the price. */
export function sumsOf(price: Charge): { readonly path: readonly (string | number)[]; readonly sum: Sum | Bracket }[] {
  return [
    { path: [], sum: price },
    ...(price.greaterOf ?? []).map((sum, i) => ({ path: ['greaterOf', i], sum })),
    ...(price.brackets?.prices ?? []).map((sum, i) => ({ path: ['brackets', 'prices', i], sum })),
  ];
}

/** Whether a price follows from weight, value or a percentage, rather than being a fixed amount or one a parcel. */
export function isCalculated(price: Charge): boolean {
  return price.brackets !== undefined || sumsOf(price).some(({ sum }) => isSumCalculated(sum));
}
