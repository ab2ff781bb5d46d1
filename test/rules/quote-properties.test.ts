import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  eventCharge,
  type ShipmentEvent,
} from '../../src/domain/pricing/quotes/after-shipment/after-shipment.rules.ts';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { price, vatByRate } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../../src/domain/pricing/tariffs/exclusion.rules.ts';
import type { Price } from '../../src/domain/pricing/tariffs/price.rules.ts';
import type { Shipment } from '../../src/domain/pricing/tariffs/shipment-terms.rules.ts';
import { NOT_CHARGED } from '../../src/domain/pricing/tariffs/units.rules.ts';
import { runs } from '../support/property-runs.ts';
import { Dice } from './dice.ts';
import type { Q } from './fractions.ts';
import { shipmentOf } from './quote-support.ts';
import { randomAsk, randomTariff } from './random-tariffs.ts';
import type { TariffInput, VersionInput } from './tariff-cases.ts';
import { reference } from './tariff-reference.ts';

/** Each takes some seconds of a processor, and far more where others use it too. */
const LONG = { timeout: 180_000 };

const compiled = (document: TariffInput) => compileTariff(readTariff(document));
const cents = (amount: Q) => Number((amount.n * 100n) / amount.d);
const grams = (kg: Q) => Number((kg.n * 1000n + kg.d - 1n) / kg.d);
const asCents = (lines: Readonly<Record<string, Q>> = {}) =>
  Object.fromEntries(Object.entries(lines).map(([code, amount]) => [code, cents(amount)]));

/** For each of so many random tariffs, each of `SHIPMENTS` random shipments. */
const SHIPMENTS = 30;
function everywhere(tariffs: number, seed: number, check: (document: TariffInput, dice: Dice) => () => void): void {
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const dice = new Dice(number);
      const checkOne = check(randomTariff(dice), dice);
      for (let i = 0; i < SHIPMENTS; i++) checkOne();
    }),
    { numRuns: runs(tariffs), seed },
  );
}

/** `toEqual`, which takes longer than all that it compares here: it only says what differs. */
function same(got: unknown, wanted: unknown, about: () => object = () => ({})): void {
  if (!isDeepStrictEqual(got, wanted)) expect(got, JSON.stringify(about())).toEqual(wanted);
}

/** Everything of a result but the tables it was found in. */
const plain = (result: Price | Exclusion) =>
  JSON.stringify(
    result.ok
      ? { ...result, version: result.version.index, zone: result.zone.index, zoneTable: undefined }
      : { ...result, version: 0 },
  );

const LATE = ['storage', 'return', 'waiting'] as const;

test('Random tariffs give the prices of the guide, to the cent', LONG, () => {
  const outcomes: Record<string, number> = {};
  const met = {
    discounts: 0,
    cut: 0,
    events: 0,
    pallets: 0,
    vats: 0,
    negativeVats: 0,
    ownVat: 0,
    services: 0,
    byParcel: 0,
  };
  everywhere(300, 81, (document, dice) => {
    const engine = compiled(document);
    return () => {
      const ask = randomAsk(dice);
      const shipment = shipmentOf(ask);
      const days = dice.roll(12);
      const events = LATE.map(on => ({ on, days, minutes: days * 7 }));
      const result = price(engine, shipment);
      const wanted = reference(document, ask, events);
      const outcome = result.ok ? 'ok' : result.code;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const about = () => ({ ask, document });
      if (!result.ok) {
        if (!wanted.reasons.has(result.code)) same([...wanted.reasons], [result.code], about);
        return;
      }
      same([...wanted.reasons], [], about);
      const lines: Record<string, number> = {};
      for (const [position, { code }] of result.version.lines.entries()) {
        if (result.amounts[position] !== NOT_CHARGED) lines[code] = result.amounts[position] as number;
      }
      const late: Record<string, number> = {};
      for (const { on, days: storageDays, minutes: waitingMinutes } of events) {
        const charge = eventCharge(result, shipment, { on: on as ShipmentEvent, storageDays, waitingMinutes });
        if (charge) late[on] = charge.cents;
      }
      const byRate = vatByRate(result.version, result.amounts, result.vatPpm);
      const got = {
        service: result.version.service?.code,
        zone: result.zone.code,
        lines,
        grams: result.chargeableGrams,
        volumetric: result.volumetricGrams,
        total: result.totalCents,
        vat: result.vatCents,
        rates: Object.fromEntries(byRate.map(({ ppm, net, vat }) => [ppm / 10_000, [net, vat]])),
        late,
      };
      const expected = {
        service: wanted.service,
        zone: wanted.zone,
        lines: asCents(wanted.lines),
        grams: wanted.chargeable && grams(wanted.chargeable),
        volumetric: wanted.volumetric && grams(wanted.volumetric),
        total: wanted.total && cents(wanted.total),
        vat: wanted.vat && cents(wanted.vat),
        rates: Object.fromEntries(
          Object.entries(wanted.vatBreakdown ?? {}).map(([rate, amounts]) => [rate, amounts.map(cents)]),
        ),
        late: result.cutCents > 0 ? late : asCents(wanted.events),
      };
      same(got, expected, about);
      if (Object.values(lines).some(amount => amount < 0)) met.discounts++;
      if (result.cutCents > 0) met.cut++;
      if (Object.keys(late).length > 0) met.events++;
      if (result.base.pallets.length > 0) met.pallets++;
      if (result.version.service) met.services++;
      if (shipment.parcelCount > 1 && result.zone.byParcel) met.byParcel++;
      if (result.version.hasLineVat) met.vats++;
      if (Object.values(got.rates).some(([net = 0]) => net < 0)) met.negativeVats++;
      if (document.versions.some(({ vat }) => vat)) met.ownVat++;
    };
  });
  expect(outcomes.ok).toBeGreaterThan(runs(2_500));
  expect(Object.keys(outcomes).toSorted()).toEqual([
    'COD_NOT_SUPPORTED',
    'DESTINATION_NOT_SERVED',
    'DIMENSIONS_OUT_OF_RANGE',
    'INSURANCE_NOT_SUPPORTED',
    'NO_TARIFF_IN_FORCE',
    'OPTION_NOT_SUPPORTED',
    'WEIGHT_OUT_OF_RANGE',
    'ok',
  ]);
  // Each of them was met often enough to be worth something.
  for (const [what, often] of Object.entries({ ...outcomes, ...met })) expect(often, what).toBeGreaterThan(runs(20));
});

