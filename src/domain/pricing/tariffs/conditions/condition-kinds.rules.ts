// Written by `npm run schema:write` from the files of this folder.

import type { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { CompiledConditionOf, KnownCodes, Names } from './condition-kind.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';
import { customsCondition } from './customs-condition.rules.ts';
import { datesCondition } from './dates-condition.rules.ts';
import { measuresCondition } from './measures-condition.rules.ts';
import { optionsCondition } from './options-condition.rules.ts';
import { originsCondition } from './origins-condition.rules.ts';
import { parcelCondition } from './parcel-condition.rules.ts';
import { paymentsCondition } from './payments-condition.rules.ts';
import { placesCondition } from './places-condition.rules.ts';
import { recipientCondition } from './recipient-condition.rules.ts';
import { servicesCondition } from './services-condition.rules.ts';
import { zonesCondition } from './zones-condition.rules.ts';

/** Every condition. */
export const CONDITION_KINDS = [
  customsCondition,
  datesCondition,
  measuresCondition,
  optionsCondition,
  originsCondition,
  parcelCondition,
  paymentsCondition,
  placesCondition,
  recipientCondition,
  servicesCondition,
  zonesCondition,
] as const;

/** The facts that are known before the weight. */
export const earlyFields = {
  ...datesCondition.form,
  ...originsCondition.form,
  ...parcelCondition.form,
  ...placesCondition.form,
  ...servicesCondition.form,
  ...zonesCondition.form,
};

export const conditionFields = {
  ...customsCondition.form,
  ...datesCondition.form,
  ...measuresCondition.form,
  ...optionsCondition.form,
  ...originsCondition.form,
  ...parcelCondition.form,
  ...paymentsCondition.form,
  ...placesCondition.form,
  ...recipientCondition.form,
  ...servicesCondition.form,
  ...zonesCondition.form,
};

type Given = z.infer<z.ZodObject<typeof conditionFields>>;

/** Conditions that must all hold, ready for the engine; one that is not given is undefined. */
export interface CompiledTests {
  readonly datesCondition: CompiledConditionOf<typeof datesCondition>;
  readonly measuresCondition: CompiledConditionOf<typeof measuresCondition>;
  readonly optionsCondition: CompiledConditionOf<typeof optionsCondition>;
  readonly originsCondition: CompiledConditionOf<typeof originsCondition>;
  readonly paymentsCondition: CompiledConditionOf<typeof paymentsCondition>;
  readonly recipientCondition: CompiledConditionOf<typeof recipientCondition>;
  readonly servicesCondition: CompiledConditionOf<typeof servicesCondition>;
  readonly zonesCondition: CompiledConditionOf<typeof zonesCondition>;
  readonly customsCondition: CompiledConditionOf<typeof customsCondition>;
  readonly parcelCondition: CompiledConditionOf<typeof parcelCondition>;
  readonly placesCondition: CompiledConditionOf<typeof placesCondition>;
}

export function checkTests(issues: TariffIssues, path: Path, given: Given, known: KnownCodes): void {
  for (const kind of CONDITION_KINDS) kind.check(issues, path, given, known);
}

export function compileTests(given: Given, names: Names): CompiledTests {
  return {
    datesCondition: datesCondition.compile(given, names),
    measuresCondition: measuresCondition.compile(given, names),
    optionsCondition: optionsCondition.compile(given, names),
    originsCondition: originsCondition.compile(given, names),
    paymentsCondition: paymentsCondition.compile(given, names),
    recipientCondition: recipientCondition.compile(given, names),
    servicesCondition: servicesCondition.compile(given, names),
    zonesCondition: zonesCondition.compile(given, names),
    customsCondition: customsCondition.compile(given, names),
    parcelCondition: parcelCondition.compile(given, names),
    placesCondition: placesCondition.compile(given, names),
  };
}

export function testsHold(tests: CompiledTests, situation: Situation): boolean {
  return (
    (tests.datesCondition === undefined || datesCondition.holds(tests.datesCondition, situation)) &&
    (tests.measuresCondition === undefined || measuresCondition.holds(tests.measuresCondition, situation)) &&
    (tests.optionsCondition === undefined || optionsCondition.holds(tests.optionsCondition, situation)) &&
    (tests.originsCondition === undefined || originsCondition.holds(tests.originsCondition, situation)) &&
    (tests.paymentsCondition === undefined || paymentsCondition.holds(tests.paymentsCondition, situation)) &&
    (tests.recipientCondition === undefined || recipientCondition.holds(tests.recipientCondition, situation)) &&
    (tests.servicesCondition === undefined || servicesCondition.holds(tests.servicesCondition, situation)) &&
    (tests.zonesCondition === undefined || zonesCondition.holds(tests.zonesCondition, situation)) &&
    (tests.customsCondition === undefined || customsCondition.holds(tests.customsCondition, situation)) &&
    (tests.parcelCondition === undefined || parcelCondition.holds(tests.parcelCondition, situation)) &&
    (tests.placesCondition === undefined || placesCondition.holds(tests.placesCondition, situation))
  );
}
