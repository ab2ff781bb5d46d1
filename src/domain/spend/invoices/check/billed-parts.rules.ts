import type { CompiledVersion } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import type { Component } from '../../../pricing/tariffs/compile/tariff-lines.rules.ts';
import type { Price } from '../../../pricing/tariffs/price.rules.ts';
import { NOT_CHARGED } from '../../../pricing/tariffs/units.rules.ts';
import type { BilledCharge, BilledLine } from '../billed-line.rules.ts';
import {
  type ChargeKind,
  type EventKind,
  isComponentKind,
  isEventKind,
} from '../reading/invoice-mapping.format.rules.ts';

/** Divides the charges of a line by the parts of the tariff that they cover. */

/** Some lines of the price, and the amount that was billed for them together. */
export interface Part {
  /** The kinds of its charge; `surcharges` if that names only lines. */
  readonly kinds: readonly Component[];
  /** Positions of the lines in the version; none if the tariff does not have them. */
  readonly positions: readonly number[];
  readonly cents: number;
  readonly names: readonly string[];
}

/**
 * Components and lines of a price as a line bills them. A line with the base price stands for the whole shipment:
 * components that the invoice could bill but does not are billed with 0.00. Any other line stands only for its own
 * charges.
 */
export function partsOf(line: BilledLine, covers: readonly ChargeKind[], version: CompiledVersion): Part[] {
  const charges = line.charges.filter(({ kinds: [kind] }) => kind === undefined || isComponentKind(kind));
  const named = new Set(charges.flatMap(({ lines }) => lines));
  const isWhole = billsBase(line);
  const parts = new Map<string, Part>();
  const add = (kinds: readonly ChargeKind[], codes: readonly string[], cents: number, name: string) => {
    const positions = [...version.lines.entries()].flatMap(([position, { component, code }]) =>
      codes.includes(code) || (kinds.includes(component) && !named.has(code)) ? [position] : [],
    );
    const key = `${[...kinds].sort()} ${[...codes].sort()}`;
    const { cents: before = 0, names = [] } = parts.get(key) ?? {};
    const partKinds =
      kinds.length > 0
        ? (kinds as readonly Component[])
        : [version.lines[positions[0] ?? -1]?.component ?? 'surcharges'];
    parts.set(key, {
      kinds: partKinds,
      positions,
      cents: before + cents,
      names: name === '' ? names : [...names, name],
    });
  };
  for (const { kinds, lines, name, cents } of charges) if (isWhole || cents !== 0) add(kinds, lines, cents, name);
  const covered = new Set(charges.flatMap(({ kinds }) => kinds));
  if (isWhole) for (const kind of covers) if (isComponentKind(kind) && !covered.has(kind)) add([kind], [], 0, '');
  // Percentages follow their base.
  const rank = new Map([0, ...version.order].map((position, at) => [position, at]));
  const lastRank = ({ positions }: Part) => Math.max(-1, ...positions.map(position => rank.get(position) ?? 0));
  return [...parts.values()].sort((a, b) => lastRank(a) - lastRank(b));
}

export function billsBase({ charges }: Pick<BilledLine, 'charges'>): boolean {
  return charges.some(({ kinds, cents }) => cents !== 0 && kinds.includes('base'));
}

/** The due amount of a part's lines. */
export function dueFor({ positions }: Pick<Part, 'positions'>, { amounts }: Pick<Price, 'amounts'>): number {
  return positions.reduce((sum, position) => {
    const amount = amounts[position] as number;
    return amount === NOT_CHARGED ? sum : sum + amount;
  }, 0);
}

/** The charges of a line for events after the shipment. */
export function eventCharges({ charges }: BilledLine): (BilledCharge & { readonly event: EventKind })[] {
  return charges.flatMap(charge => {
    const [event] = charge.kinds;
    return isEventKind(event) && charge.cents !== 0 ? [{ ...charge, event }] : [];
  });
}
