import type { CompiledVersion } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import {
  COD_PAYMENTS,
  forAmounts,
  type ParcelKind,
  type Shipment,
} from '../../../pricing/tariffs/shipment-terms.rules.ts';
import type { Shipped } from '../../shipped.rules.ts';
import { NO_TERMS, type StatedTerms } from '../stated-terms.rules.ts';
import { distinguishedBy } from './terms-in-tariff.rules.ts';

/**
 * Terms that decide a price and may be missing. An invoice can state each of them, and a saved quote too. The order states
 * what the recipient is and what the goods are worth.
 */

export type TermName = keyof typeof TERMS;

/** A term with everything that the check needs. */
interface Term {
  readonly isStated: (terms: StatedTerms) => boolean;
  /** Whether the shipment has it: from its saved quote, if it has one, or from its order. */
  readonly isKnown: (shipment: Shipment, isQuoted: boolean) => boolean;
  readonly apply: (shipment: Shipment, terms: StatedTerms) => Shipment;
  /** The shipment with every other value that a version tells apart. */
  readonly others: (shipment: Shipment, version: CompiledVersion) => readonly Shipment[];
}

export const TERMS = {
  codPayment: {
    isStated: ({ codPayment }) => codPayment !== null,
    isKnown: (_shipment, isQuoted) => isQuoted,
    apply: (shipment, { codPayment }) => ({ ...shipment, codPayment: codPayment ?? shipment.codPayment }),
    others: shipment =>
      shipment.codCents === 0
        ? []
        : COD_PAYMENTS.filter(one => one !== shipment.codPayment).map(codPayment => ({ ...shipment, codPayment })),
  },
  monthlyShipments: {
    isStated: ({ monthlyShipments }) => monthlyShipments !== null,
    isKnown: ({ monthlyShipments }, isQuoted) => isQuoted && monthlyShipments > 0,
    apply: (shipment, { monthlyShipments }) => ({ ...shipment, monthlyShipments: monthlyShipments ?? 0 }),
    others: (shipment, version) =>
      distinguishedBy(version).shipmentNumbers.map(monthlyShipments => ({ ...shipment, monthlyShipments })),
  },
  pallets: {
    isStated: ({ pallets, palletType }) => pallets === 0 || palletType !== null,
    isKnown: ({ parcels }, isQuoted) => isQuoted || parcels.some(({ pallet }) => pallet),
    apply: (shipment, { pallets, palletType, stackablePallets }) => {
      const number = palletType === null ? 0 : (pallets ?? shipment.parcelCount);
      return withPallets(shipment, number, palletType ?? '', stackablePallets ?? 0);
    },
    others: (shipment, version) =>
      distinguishedBy(version).palletTypes.flatMap(type =>
        [0, shipment.parcelCount].map(stackable => withPallets(shipment, shipment.parcelCount, type, stackable)),
      ),
  },
  recipientType: {
    isStated: ({ recipientType }) => recipientType !== null,
    isKnown: ({ recipientType }) => recipientType !== undefined,
    apply: (shipment, { recipientType }) => ({ ...shipment, recipientType: recipientType ?? undefined }),
    others: (shipment, version) =>
      distinguishedBy(version).recipientTypes.map(recipientType => ({ ...shipment, recipientType })),
  },
  ...forAmounts(
    ({ field }, name): Term => ({
      isStated: terms => terms[field] !== null,
      isKnown: shipment => shipment[field] !== undefined,
      apply: (shipment, terms) => ({ ...shipment, [field]: terms[field] ?? undefined }),
      others: (shipment, version) =>
        distinguishedBy(version).amounts[name].map(cents => ({ ...shipment, [field]: cents })),
    }),
  ),
} as const satisfies Readonly<Record<string, Term>>;

const NAMES = Object.keys(TERMS) as readonly TermName[];

/** A shipment with all terms that are known, and the names of the others. */
export interface TermedShipment {
  readonly shipment: Shipment;
  readonly unknown: readonly TermName[];
}

/**
 * A term of the line counts first, then the term of the saved quote or the order, then the term of the whole invoice.
 */
export function withTerms({ shipment, measuredBy }: Shipped, line: StatedTerms, invoice: StatedTerms): TermedShipment {
  const merged = Object.fromEntries(
    Object.keys(NO_TERMS).map(field => [
      field,
      line[field as keyof StatedTerms] ?? invoice[field as keyof StatedTerms],
    ]),
  ) as unknown as StatedTerms;
  const unknown: TermName[] = [];
  let termed = shipment;
  for (const name of NAMES) {
    const term: Term = TERMS[name];
    const isOfLine = term.isStated(line);
    if (!isOfLine && term.isKnown(shipment, measuredBy === 'quote')) continue;
    if (term.isStated(merged)) termed = term.apply(termed, merged);
    else unknown.push(name);
  }
  return { shipment: termed, unknown };
}

/** The heaviest parcels as pallets, those that can be stacked first. */
function withPallets(shipment: Shipment, number: number, type: string, stackable: number): Shipment {
  const parcels: ParcelKind[] = [];
  let [left, leftStackable] = [number, stackable];
  const weightOf = ({ grams, share }: ParcelKind) => grams / share;
  for (const kind of shipment.parcels.toSorted((one, other) => weightOf(other) - weightOf(one))) {
    const pallets = Math.min(left, kind.quantity);
    const stacked = Math.min(leftStackable, pallets);
    const parts = [
      { quantity: stacked, pallet: { type, isStackable: true } },
      { quantity: pallets - stacked, pallet: { type, isStackable: false } },
      { quantity: kind.quantity - pallets, pallet: undefined },
    ];
    parcels.push(...parts.filter(({ quantity }) => quantity > 0).map(part => ({ ...kind, ...part })));
    left -= pallets;
    leftStackable -= stacked;
  }
  return { ...shipment, parcels };
}
