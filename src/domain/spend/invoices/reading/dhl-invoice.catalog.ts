import type { InvoiceMapping } from './invoice-mapping.format.rules.ts';

/**
 * The CSV of DHL Express' MyBill. DHL publishes no description. The columns are those that public importers of the file
 * read (GitHub, seen on 2026-11-28): a header of `"Line Type";…;"XC7 Total"`, headers with `Cust Scale Weight (A)` to
 * `DHL Vol Weight (W)` and nine extra charges, and test files with the rows `I` (invoice) and `S` (shipment), with the
 * codes FF, CA, XB and XX. Older names, and names of exports by tools, come last.
 */

const EXTRA_CHARGES = 9;
const OTHER_CHARGES = 2;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

export const DHL: InvoiceMapping = {
  name: 'DHL',
  columns: {
    trackingNumber: ['Shipment Number', 'AWB Number', 'Waybill'],
    reference: ['Shipment Reference 1', 'Shipper Reference'],
    date: ['Shipment Date'],
    chargeableKg: ['Weight (kg)', 'Billed Weight'],
    realKg: [
      ...['DHL Scale Weight (B)', 'DHL Scale Weight (kg)', 'Cust Scale Weight (A)', 'Cust Scale Weight (kg)'],
      ...['Declared Weight', 'Actual Weight'],
    ],
    volumetricKg: ['DHL Vol Weight (W)', 'Cust Vol Weight (V)', 'Volumetric Weight', 'Dimensional Weight'],
    zone: ['Zone', 'Rate Zone'],
    service: ['Product Name', 'Product'],
    insuredValue: ['Insured Amount'],
    net: ['Total amount (excl. VAT)', 'Net Amount'],
    vatPercent: ['VAT %', 'Tax Rate'],
    vatAmount: ['Total Tax', 'Tax Amount'],
    currency: ['Currency', 'Billing Currency'],
  },
  charges: [
    {
      column: ['Weight Charge'],
      kinds: ['base'],
      less: ['Discount 1 Amount', 'Discount 2 Amount', 'Discount 3 Amount'],
    },
    { column: ['Fuel Surcharge', 'FF Amount'], kinds: ['fuel'] },
    { column: ['Other Charges', 'Total Extra Charges'], kinds: ['surcharges'] },
    { column: ['Optional Services'], kinds: ['options'] },
    { column: ['Shipment Insurance', 'Insurance', 'II Amount'], kinds: ['insurance'] },
    { column: ['Return Charge'], kinds: ['return'] },
    { column: ['Import Export Duties'], kinds: ['duties'] },
    { column: ['Import Export Taxes'], kinds: ['duties'] },
    { column: ['Duty Tax Paid'], kinds: ['duties'] },
    { column: ['Invoice Fee'], kinds: ['account'] },
    {
      pairs: [
        ...upTo(EXTRA_CHARGES).map(i => ({
          name: `XC${i} Name`,
          code: `XC${i} Code`,
          amount: `XC${i} Charge`,
          less: [`XC${i} Discount`],
        })),
        ...upTo(OTHER_CHARGES).map(i => ({ name: `Other Charges ${i}`, amount: `Other Charges ${i} Amount` })),
      ],
      sum: 'Total Extra Charges (XC)',
      charges: [
        { named: ['FF', 'Fuel Surcharge*'], kinds: ['fuel'] },
        { named: ['II', 'Shipment Insurance*', 'Insurance*', 'Shipment Value Protection*'], kinds: ['insurance'] },
        { named: ['DD', 'XB', 'XX', 'Duty Tax Paid*', 'Import Export *'], kinds: ['duties'] },
        { named: ['MA', 'Address Correction*'], kinds: ['address_change'] },
        { named: ['AA', 'SA', 'SD', 'SF', 'Saturday*', 'Direct Signature*', 'Adult Signature*'], kinds: ['options'] },
        { named: ['OO', 'OB', 'Remote Area*'], kinds: ['surcharges'] },
        // Some countries bill the base price as an extra charge by the code of the product.
        { named: ['P'], kinds: ['base'] },
      ],
      otherwise: 'surcharges',
    },
  ],
  skip: [{ column: ['Line Type'], values: ['I'] }],
};
