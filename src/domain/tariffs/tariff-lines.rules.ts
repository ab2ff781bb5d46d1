import type { CompiledLine } from './compile.rules.ts';
import type { Charge, Condition, Line, TariffVersion } from './tariff.format.rules.ts';
import { cents, ppmOf } from './units.rules.ts';

// The lines of a version of a tariff, in one list: base, surcharges, fuel, options, COD and insurance.

export type Component = 'base' | 'surcharges' | 'fuel' | 'options' | 'cod' | 'insurance';

/** A line before its names are positions. */
export interface NamedLine extends Omit<CompiledLine, 'charge' | 'condition'> {
  readonly charge: Charge;
  readonly when: Condition | undefined;
}

const LINE = { when: undefined, rates: [], allowance: 0, calculated: true } as const;

/** Every line of a version, in the order in which they are shown. */
export function linesOf(version: TariffVersion): NamedLine[] {
  const named = (component: Component, list: string) => (line: Line, i: number) => ({
    ...LINE,
    component,
    code: line.code,
    description: line.description,
    path: [list, i],
    charge: line.price,
    when: line.when,
    calculated: [line.price, ...(line.price.greaterOf ?? [])].some(({ perKg = 0, percent = 0 }) => perKg + percent > 0),
  });
  const { fuel, cod, insurance } = version;
  const lines: NamedLine[] = [
    { ...LINE, component: 'base', code: 'base', description: 'Tariffa base', path: ['zones'], charge: {} },
    ...version.surcharges.map(named('surcharges', 'surcharges')),
  ];
  if (fuel) {
    const rates = fuel.rates.map(({ from, percent }) => ({ from, ppm: ppmOf(percent) }));
    const charge = { of: fuel.of };
    lines.push({
      ...LINE,
      component: 'fuel',
      code: 'fuel',
      description: fuel.description,
      path: ['fuel'],
      charge,
      rates,
    });
  }
  const byCode = (a: NamedLine, b: NamedLine) => (a.code < b.code ? -1 : 1);
  lines.push(...version.options.map(named('options', 'options')).toSorted(byCode));
  if (cod) {
    const { description = 'Contrassegno', fixed, percent, minimum } = cod;
    lines.push({
      ...LINE,
      component: 'cod',
      code: 'cod',
      description,
      path: ['cod'],
      charge: { fixed, percent, minimum },
    });
  }
  if (insurance) {
    const { description = 'Assicurazione', percent, minimum, allowance } = insurance;
    const charge = { percent, minimum };
    lines.push({
      ...LINE,
      component: 'insurance',
      code: 'insurance',
      description,
      path: ['insurance'],
      charge,
      allowance: cents(allowance),
    });
  }
  return lines;
}

/** Lines by name, once each; `surcharges` and `options` stand for all of theirs. */
export function namedIn(of: readonly string[], lines: readonly NamedLine[]): string[] {
  const names = [...new Set(of)].flatMap(name =>
    name === 'surcharges' || name === 'options'
      ? lines.filter(line => line.component === name).map(({ code }) => code)
      : name,
  );
  return [...new Set(names)];
}