test('Lines add up to components, components to the total, and all are whole cents', LONG, () => {
  everywhere(150, 22, (document, dice) => {
    const engine = compiled(document);
    return () => {
      const result = price(engine, shipmentOf(randomAsk(dice)));
      if (!result.ok) return;
      const { components, version, amounts, totalCents, vatCents, grossCents } = result;
      const sums = { base: 0, surcharges: 0, fuel: 0, options: 0, cod: 0, insurance: 0 };
      const charged = amounts.filter(amount => amount !== NOT_CHARGED);
      for (const [i, { component }] of version.lines.entries()) {
        const amount = amounts[i] ?? NOT_CHARGED;
        if (amount !== NOT_CHARGED) sums[component] += amount;
      }
      same(components, sums);
      const total = Object.values(components).reduce((a, b) => a + b);
      same([total, totalCents + vatCents], [totalCents, grossCents]);
      const all = [...Object.values(components), ...charged, totalCents, vatCents, grossCents];
      same([all.every(Number.isSafeInteger), totalCents >= 0], [true, true]);
    };
  });
});

/** A tariff whose bands ascend, with nothing that makes a heavier shipment cheaper. */
function ascending({ versions, ...tariff }: TariffInput): TariffInput {
  const inVersion = (version: VersionInput): VersionInput => ({
    ...version,
    ...(version.services && { services: version.services.map(({ when: _, ...service }) => service) }),
    zones: version.zones.map(({ bands = [], pallets: _, ...zone }) => {
      const prices = bands.map(({ price: own = 0 }) => own).toSorted((a, b) => a - b);
      return { ...zone, bands: bands.map(({ upToKg }, i) => ({ upToKg, price: prices[i] ?? 0 })) };
    }),
    weight: {
      ...version.weight,
      volumetric: (version.weight.volumetric ?? []).filter(({ when }) => when === undefined),
      minimums: [],
      roundUp: version.weight.roundUp.slice(-1),
    },
    surcharges: [
      { code: 's0', description: 'S', when: { chargeableKg: { from: 7 } }, price: { perKg: 0.12, fixed: 1 } },
      { code: 's1', description: 'S', price: { percent: 7.25, of: ['base', 's0'], minimum: 2 } },
    ],
    fuel: [{ code: 'fuel', description: 'F', price: { percent: 8.5, of: ['base', 'surcharges'] } }],
    options: [],
    cod: [],
    insurance: [],
    afterShipment: [],
  });
  return { ...tariff, versions: versions.map(inVersion) };
}

test('More weight never costs less, if band prices ascend', LONG, () => {
  const met = { compared: 0, dearer: 0 };
  everywhere(150, 33, (document, dice) => {
    const engine = compiled(ascending(document));
    return () => {
      const { cod: _, insured: _value, ...ask } = randomAsk(dice);
      const light = shipmentOf({ ...ask, options: [] });
      const [first, ...others] = light.parcels;
      if (!first) return;
      const more = 1 + dice.roll(30_000);
      const heavy: Shipment = {
        ...light,
        parcels: [{ ...first, grams: first.grams + more }, ...others],
        grams: light.grams + more * (first.share > 1 ? 1 : first.quantity),
        heaviestGrams: Math.max(light.heaviestGrams, Math.ceil((first.grams + more) / first.share)),
      };
      const [less, greater] = [price(engine, light), price(engine, heavy)];
      if (!less.ok || !greater.ok) return;
      met.compared++;
      if (greater.totalCents > less.totalCents) met.dearer++;
      const cheaper = (['chargeableGrams', 'totalCents', 'grossCents'] as const).filter(it => greater[it] < less[it]);
      same(cheaper, [], () => ({ light, heavy, document }));
    };
  });
  expect(met.compared).toBeGreaterThan(runs(1_000));
  expect(met.dearer).toBeGreaterThan(runs(500));
});

test('The order of parcels does not affect the price, and the same input has the same result', LONG, () => {
  everywhere(150, 44, (document, dice) => {
    const engine = compiled(document);
    return () => {
      const ask = randomAsk(dice);
      const result = plain(price(engine, shipmentOf(ask)));
      const about = () => ({ ask, document });
      same(plain(price(engine, shipmentOf(ask))), result, about);
      if (ask.parcels) {
        const turned = { ...ask, parcels: ask.parcels.toReversed() };
        same(plain(price(engine, shipmentOf(turned))), result, about);
      }
      if (dice.chance(3)) same(plain(price(compiled(structuredClone(document)), shipmentOf(ask))), result, about);
    };
  });
});
