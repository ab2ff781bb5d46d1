import type { InvoiceMapping } from './invoice-mapping.format.rules.ts';

/**
 * Two files of FedEx, whose columns have no name in common. FedEx Billing Online's "all columns" has a row for each package
 * and up to 50 pairs of a charge and its amount under repeated names; packages of a shipment share `TDMasterTrackingID`, and
 * `MPS Package ID` stands in rows without amounts. The EDI invoice as CSV, which FedEx sends in Europe too, has a column for
 * each charge; its discounts are below zero, and `Orig VAT Amt` is VAT that was advanced with duties. Both are from public
 * importers, their headers and notes on real invoices (GitHub, seen on 2026-11-28). FedEx publishes a description of
 * neither; what the EDI file writes as the unit of weights is not known.
 */

const MOST_CHARGES = 50;
const DESCRIPTION = 'Tracking ID Charge Description';
const AMOUNT = 'Tracking ID Charge Amount';
/** Programs number repeated names from 1 or from 2. */
const NUMBERS = ['', ...Array.from({ length: MOST_CHARGES }, (_, i) => ` ${i + 1}`)];

export const FEDEX: InvoiceMapping = {
  name: 'FEDEX',
  columns: {
    trackingNumber: ['Express or Ground Tracking ID', 'Tracking Number'],
    shipmentNumber: ['TDMasterTrackingID'],
    reference: ['Original Customer Reference', 'Ref 1'],
    date: ['Shipment Date', 'Ship Date'],
    chargeableKg: ['Rated Weight Amount', 'Bill Wt'],
    chargeableUnit: ['Rated Weight Units', 'Wt Unit'],
    realKg: ['Actual Weight Amount', 'Orig Wt'],
    realUnit: ['Actual Weight Units', 'Wt Unit'],
    zone: ['Zone Code'],
    service: ['Service Type'],
    net: ['Net Charge Amount', 'Net Chrg'],
    currency: ['Curr'],
  },
  charges: [
    {
      column: ['Transportation Charge Amount', 'Freight Amt'],
      kinds: ['base'],
      less: [
        ['Vol Disc', 'Vol Disc Amt'],
        ['Earned Disc', 'Earned Disc Amt'],
        ['Auto Disc', 'Auto Disc Amt'],
        ['Perf Price Disc', 'Perf Price Amt'],
      ],
    },
    { column: ['Fuel Amt'], kinds: ['fuel'] },
    { column: ['D.V. Amt'], kinds: ['insurance'] },
    { column: ['Adr Corr Amt'], kinds: ['address_change'] },
    ...['Sign Svc Amt', 'Sat Amt'].map(column => ({ column, kinds: ['options' as const] })),
    ...['GST Amt', 'Duty Amt', 'Orig VAT Amt'].map(column => ({ column, kinds: ['duties' as const] })),
    ...[
      'Resi Amt',
      'DAS Amt',
      'On-Call Amt',
      'Addn Hndlg Amt',
      'Adv Fee Amt',
      'Misc 1 Amt',
      'Misc 2 Amt',
      'Misc 3 Amt',
    ].map(column => ({ column, kinds: ['surcharges' as const] })),
    {
      pairs: NUMBERS.map(number => ({ name: DESCRIPTION + number, amount: AMOUNT + number })),
      charges: [
        // Some files name the amount of the column once more.
        { named: ['Transportation Charge'], is: 'nothing' },
        {
          named: [
            ...['Discount', 'Automation Discount', 'Bonus Discount', 'Earned Discount', 'Grace Discount'],
            ...['Performance Pricing', 'Volume Discount'],
          ],
          kinds: ['base'],
        },
        { named: ['Fuel Surcharge*'], kinds: ['fuel'] },
        { named: ['Declared Value*'], kinds: ['insurance'] },
        { named: ['COD*', 'C.O.D.*'], kinds: ['cod'] },
        { named: ['Address Correction*'], kinds: ['address_change'] },
        { named: ['Saturday*', 'Adult Signature*', 'Direct Signature*', 'Indirect Signature*'], kinds: ['options'] },
        { named: ['Customs Duty*', 'Original VAT*', 'GST*', 'HST*', 'PST*', 'QST*'], kinds: ['duties'] },
      ],
      otherwise: 'surcharges',
    },
  ],
  skip: [],
};
