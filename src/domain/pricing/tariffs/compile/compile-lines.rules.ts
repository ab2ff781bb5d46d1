import { allSums, compileCharge } from '../charges/charge.rules.ts';
import type { PriceNames } from '../charges/charge-kind.rules.ts';
import { compileCondition } from '../conditions/condition-compile.rules.ts';
import type { Names } from '../conditions/condition-kind.rules.ts';
import type { Line, TariffVersion } from '../format/tariff.format.rules.ts';
import { cents, ppmOf } from '../units.rules.ts';
import type { CompiledEvent, CompiledLine, CompiledService } from './compiled-tariff.rules.ts';
import { ALTERNATIVES, isCalculated, linesOf, namedIn } from './tariff-lines.rules.ts';

/** Compiles the lines of a version for pricing. */

interface CompiledLines {
  readonly lines: CompiledLine[];
  readonly order: number[];
  readonly events: CompiledEvent[];
}

export function compileLines(version: TariffVersion, names: Names): CompiledLines {
  const named = linesOf(version);
  const positions = new Map(named.map(({ code }, position) => [code, position]));
  const inPrices: Omit<PriceNames, 'parcel'> = {
    ...names,
    positionsOf: of => namedIn(of, named).map(code => positions.get(code) ?? -1),
  };
  const lines: CompiledLine[] = [];
  for (const { component, path, ...line } of named) {
    const before = lines.flatMap((other, position) => (other.component === component ? [position] : []));
    lines.push({
      ...compileLine(line, inPrices, component === 'surcharges'),
      component,
      path,
      rivals: ALTERNATIVES.has(component) && before.length > 0 ? before : undefined,
    });
  }
  const events: CompiledEvent[] = [];
  for (const [i, { on, ...line }] of version.afterShipment.entries()) {
    events.push({ ...compileLine(line, inPrices, false), on, path: ['afterShipment', i] });
  }
  return { lines, order: orderOf(lines), events };
}

function compileLine(
  { code, description, when, price, vat }: Line,
  names: Omit<PriceNames, 'parcel'>,
  canBeNegative: boolean,
) {
  const charge = compileCharge(price, { ...names, parcel: when?.parcel });
  return {
    code,
    description,
    condition: when && compileCondition(when, names),
    charge: canBeNegative ? charge : { ...charge, minimum: Math.max(charge.minimum, 0) },
    calculated: isCalculated(price),
    vat: vat && { ppm: ppmOf(vat.percent), note: vat.note ?? null },
  };
}

const VALUE_OF = { cod: 'codAmount', insurance: 'insuredValue' } as const;

/** Where cash on delivery or insurance is offered. */
export function compileService(
  version: TariffVersion,
  lines: readonly CompiledLine[],
  component: keyof typeof VALUE_OF,
): CompiledService {
  const value = VALUE_OF[component];
  const offered = version[component];
  const maxima = offered.map(({ when }) => when?.[value]?.upTo ?? Number.POSITIVE_INFINITY);
  const maximum = Math.max(-1, ...maxima);
  const positions = lines.flatMap((line, position) => (line.component === component ? [position] : []));
  return {
    maximum: Number.isFinite(maximum) && maximum >= 0 ? cents(maximum) : maximum,
    maximumPath: offered.length === 1 ? [component, 0, 'when', value] : [component],
    positions: positions.some(position => lines[position]?.condition === undefined) ? [] : positions,
  };
}

/** Positions in an order in which each line comes after those it is a percentage of. */
function orderOf(lines: readonly CompiledLine[]): number[] {
  const order: number[] = [];
  const seen = new Set([0]);
  const visit = (position: number) => {
    if (seen.has(position)) return;
    seen.add(position);
    const charge = lines[position]?.charge;
    if (charge)
      for (const { percentageCharge } of allSums(charge)) for (const other of percentageCharge?.of ?? []) visit(other);
    order.push(position);
  };
  for (const position of lines.keys()) visit(position);
  return order;
}
