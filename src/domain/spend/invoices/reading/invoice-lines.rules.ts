import { type BilledLine, numberOf, sumOf } from '../billed-line.rules.ts';
import type { ReadRow } from './invoice-cells.rules.ts';
import { isDutyKind } from './invoice-mapping.format.rules.ts';

/**
 * Groups rows to lines. Each row is a line, or all rows with one number are, each with another charge. The rows of all
 * packages of a shipment are one line too, if they share a number.
 */
export class InvoiceLines {
  readonly #all: BilledLine[] = [];
  readonly #areCharges: boolean;
  readonly #open = new Map<string, OpenLine>();

  constructor(areCharges: boolean) {
    this.#areCharges = areCharges;
  }

  add({ line: read, shipmentNumber }: ReadRow): void {
    const line = this.#areCharges ? withVatOfCharge(read) : read;
    const number = shipmentNumber ?? numberOf(line);
    if (number === null || (!this.#areCharges && shipmentNumber === null)) {
      this.#all.push(line);
      return;
    }
    const key = line.isCorrection ? `correction of ${number}` : number;
    const names = line.charges.map(({ name }) => `${numberOf(line)} ${name}`);
    const open = this.#open.get(key);
    const before = open && this.#all[open.at];
    // A charge that the package already has starts a new line, because it may be billed twice. A correction may take a
    // charge back and bill another one.
    const isTwice = !line.isCorrection && names.some(name => open?.names.has(name));
    if (open === undefined || before === undefined || isTwice) {
      const weighed = new Set(weighs(line) ? [numberOf(line)] : []);
      this.#open.set(key, { at: this.#all.length, names: new Set(names), weighed });
      this.#all.push(shipmentNumber === null ? line : ofShipment(line, shipmentNumber));
      return;
    }
    for (const name of names) open.names.add(name);
    const isOtherWeight = weighs(line) && !open.weighed.has(numberOf(line));
    if (isOtherWeight) open.weighed.add(numberOf(line));
    const row = shipmentNumber === null ? line : ofShipment(line, shipmentNumber);
    this.#all[open.at] = isOtherWeight ? joinedPackages(before, row) : joined(before, row);
  }

  get all(): readonly BilledLine[] {
    return this.#all.map(withDuties);
  }
}

/** A line whose rows may still come, and the charges of its packages. */
interface OpenLine {
  readonly at: number;
  readonly names: Set<string>;
  /** The packages whose weight it has. */
  readonly weighed: Set<string | null>;
}

function weighs({ chargeableGrams, realGrams, volumetricGrams }: BilledLine): boolean {
  return chargeableGrams !== null || realGrams !== null || volumetricGrams !== null;
}

/** Duties that a carrier advanced decide the price of other charges. */
function withDuties(line: BilledLine): BilledLine {
  const cents = sumOf(line.charges.filter(({ kinds }) => isDutyKind(kinds[0])));
  return cents <= 0 || line.dutiesCents !== null ? line : { ...line, dutiesCents: cents };
}

/** A row of a package as a line of its shipment. */
function ofShipment(line: BilledLine, shipmentNumber: string): BilledLine {
  const number = numberOf(line);
  const packages = number === null || number === shipmentNumber ? null : [number];
  return { ...line, trackingNumber: shipmentNumber, packages };
}

/** The percentage of VAT in a row belongs to its charge. */
function withVatOfCharge(row: BilledLine): BilledLine {
  const { vatPpm, charges } = row;
  return vatPpm === null ? row : { ...row, charges: charges.map(charge => ({ ...charge, vatPpm })) };
}

/** The lines of two packages as one: their weights are added up. */
export function joinedPackages(one: BilledLine, other: BilledLine): BilledLine {
  const grams = (name: 'chargeableGrams' | 'realGrams' | 'volumetricGrams') => added(one[name], other[name]);
  const weights = {
    chargeableGrams: grams('chargeableGrams'),
    realGrams: grams('realGrams'),
    volumetricGrams: grams('volumetricGrams'),
  };
  return { ...joined(one, other), ...weights };
}

function added(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

/** Facts are taken from any of the rows; stated amounts are added up. */
function joined(one: BilledLine, other: BilledLine): BilledLine {
  const facts = Object.fromEntries(
    Object.entries(other).map(([name, value]) => [name, one[name as keyof BilledLine] ?? value]),
  ) as unknown as BilledLine;
  const packages = [...new Set([...(one.packages ?? []), ...(other.packages ?? [])])];
  return {
    ...facts,
    vatPpm: one.vatPpm === other.vatPpm ? one.vatPpm : null,
    netCents: added(one.netCents, other.netCents),
    vatCents: added(one.vatCents, other.vatCents),
    packages: packages.length === 0 ? null : packages,
    charges: [...one.charges, ...other.charges],
  };
}
