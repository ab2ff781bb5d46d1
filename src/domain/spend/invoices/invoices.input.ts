import type { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import {
  decimal,
  enumOf,
  flag,
  inputObject,
  integer,
  keysOf,
  list,
  optionalText,
  text,
} from '../../common/fields.input.ts';
import { oneOf } from '../../common/one-of.input.ts';
import { recipientType } from '../../common/places/recipient.input.ts';
import { recordId } from '../../common/record-id.input.ts';
import { tableFileInput } from '../../common/tables/table-file.input.ts';
import { calendarDay } from '../../common/times.input.ts';
import { amountFields, COD_PAYMENTS } from '../../pricing/tariffs/shipment-terms.rules.ts';
import { DECIMALS, MAX_TOTAL_CENTS, MAX_VALUE_CENTS, scaledSigned } from '../../pricing/tariffs/units.rules.ts';
import { type BilledLine, NOTHING_BILLED } from './billed-line.rules.ts';
import { FINDING_CODES, type FindingCode } from './check/finding-codes.rules.ts';
import { DAYS_TO_CREDIT } from './claims.rules.ts';
import { LINE_STATES, type LineState } from './invoices.rules.ts';
import { CHARGE_KINDS, type ChargeKind, isComponentKind } from './reading/invoice-mapping.format.rules.ts';
import { invoiceLocale, invoiceMappingInput } from './reading/invoice-table.input.ts';
import type { StatedTerms } from './stated-terms.rules.ts';

/** Negative in discounts and credits. */
const MONEY = { isSigned: true, max: MAX_TOTAL_CENTS / 100, decimals: DECIMALS.money };
const VALUE = { max: MAX_VALUE_CENTS / 100, decimals: DECIMALS.money };
const WEIGHT = { max: 100_000, decimals: DECIMALS.kg };
const PERCENT = { max: 300, decimals: DECIMALS.percent };
const MAX_ROWS = 1_000;
const MAX_CHARGES = 50;

const kind = () => enumOf('CarrierChargeKind', CHARGE_KINDS);

const vatPercent = () => decimal({ max: 100, decimals: DECIMALS.percent });

/** Terms that shipments may lack. */
const TERMS = {
  codPayment: enumOf('CodPayment', COD_PAYMENTS).nullish().describe('How cash on delivery was paid.'),
  monthlyShipments: integer(0, 10_000_000)
    .nullish()
    .describe('Shipments of the month, for tariffs with prices by volume.'),
  pallets: integer(0, 500)
    .nullish()
    .describe('How many of the parcels are pallets, the heaviest first. Without it all are if `palletType` is given.'),
  palletType: optionalText(40).describe('Type of the pallets, such as `EUR`, as the tariff names it.'),
  stackablePallets: integer(0, 500).nullish().describe('On how many of the pallets something can stand.'),
  recipientType: recipientType().nullish().describe('What the recipient is.'),
  goodsValue: decimal(VALUE).nullish().describe('What the goods are worth, EUR, for customs.'),
  dutiesAmount: decimal(VALUE)
    .nullish()
    .describe('Duties and taxes that the carrier advanced, EUR; 0 if there were none.'),
};

const invoiceTermsInput = inputObject(
  'CarrierInvoiceTermsInput',
  'Terms of all shipments of an invoice. Terms of a row, a saved quote or an order take precedence.',
  TERMS,
);

export function statedTerms(terms: z.output<typeof invoiceTermsInput> | null | undefined): StatedTerms {
  const { codPayment, monthlyShipments, pallets, palletType, stackablePallets } = terms ?? {};
  const { recipientType: recipient } = terms ?? {};
  return {
    codPayment: codPayment ?? null,
    monthlyShipments: monthlyShipments ?? null,
    pallets: pallets ?? null,
    palletType: palletType ?? null,
    stackablePallets: stackablePallets ?? null,
    recipientType: recipient ?? null,
    ...amountFields((_, name) => countOf(terms?.[name], DECIMALS.money)),
  };
}

const chargeInput = inputObject(
  'CarrierChargeInput',
  'An amount of an invoice, and what it covers: kinds, lines of the tariff, or both.',
  {
    kinds: list(kind(), { max: CHARGE_KINDS.length })
      .nullish()
      .describe('Components of the price, one thing that happened after the shipment, or `ACCOUNT`.'),
    lines: list(text(40), { max: MAX_CHARGES })
      .nullish()
      .describe('Codes of lines of the tariff, or of fees of its `account`.'),
    name: optionalText(100).describe('The name on the invoice.'),
    amount: decimal(MONEY).describe('EUR before VAT.'),
    vatPercent: vatPercent().nullish().describe('The percentage of VAT of this amount, if the row has several.'),
  },
  ({ kinds, lines }): readonly Issue[] => chargeIssues(kinds ?? [], lines ?? []),
);

function chargeIssues(kinds: readonly ChargeKind[], lines: readonly string[]): Issue[] {
  if (kinds.length === 0 && lines.length === 0)
    return [{ path: ['kinds'], code: 'required', message: 'must have an entry, or `lines` must have one' }];
  if (kinds.length < 2 || kinds.every(isComponentKind)) return [];
  const message = 'must have `ACCOUNT`, or one event after the shipment, alone';
  return [{ path: ['kinds'], code: 'not_allowed', message }];
}

const rowInput = inputObject(
  'CarrierInvoiceRowInput',
  'A shipment on an invoice, or a charge for the account. One of its numbers finds the shipment.',
  {
    trackingNumber: optionalText(100).describe('Tracking number, also of a label.'),
    parcelId: optionalText(100).describe("The carrier's number of the parcel."),
    reference: optionalText().describe("The sender's reference."),
    orderNumber: optionalText().describe('Number of the order.'),
    isCorrection: flag()
      .nullish()
      .describe(
        'Whether the row corrects what was billed for the shipment before. It is then compared with what is still due.',
      ),
    date: calendarDay().nullish().describe('Day of shipment.'),
    chargeableWeight: decimal(WEIGHT).nullish().describe('The weight that was charged, kilograms.'),
    realWeight: decimal(WEIGHT).nullish().describe('The weight that the carrier found, kilograms.'),
    volumetricWeight: decimal(WEIGHT).nullish().describe('The volumetric weight that the carrier found, kilograms.'),
    zone: optionalText(100).describe('The zone that was charged: its code or name in the tariff.'),
    service: optionalText(100).describe('The service that was charged: its code or name in the tariff.'),
    fuelPercent: decimal(PERCENT).nullish().describe('The percentage of fuel that was charged.'),
    codAmount: decimal(VALUE).nullish().describe('The amount that was collected, EUR.'),
    insuredValue: decimal(VALUE).nullish().describe('The value that was insured, EUR.'),
    storageDays: integer(0, 10_000).nullish().describe('Days of storage.'),
    waitingMinutes: integer(0, 100_000).nullish().describe('Minutes of waiting.'),
    pickups: integer(0, 10_000).nullish().describe('Number of pickups, for the fees of the account.'),
    ...TERMS,
    netAmount: decimal(MONEY).nullish().describe('The total before VAT. Without it the charges are added up.'),
    vatPercent: vatPercent().nullish().describe('The percentage of VAT. Charges with other rates can have their own.'),
    vatAmount: decimal(MONEY).nullish().describe('The amount of VAT, EUR; it counts before percentages.'),
    charges: list(chargeInput, { min: 1, max: MAX_CHARGES }).describe('The amounts.'),
  },
);

const invoiceSourceInput = oneOf('CarrierInvoiceSourceInput', 'The file of an invoice, or its rows.', {
  file: tableFileInput.nullish().describe('The file: a CSV, a TSV or an `.xlsx`.'),
  rows: list(rowInput, { min: 1, max: MAX_ROWS }).nullish().describe('The rows.'),
});

export const importCarrierInvoiceInput = inputObject(
  'ImportCarrierInvoiceInput',
  'An invoice of a carrier: its file, or its rows.',
  {
    number: text(100).describe('Number of the invoice.'),
    date: calendarDay().describe('Its date.'),
    source: invoiceSourceInput.describe('The lines that it bills.'),
    mapping: invoiceMappingInput
      .nullish()
      .describe(
        "The mapping by which a file is read. By default the one with most columns in the file, and of equal ones the carrier's.",
      ),
    locale: invoiceLocale,
    terms: invoiceTermsInput
      .nullish()
      .describe('Terms of all shipments, where neither a row nor a saved quote has them.'),
    replace: flag()
      .default(false)
      .describe('Whether it takes the place of an invoice of the connection with the same number in the same year.'),
    dryRun: flag().default(false).describe('Whether it is only read. Nothing is stored then, and nothing checked.'),
  },
);

export const invoiceFilter = inputObject('CarrierInvoiceFilter', 'Which invoices.', {
  carrierConnectionId: recordId('CarrierConnection').nullish().describe('Invoices of this carrier connection.'),
});

export const lineFilter = inputObject('CarrierInvoiceLineFilter', 'Which lines.', {
  states: list(enumOf('CarrierInvoiceLineState', keysOf<LineState>(LINE_STATES)), { max: 7 })
    .nullish()
    .describe('In one of these states.'),
});

export const findingFilter = inputObject('CarrierInvoiceFindingFilter', 'Which findings.', {
  codes: list(enumOf('CarrierInvoiceFindingCode', keysOf<FindingCode>(FINDING_CODES)), { max: 50 })
    .nullish()
    .describe('With one of these codes.'),
});

export const openClaimFilter = inputObject('OpenCarrierClaimFilter', 'Which open claims.', {
  carrierConnectionId: recordId('CarrierConnection').nullish().describe('Invoices of this carrier connection.'),
  days: integer(0, 3_650)
    .default(DAYS_TO_CREDIT)
    .describe('Claims on invoices whose date is at least so many days ago.'),
});

export type ImportInvoiceInput = z.output<typeof importCarrierInvoiceInput>;

const countOf = (value: string | null | undefined, decimals: number) =>
  value == null ? null : (scaledSigned(value, decimals) ?? null);

export function lineOfRow(row: z.output<typeof rowInput>, i: number): BilledLine {
  return {
    ...NOTHING_BILLED,
    ...statedTerms(row),
    row: i + 1,
    trackingNumber: row.trackingNumber ?? null,
    parcelId: row.parcelId ?? null,
    reference: row.reference ?? null,
    orderNumber: row.orderNumber ?? null,
    isCorrection: row.isCorrection ? true : null,
    date: row.date ?? null,
    chargeableGrams: countOf(row.chargeableWeight, DECIMALS.kg),
    realGrams: countOf(row.realWeight, DECIMALS.kg),
    volumetricGrams: countOf(row.volumetricWeight, DECIMALS.kg),
    zone: row.zone ?? null,
    service: row.service ?? null,
    fuelPpm: countOf(row.fuelPercent, DECIMALS.percent),
    codCents: countOf(row.codAmount, DECIMALS.money),
    insuredCents: countOf(row.insuredValue, DECIMALS.money),
    storageDays: row.storageDays ?? null,
    waitingMinutes: row.waitingMinutes ?? null,
    pickups: row.pickups ?? null,
    netCents: countOf(row.netAmount, DECIMALS.money),
    vatPpm: countOf(row.vatPercent, DECIMALS.percent),
    vatCents: countOf(row.vatAmount, DECIMALS.money),
    charges: row.charges.map(({ kinds, lines, name, amount, vatPercent: ofCharge }) => ({
      kinds: kinds ?? [],
      lines: lines ?? [],
      name: name ?? [...(kinds ?? []), ...(lines ?? [])].join(', '),
      cents: countOf(amount, DECIMALS.money) ?? 0,
      ...(ofCharge != null && { vatPpm: countOf(ofCharge, DECIMALS.percent) ?? 0 }),
    })),
  };
}
