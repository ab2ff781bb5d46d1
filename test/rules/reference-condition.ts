import { readdirSync } from 'node:fs';
import type { Dice } from './dice.ts';
import type { Q } from './fractions.ts';
import type { Ask } from './quote-support.ts';
import type { Parcel } from './reference-parcels.ts';
import type { LineInput, VersionInput, ZoneInput } from './tariff-cases.ts';

/** A condition as the guide says it, independent of the engine: each file in `conditions/` has one. */
export interface ReferenceCondition {
  /** By hand: for which shipments a surcharge of 1.00 is charged. */
  readonly cases: readonly HandCase[];
  /** Whether the weight can depend on it. */
  readonly isEarly: boolean;
  readonly holds: (when: When, shipment: LookedAt) => boolean;
  /** It at random, or nothing. */
  readonly random: (dice: Dice, kind: RandomKind) => object;
  /** The values of random shipments, if no other condition needs them. */
  readonly ask?: (dice: Dice) => Partial<Ask>;
}

export type When = NonNullable<LineInput['when']>;
export type To = ZoneInput['to'];

interface HandCase {
  readonly name: string;
  readonly when: When;
  readonly version?: Partial<VersionInput>;
  readonly ask?: Ask;
  readonly holds: boolean;
}

/** The data that a condition can read. */
interface LookedAt {
  readonly zone: string;
  readonly origin: string | undefined;
  /** Undefined in a version without services. */
  readonly service: string | undefined;
  readonly date: string;
  readonly parcels: readonly Parcel[];
  readonly measures: Readonly<Record<string, Q>>;
  readonly asked: readonly string[];
  /** Undefined where nothing is collected. */
  readonly payment: string | undefined;
  readonly isAt: (to: To) => boolean;
  /** Whether it crosses the border of a customs territory. */
  readonly isDeclared: boolean;
  /** The caller's terms of the shipment. */
  readonly ask: Ask;
}

/** The values that a random condition may test. */
export interface RandomKind {
  readonly measures: readonly (readonly [measure: string, limit: number, decimals: number])[];
  readonly someplaces: () => To;
  readonly services: readonly string[];
}

// The files import types of this module alone: a value would have both wait for each other.
const FOLDER = new URL('./conditions/', import.meta.url);

/** Every condition, by the name of its file. */
export const REFERENCE_CONDITIONS: readonly (readonly [file: string, condition: ReferenceCondition])[] =
  await Promise.all(
    readdirSync(FOLDER)
      .toSorted()
      .map(async file => {
        const { condition }: { condition: ReferenceCondition } = await import(new URL(file, FOLDER).href);
        return [file, condition] as const;
      }),
  );
