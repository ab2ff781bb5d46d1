import { NOT_CHARGED, type Price } from '../../quotes/quote-terms.rules.ts';
import type { CompiledVersion } from '../../tariffs/compiled-tariff.rules.ts';
import type { Component } from '../../tariffs/tariff-lines.rules.ts';
import type { BilledCharge, BilledLine } from './billed-line.rules.ts';
import { type ChargeKind, type EventKind, isEventKind } from './invoice-mapping.format.rules.ts';

/** What a line bills, by what of the tariff it covers. */

/** Some lines of the price, and what was billed for them together. */
export interface Part {
  /** Of the charge that it was billed by; `surcharges` where that names lines alone. */
  readonly kinds: readonly Component[];
  /** Of the lines in the version; none where the tariff does not have them. */
  readonly positions: readonly number[];
  readonly cents: number;
  /** What the invoice calls it. */
  readonly names: readonly string[];
}

/**
 * Components and lines of a price as a line bills them. A line that bills the base price is for the whole shipment: what it
 * does not bill, although the invoice could, is billed with 0.00. Any other line is for what it bills alone.
 */
export function partsOf(line: BilledLine, covers: readonly ChargeKind[], version: CompiledVersion): Part[] {
  const charges = line.charges.filter(({ kinds }) => !isEventKind(kinds[0]));
  const named = new Set(charges.flatMap(({ lines }) => lines));
  const isWhole = billsBase(line);
  const parts = new Map<string, Part>();
  const add = (kinds: readonly ChargeKind[], codes: readonly string[], cents: number, name: string) => {
    const positions = [...version.lines.entries()].flatMap(([position, { component, code }]) =>
      codes.includes(code) || (kinds.includes(component) && !named.has(code)) ? [position] : [],
    );
    const key = `${[...kinds].sort()} ${[...codes].sort()}`;
    const { cents: before = 0, names = [] } = parts.get(key) ?? {};
    const of =
      kinds.length > 0
        ? (kinds as readonly Component[])
        : [version.lines[positions[0] ?? -1]?.component ?? 'surcharges'];
    parts.set(key, { kinds: of, positions, cents: before + cents, names: name === '' ? names : [...names, name] });
  };
  for (const { kinds, lines, name, cents } of charges) if (isWhole || cents !== 0) add(kinds, lines, cents, name);
  const covered = new Set(charges.flatMap(({ kinds }) => kinds));
  if (isWhole) for (const kind of covers) if (!isEventKind(kind) && !covered.has(kind)) add([kind], [], 0, '');
  // Percentages come after what they are of.
  const turn = new Map([0, ...version.order].map((position, at) => [position, at]));
  const lastTurn = ({ positions }: Part) => Math.max(-1, ...positions.map(position => turn.get(position) ?? 0));
  return [...parts.values()].sort((a, b) => lastTurn(a) - lastTurn(b));
}

export function billsBase({ charges }: Pick<BilledLine, 'charges'>): boolean {
  return charges.some(({ kinds, cents }) => cents !== 0 && kinds.includes('base'));
}

/** What lines of a price come to. */
export function dueFor({ positions }: Pick<Part, 'positions'>, { amounts }: Pick<Price, 'amounts'>): number {
  return positions.reduce((sum, position) => {
    const amount = amounts[position] as number;
    return amount === NOT_CHARGED ? sum : sum + amount;
  }, 0);
}

/** The charges of a line that are for what happened after the shipment. */
export function eventCharges({ charges }: BilledLine): (BilledCharge & { readonly event: EventKind })[] {
  return charges.flatMap(charge => {
    const [event] = charge.kinds;
    return isEventKind(event) && charge.cents !== 0 ? [{ ...charge, event }] : [];
  });
}
