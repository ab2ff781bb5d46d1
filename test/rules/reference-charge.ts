import { readdirSync } from 'node:fs';
import type { Dice } from './dice.ts';
import type { Q } from './fractions.ts';
import type { Ask } from './quote-support.ts';
import type { LineInput } from './tariff-cases.ts';

/** A way to charge as the guide says it, independent of the engine: each file in `charges/` has one. */
export interface ReferenceCharge {
  /** Prices by hand, of a surcharge on 10.00. */
  readonly cases: readonly HandCase[];
  /** The exact amount. */
  readonly amount: (part: Sum, shipment: ChargedShipment) => Q;
  /** Some of it at random, or nothing. */
  readonly random: (dice: Dice, kind: RandomKind) => object;
}

export type Sum = NonNullable<LineInput['price']['greaterOf']>[number];

interface HandCase {
  readonly name: string;
  readonly price: LineInput['price'];
  readonly when?: NonNullable<LineInput['when']>;
  readonly ask?: Ask;
  /** The price of the surcharge. */
  readonly is: string;
  readonly why: string;
}

/** The values that a price can depend on. */
interface ChargedShipment {
  readonly chargeable: Q;
  readonly date: string;
  readonly measures: Readonly<Record<string, Q>>;
  /** All parcels, and those that the condition of the line is about. */
  readonly parcels: { readonly all: number; readonly matching: number };
  readonly amountsIn: (of: readonly string[]) => Q;
  /** The amount that a percentage leaves out. */
  readonly above: Q;
}

/** The values that a random price may depend on. */
export interface RandomKind {
  /** −1 for a discount. */
  readonly sign: number;
  readonly names: readonly string[];
  readonly measures: readonly (readonly [measure: string, limit: number, decimals: number])[];
}

// The files import types of this module alone: a value would have both wait for each other.
const FOLDER = new URL('./charges/', import.meta.url);

/** Every way to charge, by the name of its file. */
export const REFERENCE_CHARGES: readonly (readonly [file: string, charge: ReferenceCharge])[] = await Promise.all(
  readdirSync(FOLDER)
    .toSorted()
    .map(async file => {
      const { charge }: { charge: ReferenceCharge } = await import(new URL(file, FOLDER).href);
      return [file, charge] as const;
    }),
);
