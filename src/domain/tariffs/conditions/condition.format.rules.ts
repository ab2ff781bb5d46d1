import { z } from 'zod';
import { day, lineCode, zoneCode } from '../parts.format.rules.ts';
import { area, originCodes, palletType } from '../place.format.rules.ts';

/** Conditions, in the one form that they have everywhere in a tariff. */

const MAX_VALUE = 1_000_000;

/** From and to what a number holds. */
const range = z
  .strictObject({
    from: z.number().min(0).max(MAX_VALUE).describe('This or more.').optional(),
    over: z.number().min(0).max(MAX_VALUE).describe('More than this.').optional(),
    upTo: z.number().min(0).max(MAX_VALUE).describe('This or less.').optional(),
    below: z.number().min(0).max(MAX_VALUE).describe('Less than this.').optional(),
  })
  .describe('A number lies in it where all that is given holds.')
  .meta({ id: 'Range', minProperties: 1 });

export type Range = z.infer<typeof range>;

/** What the numbers of conditions, brackets and `per` may be of, with their most decimals. */
export const MEASURES = {
  chargeableKg: 3,
  realKg: 3,
  volumeM3: 6,
  parcels: 0,
  pallets: 0,
  loadingMetres: 2,
  codAmount: 2,
  insuredValue: 2,
  monthlyShipments: 0,
  storageDays: 0,
  waitingMinutes: 0,
} as const;
export type Measure = keyof typeof MEASURES;
export const measureName = z.enum(Object.keys(MEASURES) as [Measure, ...Measure[]]);

/** The same of a parcel. */
export const PARCEL_MEASURES = {
  weightKg: 3,
  volumeM3: 6,
  longestSideCm: 2,
  secondSideCm: 2,
  sumOfSidesCm: 2,
  girthCm: 2,
} as const;
export type ParcelMeasure = keyof typeof PARCEL_MEASURES;

/** How cash on delivery is paid; the first where nothing is said. */
export const COD_PAYMENTS = ['cash', 'bank_cheque', 'personal_cheque', 'card'] as const;
export type CodPayment = (typeof COD_PAYMENTS)[number];

/** What can happen to a shipment after it was quoted. */
export const SHIPMENT_EVENTS = ['storage', 'redelivery', 'return', 'address_change', 'waiting'] as const;
export type ShipmentEvent = (typeof SHIPMENT_EVENTS)[number];

const parcelTests = {
  weightKg: range.describe('Real weight, kg.').optional(),
  volumeM3: range.describe('Cubic metres.').optional(),
  longestSideCm: range.optional(),
  secondSideCm: range.describe('The longest but one.').optional(),
  sumOfSidesCm: range.optional(),
  girthCm: range.describe('Longest side and twice the two others.').optional(),
  palletTypes: z.array(palletType).min(1).max(50).describe('It is a pallet of one of these types.').optional(),
  isPallet: z.boolean().optional(),
  isStackable: z.boolean().describe('Whether something can stand on it; parcels that are no pallets can.').optional(),
};

const parcelTest = z.strictObject(parcelTests).meta({ id: 'ParcelTest', minProperties: 1 });

export const parcel = z
  .strictObject({
    ...parcelTests,
    anyOf: z.array(parcelTest).min(1).max(20).describe('At least one of these holds.').optional(),
    noneOf: z.array(parcelTest).min(1).max(20).describe('None of these holds.').optional(),
  })
  .describe('One parcel for which all that is given holds. What is of sides holds only where parcels are given.')
  .meta({ id: 'ParcelCondition', minProperties: 1 });

export type ParcelTest = z.infer<typeof parcelTest>;
export type ParcelCondition = z.infer<typeof parcel>;

/** What is known before the weight. */
const early = {
  zones: z.array(zoneCode).min(1).max(1_000).optional(),
  origins: originCodes.optional(),
  to: area.optional(),
  dates: z
    .strictObject({
      from: day.describe('First day.').optional(),
      until: day.describe('Last day.').optional(),
    })
    .describe('Day of shipment.')
    .meta({ minProperties: 1 })
    .optional(),
  parcel: parcel.optional(),
};

/** A condition on which the weight depends. */
export const setting = z
  .strictObject(early)
  .describe('When it counts: all that is given must hold.')
  .meta({ id: 'WeightCondition' });

const tests = {
  ...early,
  chargeableKg: range.optional(),
  realKg: range.optional(),
  volumeM3: range.describe('Cubic metres of the shipment.').optional(),
  parcels: range.describe('Number of parcels.').optional(),
  pallets: range.describe('Number of pallets among the parcels.').optional(),
  loadingMetres: range.optional(),
  codAmount: range.describe('EUR to be collected.').optional(),
  insuredValue: range.describe('EUR insured.').optional(),
  monthlyShipments: range.describe('Shipments of the month, as the quote states them.').optional(),
  storageDays: range.describe('Days in storage; only in `afterShipment`.').optional(),
  waitingMinutes: range.describe('Minutes that the courier waited; only in `afterShipment`.').optional(),
  codPayments: z.array(z.enum(COD_PAYMENTS)).min(1).max(COD_PAYMENTS.length).optional(),
  options: z.array(lineCode).min(1).max(100).describe('One of these options is asked for.').optional(),
};

const test = z.strictObject(tests).meta({ id: 'Test', minProperties: 1 });

export const condition = z
  .strictObject({
    ...tests,
    allOf: z.array(test).min(1).max(20).describe('Each of these holds.').optional(),
    anyOf: z.array(test).min(1).max(20).describe('At least one of these holds.').optional(),
    noneOf: z.array(test).min(1).max(20).describe('None of these holds.').optional(),
  })
  .describe('When it applies: all that is given must hold.')
  .meta({ id: 'Condition' });

export type Test = z.infer<typeof test>;
export type Condition = z.infer<typeof condition>;
