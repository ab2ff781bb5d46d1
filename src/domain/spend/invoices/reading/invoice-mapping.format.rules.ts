import { z } from 'zod';
import { RECIPIENT_TYPES } from '../../../common/places/recipient.rules.ts';
import {
  mappedColumn as column,
  type MappedColumn,
  TABLE_MAPPING,
} from '../../../common/tables/table-mapping.format.rules.ts';
import { lineCode, text } from '../../../pricing/tariffs/format/parts.format.rules.ts';
import { COD_PAYMENTS } from '../../../pricing/tariffs/shipment-terms.rules.ts';

/** The form of a mapping: the columns of a carrier's invoice. `schema/invoice-mapping.schema.json` is made from it. */

/** The subjects of charges: the components of a price, events after the shipment, and the account. */
export const CHARGE_KINDS = [
  'base',
  'surcharges',
  'fuel',
  'options',
  'cod',
  'insurance',
  'storage',
  'redelivery',
  'return',
  'address_change',
  'waiting',
  'account',
  'duties',
] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];

/** Charges for events after the shipment. */
const EVENT_KINDS = ['storage', 'redelivery', 'return', 'address_change', 'waiting'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export function isEventKind(kind: ChargeKind | undefined): kind is EventKind {
  return EVENT_KINDS.some(event => event === kind);
}

/** Charges that are in the price of no shipment. */
export function isAccountKind(kind: ChargeKind | undefined): kind is 'account' {
  return kind === 'account';
}

/** Duties and taxes that the carrier advanced: no tariff prices them, so they are never compared. */
export function isDutyKind(kind: ChargeKind | undefined): kind is 'duties' {
  return kind === 'duties';
}

/** The components of the price; a charge covers them, or one of the others alone. */
export function isComponentKind(kind: ChargeKind): kind is Exclude<ChargeKind, EventKind | 'account' | 'duties'> {
  return !isEventKind(kind) && !isAccountKind(kind) && !isDutyKind(kind);
}

const kinds = z
  .array(z.enum(CHARGE_KINDS))
  .min(1)
  .max(CHARGE_KINDS.length)
  .describe(
    'What the amount covers: components of the price, what happened after the shipment, the account, or advanced duties.',
  );
const lines = z.array(lineCode).min(1).max(50).describe('Codes of the lines of the tariff that the amount covers.');

/** The subject of an amount. */
export interface ChargeMeaning {
  readonly kinds?: readonly ChargeKind[] | undefined;
  readonly lines?: readonly string[] | undefined;
}

const meaning = { kinds: kinds.optional(), lines: lines.optional() };
const hasMeaning = ({ kinds: of, lines: codes }: ChargeMeaning) =>
  (of !== undefined || codes !== undefined) && (of === undefined || of.length === 1 || of.every(isComponentKind));
const MEANING = {
  error: 'must have lines, or kinds: components of the price, one event after the shipment, or account',
};
const eitherMeaning = { anyOf: [{ required: ['kinds'] }, { required: ['lines'] }] };

const less = z
  .array(column)
  .min(1)
  .max(10)
  .describe(
    'Columns with discounts on the amount, with or without a minus. Where the total of a row counts them already, they are not taken off again.',
  )
  .optional();

const chargeColumn = z
  .strictObject({ column, less, ...meaning })
  .refine(hasMeaning, MEANING)
  .describe('A column with an amount for each shipment.')
  .meta({ id: 'ChargeColumn', ...eitherMeaning });

const namedCharge = z
  .strictObject({
    named: z
      .array(text)
      .min(1)
      .max(100)
      .describe('Names or codes of the charge on the invoice; one that ends with * is a beginning.'),
    ...meaning,
    is: z
      .enum(['vat', 'nothing'])
      .describe('`vat` if the amount is VAT, and `nothing` if the row only informs: neither is a charge.')
      .optional(),
  })
  .refine(one => (one.is === undefined ? hasMeaning(one) : one.kinds === undefined && one.lines === undefined), MEANING)
  .meta({ id: 'NamedCharge', anyOf: [...eitherMeaning.anyOf, { required: ['is'] }] });

export type NamedCharge = z.infer<typeof namedCharge>;

const namedCharges = z.array(namedCharge).min(1).max(200).describe('The first that has the name or a code counts.');
const otherwise = z.enum(CHARGE_KINDS).default('surcharges').describe('What any other name is.');

const chargePairs = z
  .strictObject({
    pairs: z
      .array(
        z.strictObject({
          name: column.describe('The column with the name of the charge.'),
          code: column.describe('The column with its code.').optional(),
          amount: column.describe('The column with its amount.'),
          less,
        }),
      )
      .min(1)
      .max(50)
      .describe(
        'Columns of which one names the charge whose amount the other has. Where the header repeats a name, the second is the name with 2, and so on.',
      ),
    sum: column
      .describe('The column with the sum of all charges beside the base price, for a file without the pairs.')
      .optional(),
    charges: namedCharges,
    otherwise,
  })
  .describe('Columns with amounts whose names are in other columns of the row.')
  .meta({ id: 'ChargePairs' });

const chargeRows = z
  .strictObject({
    name: column,
    codes: z.array(column).min(1).max(5).describe('Columns with codes of the charge, such as its class.').optional(),
    amount: column,
    charges: namedCharges,
    otherwise,
  })
  .describe('The invoice has a row for each charge of a shipment.')
  .meta({ id: 'ChargeRows' });

/** Columns with facts of a shipment, and their meaning. */
export const COLUMNS = {
  trackingNumber: 'Tracking number, also of a label.',
  shipmentNumber: 'The number that the rows of the packages of one shipment share; they are one line.',
  parcelId: "The carrier's number of the parcel.",
  reference: "The sender's reference.",
  orderNumber: 'Number of the order.',
  date: 'Day of shipment.',
  chargeableKg: 'The weight that was charged, kilograms.',
  realKg: 'The weight that the carrier found, kilograms.',
  volumetricKg: 'The volumetric weight that the carrier found, kilograms.',
  chargeableUnit:
    'The unit of the weight that was charged: K or KG, G, L or LB, O or OZ. Without the column, kilograms.',
  realUnit: 'The unit of the other weights.',
  zone: 'The zone that was charged: its code or name in the tariff, or what `zones` translates.',
  service: 'The service that was charged: its code or name in the tariff, or what `services` translates.',
  fuelPercent: 'The percentage of fuel that was charged.',
  codAmount: 'The amount that was collected, EUR.',
  insuredValue: 'The value that was insured, EUR.',
  storageDays: 'Days of storage (giacenza).',
  waitingMinutes: 'Minutes of waiting.',
  pickups: 'Number of pickups, for the fees of the account.',
  codPayment:
    'How cash on delivery was paid: `cash`, `bank_cheque`, `personal_cheque` or `card`, or what `codPayments` translates.',
  monthlyShipments: 'Shipments of the month, for tariffs with prices by volume.',
  pallets: 'How many of the parcels are pallets, the heaviest first. Without it all are if `palletType` is given.',
  palletType: 'Type of the pallets, as the tariff names it.',
  stackablePallets: 'On how many of the pallets something can stand.',
  recipientType: 'What the recipient is: `business` or `private`, or what `recipientTypes` translates.',
  goodsValue: 'What the goods are worth, EUR, for customs.',
  dutiesAmount: 'Duties and taxes that the carrier advanced, EUR; 0 if there were none.',
  net: 'The total of the row before VAT, EUR. Without it the charges are added up.',
  vatPercent: 'The percentage of VAT.',
  vatAmount: 'The amount of VAT, EUR.',
  currency: 'The currency of the amounts. A row whose cell is not EUR is rejected.',
} as const;
export type ColumnName = keyof typeof COLUMNS;

/** The columns that find the shipment, in the order of the search. */
export const NUMBERS = ['trackingNumber', 'shipmentNumber', 'parcelId', 'reference', 'orderNumber'] as const;

export const invoiceMapping = z
  .strictObject({
    ...TABLE_MAPPING,
    rounding: z
      .literal('half_up')
      .describe(
        'Rounds amounts with more than two decimals half up. Without it such an amount is an error. Weights and percentages are always rounded.',
      )
      .optional(),
    columns: z
      .strictObject(
        Object.fromEntries(
          Object.entries(COLUMNS).map(([name, description]) => [name, column.describe(description).optional()]),
        ) as Record<ColumnName, z.ZodOptional<typeof column>>,
      )
      .refine(columns => NUMBERS.some(name => columns[name] !== undefined), {
        error: `must have one of ${NUMBERS.join(', ')}`,
      })
      .describe(`Which column holds what. One of ${NUMBERS.join(', ')} is required.`)
      .meta({ anyOf: NUMBERS.map(name => ({ required: [name] })) }),
    header: z
      .array(z.string().max(200))
      .min(2)
      .max(1_000)
      .describe('The names of the columns in their order, for a file that has no header. An empty name is not read.')
      .optional(),
    corrections: TABLE_MAPPING.skip
      .unwrap()
      .optional()
      .describe(
        'Rows that correct what was billed for a shipment before: those whose column has one of these values. They are compared with what is still due.',
      ),
    charges: z
      .union(
        [
          z
            .array(z.union([chargeColumn, chargePairs]))
            .min(1)
            .max(100),
          chargeRows,
        ],
        {
          error:
            'must be a list of columns, each with column and kinds or lines, or an object with name, amount and charges',
        },
      )
      .describe('The amounts: columns of each shipment, or a row for each charge.'),
    zones: z
      .record(z.string().max(100), text)
      .describe("The tariff's zones by the names that the invoice has.")
      .optional(),
    codPayments: z
      .record(z.string().max(100), z.enum(COD_PAYMENTS))
      .describe('How cash on delivery was paid by the words that the invoice has.')
      .optional(),
    recipientTypes: z
      .record(z.string().max(100), z.enum(RECIPIENT_TYPES))
      .describe('What recipients are by the words that the invoice has.')
      .optional(),
    services: z
      .record(z.string().max(100), text)
      .describe("The tariff's services by the names that the invoice has.")
      .optional(),
  })
  .describe("Which column of a carrier's invoice holds what.");

export type InvoiceMapping = z.infer<typeof invoiceMapping>;
export type ChargeRows = z.infer<typeof chargeRows>;
export type ChargeColumn = z.infer<typeof chargeColumn>;
export type ChargePairs = z.infer<typeof chargePairs>;
export type { MappedColumn };

/** The pairs of a name and an amount that a mapping has. */
export function pairsOf({ charges }: Pick<InvoiceMapping, 'charges'>): ChargePairs[] {
  return 'name' in charges ? [] : charges.flatMap(one => ('pairs' in one ? [one] : []));
}

/** The columns with the amounts of rows, by names that no other column of a mapping has. */
export function amountColumns({ charges }: InvoiceMapping): Record<string, MappedColumn> {
  if ('name' in charges) return { 'charges.amount': charges.amount };
  const columns = charges.flatMap(one => ('pairs' in one ? one.pairs.map(({ amount }) => amount) : [one.column]));
  return Object.fromEntries(columns.map((column, i) => [`charges.${i}`, column]));
}

export function invoiceMappingJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(invoiceMapping, { target: 'draft-2020-12', io: 'input' });
  return { title: 'Invoice mapping', $schema, ...schema };
}
