// Written by `npm run schema:write` from the files of this folder.

import type { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { CompiledOf, DescribedPrice, ExplainedAmounts, LineRules, PriceNames } from './charge-kind.rules.ts';
import { fixedCharge } from './fixed-charge.rules.ts';
import { kilogramCharge } from './kilogram-charge.rules.ts';
import { parcelCharge } from './parcel-charge.rules.ts';
import { perMeasureCharge } from './per-measure-charge.rules.ts';
import { percentageCharge } from './percentage-charge.rules.ts';
import { productCharge } from './product-charge.rules.ts';

/** Every way to charge, in the order in which an explanation shows them. */
export const CHARGE_KINDS = [
  fixedCharge,
  kilogramCharge,
  parcelCharge,
  perMeasureCharge,
  percentageCharge,
  productCharge,
] as const;

export const chargeFields = {
  ...fixedCharge.form,
  ...kilogramCharge.form,
  ...parcelCharge.form,
  ...perMeasureCharge.form,
  ...percentageCharge.form,
  ...productCharge.form,
};

/** Fields that are a price by themselves. */
export const SUM_PARTS: readonly string[] = CHARGE_KINDS.flatMap(({ parts }): readonly string[] => parts);

/** Fields that need others beside them. */
export const SUM_NEEDS = Object.assign({}, ...CHARGE_KINDS.map(({ needs }) => needs)) as Readonly<
  Record<string, readonly string[]>
>;

export type Sum = z.infer<z.ZodObject<typeof chargeFields>>;

/** A sum of a price, compiled for the engine; a kind that the price does not have is undefined. */
export interface CompiledSum {
  readonly fixedCharge: CompiledOf<typeof fixedCharge>;
  readonly kilogramCharge: CompiledOf<typeof kilogramCharge>;
  readonly parcelCharge: CompiledOf<typeof parcelCharge>;
  readonly perMeasureCharge: CompiledOf<typeof perMeasureCharge>;
  readonly percentageCharge: CompiledOf<typeof percentageCharge>;
  readonly productCharge: CompiledOf<typeof productCharge>;
}

export const EMPTY_SUM: CompiledSum = {
  fixedCharge: undefined,
  kilogramCharge: undefined,
  parcelCharge: undefined,
  perMeasureCharge: undefined,
  percentageCharge: undefined,
  productCharge: undefined,
};

export function checkSum(issues: TariffIssues, path: Path, sum: Sum, rules: LineRules): void {
  if (SUM_PARTS.every(part => sum[part as keyof Sum] === undefined))
    issues.add(path, 'required', `must have at least one of ${SUM_PARTS.join(', ')}`);
  for (const kind of CHARGE_KINDS) kind.check(issues, path, sum, rules);
}

export function isSumCalculated(sum: Sum): boolean {
  return CHARGE_KINDS.some(({ isCalculated }) => isCalculated(sum));
}

export function compileSum(sum: Sum, names: PriceNames): CompiledSum {
  return {
    fixedCharge: fixedCharge.compile(sum, names),
    kilogramCharge: kilogramCharge.compile(sum, names),
    parcelCharge: parcelCharge.compile(sum, names),
    perMeasureCharge: perMeasureCharge.compile(sum, names),
    percentageCharge: percentageCharge.compile(sum, names),
    productCharge: productCharge.compile(sum, names),
  };
}

/** In millionths of a cent. */
export function sumOf(sum: CompiledSum, amounts: readonly number[], situation: Situation, above: number): number {
  let microCents = 0;
  if (sum.fixedCharge !== undefined)
    microCents += fixedCharge.apply(sum.fixedCharge, amounts, situation, above);
  if (sum.kilogramCharge !== undefined)
    microCents += kilogramCharge.apply(sum.kilogramCharge, amounts, situation, above);
  if (sum.parcelCharge !== undefined)
    microCents += parcelCharge.apply(sum.parcelCharge, amounts, situation, above);
  if (sum.perMeasureCharge !== undefined)
    microCents += perMeasureCharge.apply(sum.perMeasureCharge, amounts, situation, above);
  if (sum.percentageCharge !== undefined)
    microCents += percentageCharge.apply(sum.percentageCharge, amounts, situation, above);
  if (sum.productCharge !== undefined)
    microCents += productCharge.apply(sum.productCharge, amounts, situation, above);
  return microCents;
}

/** The price of a sum, before anything is shipped. */
export function pricingOf(sum: CompiledSum, price: DescribedPrice, above: number): string[] {
  return [
    sum.fixedCharge === undefined ? '' : fixedCharge.pricing(sum.fixedCharge, price, above),
    sum.kilogramCharge === undefined ? '' : kilogramCharge.pricing(sum.kilogramCharge, price, above),
    sum.parcelCharge === undefined ? '' : parcelCharge.pricing(sum.parcelCharge, price, above),
    sum.perMeasureCharge === undefined ? '' : perMeasureCharge.pricing(sum.perMeasureCharge, price, above),
    sum.percentageCharge === undefined ? '' : percentageCharge.pricing(sum.percentageCharge, price, above),
    sum.productCharge === undefined ? '' : productCharge.pricing(sum.productCharge, price, above),
  ];
}

/** How the parts of a sum were calculated. */
export function explanationsOf(
  sum: CompiledSum,
  price: ExplainedAmounts,
  situation: Situation,
  above: number,
): string[] {
  return [
    sum.fixedCharge === undefined ? '' : fixedCharge.explain(sum.fixedCharge, price, situation, above),
    sum.kilogramCharge === undefined ? '' : kilogramCharge.explain(sum.kilogramCharge, price, situation, above),
    sum.parcelCharge === undefined ? '' : parcelCharge.explain(sum.parcelCharge, price, situation, above),
    sum.perMeasureCharge === undefined ? '' : perMeasureCharge.explain(sum.perMeasureCharge, price, situation, above),
    sum.percentageCharge === undefined ? '' : percentageCharge.explain(sum.percentageCharge, price, situation, above),
    sum.productCharge === undefined ? '' : productCharge.explain(sum.productCharge, price, situation, above),
  ];
}
