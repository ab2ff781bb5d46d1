import { ruleAt as placeRuleAt } from '../../../pricing/tariffs/areas/area.rules.ts';
import { basePrice } from '../../../pricing/tariffs/bands/base-price.rules.ts';
import { bandAmount } from '../../../pricing/tariffs/bands/weight-bands.rules.ts';
import type {
  CompiledTariff,
  CompiledVersion,
  CompiledZone,
  Path,
} from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { calculation, placeText, situationOf } from '../../../pricing/tariffs/engine/explanation.rules.ts';
import { servicesAt } from '../../../pricing/tariffs/engine/quote.rules.ts';
import { kgText, MICRO, money } from '../../../pricing/tariffs/units.rules.ts';
import { isPerParcel, weightText } from '../../../pricing/tariffs/weight/chargeable-weight.rules.ts';
import type { BilledLine } from '../billed-line.rules.ts';
import { dueFor, type Part } from './billed-parts.rules.ts';
import {
  amountsIn,
  type Calculation,
  ruleAt,
  ruleOfLine,
  withAmounts,
  withService,
  withWeight,
  withZone,
} from './calculation.rules.ts';
import type { Explanation, FindingCode } from './finding-codes.rules.ts';
import type { FindingWords } from './finding-words.rules.ts';
import { isCalled } from './shipment-as-billed.rules.ts';

/** Explains why a base price, or another charge by weight or zone, differs from the due one. */

/** One error, and the price with that error as it was billed. */
export interface Step {
  readonly code: FindingCode;
  readonly to: Calculation;
  readonly rule: Path | null;
  readonly explanation: Explanation;
}

/** The first candidates that explain the billed amount to the cent: each is one error or two. */
export function explainBase(
  part: Part,
  line: BilledLine,
  from: Calculation,
  tariff: CompiledTariff,
): Step[] | undefined {
  const [least = -1] = part.positions;
  if (least !== 0) return explainByWeight(part, line, from);
  const difference = part.cents - dueFor(part, from.price);
  if (Math.abs(difference) === 1) {
    const to = withAmounts(from, [...amountsIn(from.price, part.positions), [0, from.price.base.cents + difference]]);
    const explanation: Explanation = words => `base ${calculation(words, from.price, 0, from.shipment)}`;
    return to && [{ code: 'rounding', to, rule: ruleOfLine(from, 0), explanation }];
  }
  for (const steps of candidates(part, line, from, tariff)) {
    const last = steps.at(-1);
    if (last && dueFor(part, last.to.price) === part.cents) return steps;
  }
  return undefined;
}

/** Explains another charge than a base price, such as one per kilogram. */
function explainByWeight(part: Part, line: BilledLine, from: Calculation): Step[] | undefined {
  const step = statedWeight(line, from);
  return step && dueFor(part, step.to.price) === part.cents ? [step] : undefined;
}

/** Data of the invoice come first, and then guesses: another weight band, another zone, or another service. */
function* candidates(part: Part, line: BilledLine, from: Calculation, tariff: CompiledTariff): Generator<Step[]> {
  const weight = statedWeight(line, from);
  if (weight) yield [weight];
  const named = otherServices(from, tariff).filter(({ service }) => service && isCalled(service, line.service));
  for (const version of named) yield* byService(from, weight, version);
  const zone = from.version.zones.find(one => isCalled(one, line.zone));
  if (zone && zone !== from.price.zone) {
    const step = toZone(from, zone.index);
    if (step) yield [step];
    const both = weight && toZone(weight.to, zone.index);
    if (weight && both) yield [weight, both];
  }
  // If the invoice states the due weight, another zone is likelier than another weight.
  const inOrder = line.chargeableGrams === null ? [otherBands, otherZones] : [otherZones, otherBands];
  for (const others of inOrder) yield* others(part, from);
  if (weight) for (const steps of otherZones(part, weight.to)) yield [weight, ...steps];
  for (const version of otherServices(from, tariff)) yield* byService(from, weight, version);
}

/** The versions of the tariff's other services on the day of the shipment. */
function otherServices({ shipment, version: { service } }: Calculation, { versions }: CompiledTariff) {
  return servicesAt(versions, shipment.date).filter(other => other.service?.code !== service?.code);
}

function* byService(from: Calculation, weight: Step | undefined, version: CompiledVersion): Generator<Step[]> {
  const step = toService(from, version);
  if (step) yield [step];
  const both = weight && toService(weight.to, version);
  if (weight && both) yield [weight, both];
}

function toService(from: Calculation, version: CompiledVersion): Step | undefined {
  const { price, shipment } = from;
  const to = withService(from, version);
  if (to === undefined) return undefined;
  const due: Explanation = words => `${price.version.service?.name}, ${calculation(words, price, 0, shipment)}`;
  return {
    code: 'service',
    to,
    rule: ruleAt(version, ['services', price.version.service?.index ?? 0]),
    explanation: words => words.chargedPriceOf(version.service?.name ?? '', money(to.price.base.cents), due(words)),
  };
}

function statedWeight(line: BilledLine, from: Calculation): Step | undefined {
  const { price, version } = from;
  const stated = line.chargeableGrams;
  if (stated === null || stated <= 0 || stated === price.chargeableGrams) return undefined;
  const to = withWeight(from, stated);
  if (to === undefined) return undefined;
  const isVolumetric = isByVolume(line, from);
  return {
    code: isVolumetric ? 'volumetric' : 'weight_band',
    to,
    rule: isVolumetric ? volumetricRule(version) : ruleOfLine(from, 0),
    explanation: words => words.chargedWeight(kgText(stated), dueByWeight(words, from)),
  };
}

