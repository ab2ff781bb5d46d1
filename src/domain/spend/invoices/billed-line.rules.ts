import { roundToCents } from '../../pricing/tariffs/units.rules.ts';
import type { ChargeKind } from './reading/invoice-mapping.format.rules.ts';
import { NO_TERMS, type StatedTerms } from './stated-terms.rules.ts';

/** A line of an invoice as it was billed, in the engine's units: whole cents and grams, millionths. */

/** An amount and its subject. */
export interface BilledCharge {
  /** Components of a price, an event after the shipment, or the account. */
  readonly kinds: readonly ChargeKind[];
  /** Codes of lines of the tariff. */
  readonly lines: readonly string[];
  readonly name: string;
  readonly cents: number;
  /** The percentage of VAT that the invoice states for this charge alone. */
  readonly vatPpm?: number;
}

export interface BilledLine extends StatedTerms {
  /** Row of the file or the list, counted from 1 as in spreadsheets; of several rows the first. */
  readonly row: number;
  readonly trackingNumber: string | null;
  /** The other numbers of the packages of its shipment, if each package had a row. */
  readonly packages: readonly string[] | null;
  readonly parcelId: string | null;
  readonly reference: string | null;
  readonly orderNumber: string | null;
  /** Whether the line corrects earlier charges of its shipment. */
  readonly isCorrection: true | null;
  readonly date: string | null;
  readonly chargeableGrams: number | null;
  readonly realGrams: number | null;
  readonly volumetricGrams: number | null;
  /** Code or name of the zone. */
  readonly zone: string | null;
  /** Code or name of the service. */
  readonly service: string | null;
  readonly fuelPpm: number | null;
  readonly codCents: number | null;
  readonly insuredCents: number | null;
  readonly storageDays: number | null;
  readonly waitingMinutes: number | null;
  /** Pickups that charges for the account are about. */
  readonly pickups: number | null;
  /** The invoice's total before VAT. */
  readonly netCents: number | null;
  readonly vatPpm: number | null;
  readonly vatCents: number | null;
  readonly charges: readonly BilledCharge[];
}

export const NOTHING_BILLED: Omit<BilledLine, 'row'> = {
  ...NO_TERMS,
  trackingNumber: null,
  packages: null,
  parcelId: null,
  reference: null,
  orderNumber: null,
  isCorrection: null,
  date: null,
  chargeableGrams: null,
  realGrams: null,
  volumetricGrams: null,
  zone: null,
  service: null,
  fuelPpm: null,
  codCents: null,
  insuredCents: null,
  storageDays: null,
  waitingMinutes: null,
  pickups: null,
  netCents: null,
  vatPpm: null,
  vatCents: null,
  charges: [],
};

/** The sum of a line before VAT: its own total, or the sum of its charges. */
export function netOf({ netCents, charges }: BilledLine): number {
  return netCents ?? sumOf(charges);
}

export function sumOf(charges: readonly BilledCharge[]): number {
  return charges.reduce((sum, { cents }) => sum + cents, 0);
}

/**
 * The VAT of a line on the invoice; 0 if there is none. The percentage of the line is of charges without their own, and of
 * the rest of its total. Each rate is rounded once.
 */
export function vatOf(line: BilledLine): number {
  const { vatCents, vatPpm, charges } = line;
  if (vatCents !== null) return vatCents;
  const ofLine = vatPpm ?? 0;
  const nets = new Map([[ofLine, netOf(line) - sumOf(charges)]]);
  for (const { vatPpm: ppm = ofLine, cents } of charges) nets.set(ppm, (nets.get(ppm) ?? 0) + cents);
  return [...nets].reduce((sum, [ppm, net]) => sum + roundToCents(net * ppm), 0);
}

/** How a line states VAT; `percentage` is one for all of its charges, whose rates may differ. */
export function vatStatedBy({ vatCents, vatPpm, charges }: BilledLine): 'nothing' | 'amount' | 'percentage' {
  if (vatCents !== null || charges.some(charge => charge.vatPpm !== undefined)) return 'amount';
  return vatPpm === null ? 'nothing' : 'percentage';
}

/** The number that identifies a line for people. */
export function numberOf({ trackingNumber, parcelId, reference, orderNumber }: BilledLine): string | null {
  return trackingNumber ?? parcelId ?? reference ?? orderNumber;
}
