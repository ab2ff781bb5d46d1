import type { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Names } from '../conditions/condition-kind.rules.ts';
import type { ParcelCondition } from '../conditions/parcel-condition.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import type { RuleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';

/** Facts about the line of a price that its check needs. */
export interface LineRules {
  /** First day of the version. */
  readonly validFrom: string;
  readonly canBeNegative: boolean;
  /** Whether it is charged for something that happens after the shipment. */
  readonly isLate: boolean;
}

/** The meaning of the names in a price, and the condition of its line on parcels. */
export interface PriceNames extends Names {
  readonly positionsOf: (of: readonly string[]) => number[];
  readonly parcel: ParcelCondition | undefined;
}

/** A price that is explained: its amounts so far, and the tariff. */
export interface ExplainedAmounts {
  /** By position in `version.lines`; `NOT_CHARGED` for a line that does not apply. */
  readonly amounts: readonly number[];
  readonly version: { readonly lines: readonly { readonly code: string }[] };
  readonly words: Words;
}

/** A price that is described before anything is shipped. */
export type DescribedPrice = Omit<ExplainedAmounts, 'amounts'>;

type Given<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

/**
 * A way to charge with all its parts: form, check, price, words and comparison. A file in this folder that exports one
 * is in the format, the engine, the explanations, the comparison of tariffs and the guide: `npm run schema:write` adds
 * it to `charge-kinds.rules.ts`.
 */
interface ChargeKind<Shape extends z.ZodRawShape, Compiled> extends RuleFields<Shape> {
  /** The fields that are a price by themselves. */
  readonly parts: readonly (keyof Shape & string)[];
  /** Fields that need another one beside them. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** Its row in the guide: its fields, and what they amount to. */
  readonly guide: readonly [fields: string, amount: string];
  /** Whether its amount follows from weight, value or a percentage, rather than being fixed for the shipment or a parcel. */
  readonly isCalculated: (given: Given<Shape>) => boolean;
  /** Reports errors that the form cannot express. */
  readonly check: (issues: TariffIssues, path: Path, given: Given<Shape>, rules: LineRules) => void;
  /** Integers for the engine; undefined if the price has no field of this kind. */
  readonly compile: (given: Given<Shape>, names: PriceNames) => Compiled | undefined;
  /**
   * Its part of the amount, in millionths of a cent.
   *
   * @param amounts of the lines before, in cents
   * @param above cents that a percentage leaves out
   */
  readonly apply: (compiled: Compiled, amounts: readonly number[], situation: Situation, above: number) => number;
  /** Describes the price before anything is shipped: `0.5 a kg`. */
  readonly pricing: (compiled: Compiled, price: DescribedPrice, above: number) => string;
  /** How its part of the amount was calculated: `0.5 × 12 kg`. */
  readonly explain: (compiled: Compiled, price: ExplainedAmounts, situation: Situation, above: number) => string;
}

export function chargeKind<Shape extends z.ZodRawShape, Compiled>(
  kind: ChargeKind<Shape, Compiled>,
): ChargeKind<Shape, Compiled> {
  return kind;
}

/** The compiled form of a price of this kind. */
export type CompiledOf<Kind> = Kind extends ChargeKind<infer _Shape, infer Compiled> ? Compiled | undefined : never;

export function rejectNegative(
  issues: TariffIssues,
  path: Path,
  value: number | undefined,
  { canBeNegative }: LineRules,
): void {
  if (value === undefined || value >= 0 || canBeNegative) return;
  issues.add(path, 'out_of_range', 'must be at least 0: only a surcharge can be a discount');
}