function volumetricRule(version: CompiledVersion): Path {
  const { more, numerator } = version.weight;
  const hasRule = more ? more.volumetric.length > 0 : numerator > 0;
  return ruleAt(version, hasRule ? ['weight', 'volumetric', 0] : ['weight']);
}

/** Whether the charged weight is volumetric: the invoice says so, or the parcels weigh less. */
function isByVolume(line: BilledLine, { price, version, shipment }: Calculation): boolean {
  const { chargeableGrams, realGrams, volumetricGrams } = line;
  if (volumetricGrams !== null && volumetricGrams > 0) {
    return volumetricGrams > (realGrams ?? price.realGrams) && volumetricGrams !== price.volumetricGrams;
  }
  if (realGrams === null) return price.volumetricGrams > price.realGrams;
  const { stepGrams, more } = version.weight;
  const steps = more ? more.roundUp.map(one => one.stepGrams) : [stepGrams];
  const roundedBy = Math.max(...steps) * (isPerParcel(version, price.zone) ? shipment.parcelCount : 1);
  return (chargeableGrams ?? 0) >= realGrams + roundedBy;
}

function* otherBands(part: Part, from: Calculation): Generator<Step[]> {
  const { zone, base, chargeableGrams } = from.price;
  if (base.band < 0) return;
  const wanted = part.cents - dueFor(part, from.price) + base.cents;
  const isAlone = part.positions.length === 1;
  for (const [band, limit] of zone.upTo.entries()) {
    const isByWeight = zone.bands?.[band] !== undefined;
    if (band === base.band && base.steps === 0 && !isByWeight) continue;
    // A part with more than the base price is compared as a whole.
    const grams = isByWeight && isAlone ? weightCosting(wanted, zone, band, from.version) : limit;
    if (grams === chargeableGrams || (isAlone && bandAmount(zone, band, grams) !== wanted)) continue;
    const step = toBand(from, grams);
    if (step) yield [step];
  }
  const [beyond] = zone.beyond;
  const last = zone.prices.length - 1;
  const above = wanted - bandAmount(zone, last, zone.upTo[last] as number);
  if (!isAlone || beyond === undefined || zone.beyond.length > 1 || beyond.stepCents <= 0) return;
  const grams = (zone.upTo[last] as number) + (above / beyond.stepCents) * beyond.stepGrams;
  if (above <= 0 || above % beyond.stepCents !== 0 || grams === chargeableGrams) return;
  const step = toBand(from, grams);
  if (step) yield [step];
}

/** If a step of the weight costs less, any amount is the price of some weight, and explains nothing. */
const LEAST_STEP_CENTS = 10;

/** The least weight of a band that costs an amount at least; its greatest one if weights explain nothing. */
function weightCosting(cents: number, zone: CompiledZone, band: number, { weight }: CompiledVersion): number {
  const limit = zone.upTo[band] as number;
  const { perGram = 0, per100Kg = 0 } = zone.bands?.[band] ?? {};
  const { stepGrams } = weight;
  const costOfStep = perGram * stepGrams + (stepGrams < 100_000 ? 0 : per100Kg * MICRO);
  if (weight.more || costOfStep < LEAST_STEP_CENTS * MICRO) return limit;
  let low = Math.floor((zone.upTo[band - 1] ?? 0) / stepGrams) + 1;
  let high = Math.floor(limit / stepGrams);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bandAmount(zone, band, middle * stepGrams) < cents) low = middle + 1;
    else high = middle;
  }
  return Math.min(low * stepGrams, limit);
}

function toBand(from: Calculation, grams: number): Step | undefined {
  const to = withWeight(from, grams);
  const explanation: Explanation = words => words.chargedPriceUpTo(kgText(grams), dueByWeight(words, from));
  return to && { code: 'weight_band', to, rule: ruleOfLine(from, 0), explanation };
}

function dueByWeight(words: FindingWords, { price, shipment }: Calculation): string {
  return `${weightText(words, price)}, ${calculation(words, price, 0, shipment)}`;
}

function* otherZones(part: Part, from: Calculation): Generator<Step[]> {
  const { version, price } = from;
  const isAlone = part.positions.length === 1;
  const situation = situationOf(price, from.shipment);
  for (const zone of version.zones) {
    const isOfService = zone.services?.has(version.service?.code ?? '') ?? true;
    if (zone === price.zone || zone.notServed !== undefined || !isOfService) continue;
    if (isAlone && version.weight.more === undefined) {
      const base = basePrice(version, zone, { ...situation, zone: zone.index });
      if (!base.ok || base.cents !== part.cents) continue;
    }
    const step = toZone(from, zone.index);
    if (step) yield [step];
  }
}

function toZone(from: Calculation, index: number): Step | undefined {
  const { version, price, shipment } = from;
  const to = withZone(from, index);
  if (to === undefined) return undefined;
  const rule = placeRuleAt(price.zoneTable, price.zoneRule);
  const due: Explanation = words =>
    `${price.zone.name} (${rule ? placeText(words, rule) : ''}), ${calculation(words, price, 0, shipment)}`;
  return {
    code: 'zone',
    to,
    rule: ['versions', version.index, 'zones', price.zone.index, 'to', ...(rule?.path ?? [])],
    explanation: words => words.chargedPriceOf(to.price.zone.name, money(to.price.base.cents), due(words)),
  };
}
