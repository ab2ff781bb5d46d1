import type { Item } from './platform-side.ts';

/** Invoice files with the columns of carriers' own files, and values of our own. */

/** A tariff whose prices can be worked out by hand: 6.10 up to 5 kg, 7.80 up to 10 kg, 10.20 up to 20 kg; fuel is 10 %. */
export const HAND_TARIFF = {
  format: 2,
  name: 'A mano',
  versions: [
    {
      label: '2026',
      validFrom: '2026-01-01',
      weight: { per: 'shipment', volumetric: [{ kgPerM3: 200 }], roundUp: [{ toKg: 0.5 }] },
      zones: [
        {
          code: 'italia',
          name: 'Italia',
          to: { countries: ['IT'] },
          bands: [
            { upToKg: 5, price: 6.1 },
            { upToKg: 10, price: 7.8 },
            { upToKg: 20, price: 10.2 },
          ],
        },
      ],
      surcharges: [
        {
          code: 'remote',
          description: 'Località disagiata',
          when: { to: { postalCodes: ['38032'] } },
          price: { fixed: 4.5 },
        },
      ],
      fuel: [{ code: 'fuel', description: 'Carburante', price: { percent: 10, of: ['base'] } }],
      insurance: [
        { code: 'insurance', description: 'Assicurazione', price: { percent: 1, of: ['insuredValue'], minimum: 2 } },
      ],
    },
  ],
};

/** A shipment of 3 November to Milan, or to a remote place. */
export function sent(trackingNumber: string, weight: number, more: Item = {}): Item {
  const recipient = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', province: 'MI' };
  return { trackingNumber, weight, volume: 1000, shippedAt: '2026-11-03T09:00:00Z', recipient, ...more };
}

export const REMOTE_RECIPIENT = { address: 'Via Dolomiti 1', postalCode: '38032', city: 'Canazei', province: 'TN' };

/** Positions of UPS' billing data, from 0. */
const UPS_AT = {
  country: 3,
  invoiceDate: 4,
  invoice: 5,
  currency: 9,
  amount: 10,
  date: 11,
  lead: 13,
  reference: 15,
  quantity: 18,
  tracking: 20,
  entered: 26,
  enteredUnit: 27,
  billed: 28,
  unit: 29,
  zone: 33,
  category: 34,
  detail: 35,
  class: 43,
  code: 44,
  text: 45,
  netCurrency: 50,
  net: 52,
} as const;
type UpsRow = Partial<Record<keyof typeof UPS_AT, string>>;

const UPS_NAMES: Readonly<Partial<Record<keyof typeof UPS_AT, string>>> = {
  invoice: 'Invoice Number',
  currency: 'Invoice Currency Code',
  date: 'Transaction Date',
  lead: 'Lead Shipment Number',
  reference: 'Shipment Reference Number 1',
  tracking: 'Tracking Number',
  entered: 'Entered Weight',
  enteredUnit: 'Entered Weight Unit of Measure',
  billed: 'Billed Weight',
  unit: 'Billed Weight Unit of Measure',
  zone: 'Zone',
  category: 'Charge Category Code',
  detail: 'Charge Category Detail Code',
  class: 'Charge Classification Code',
  code: 'Charge Description Code',
  text: 'Charge Description',
  netCurrency: 'Transaction Currency Code',
  net: 'Net Amount',
};

function upsCells(row: UpsRow): string[] {
  const cells = Array.from({ length: 250 }, () => '');
  for (const [name, value] of Object.entries(row)) cells[UPS_AT[name as keyof typeof UPS_AT]] = value;
  return cells;
}

/** The header that programs put above the file. */
export const UPS_HEADER = upsCells(UPS_NAMES)
  .map((name, at) => name || `Place Holder ${at}`)
  .join(',');

/** A row of UPS' billing data: a charge of a package. */
export function upsRow(row: UpsRow): string {
  const cells = upsCells({
    ...{ country: 'IT', invoiceDate: '2026-11-14', invoice: '000000X1Y2Z3', currency: 'EUR', amount: '50.63' },
    ...{ date: '2026-11-03', quantity: '0', entered: '0.0', enteredUnit: 'K', billed: '0.0', unit: 'K', zone: '003' },
    ...{ category: 'SHP', detail: 'DSD', netCurrency: 'EUR', net: '0.00' },
    ...row,
  });
  cells[0] = '2.1';
  return cells.join(',');
}

/** The freight, the fuel and the VAT of a package, and the row that informs about it. */
export function upsPackage(
  {
    lead,
    tracking,
    kg,
    unit = 'K',
    real = kg,
  }: { lead: string; tracking: string; kg: string; unit?: string; real?: string },
  { base, fuel, vat }: { base: string; fuel: string; vat: string },
): string[] {
  const one = { lead, tracking };
  const weight = { quantity: '1', entered: real, enteredUnit: unit, billed: kg, unit };
  return [
    upsRow({ ...one, ...weight, class: 'INF', code: '011', text: 'Dom. Standard' }),
    upsRow({ ...one, class: 'FSC', code: 'FSC', text: 'Suppl. carburante', net: fuel }),
    upsRow({ ...one, ...weight, class: 'FRT', code: '011', text: 'Dom. Standard', net: base }),
    upsRow({ ...one, class: 'TAX', code: '01', text: 'I.V.A.', net: vat }),
    upsRow({ ...one, class: 'EXM', code: '02', text: 'Esente' }),
  ];
}

const DHL_COLUMNS = [
  ...['Line Type', 'Invoice Number', 'Invoice Date', 'Shipment Number', 'Shipment Date', 'Shipment Reference 1'],
  ...['Product', 'Product Name', 'Pieces', 'Cust Scale Weight (A)', 'DHL Scale Weight (B)', 'Cust Vol Weight (V)'],
  ...['DHL Vol Weight (W)', 'Weight Flag', 'Weight (kg)', 'Currency', 'Total amount (excl. VAT)'],
  ...['Total amount (incl. VAT)', 'Tax Code', 'Total Tax', 'Tax Adjustment', 'Invoice Fee', 'Weight Charge'],
  ...['Weight Tax (VAT)', 'Other Charges 1', 'Other Charges 1 Amount', 'Other Charges 2', 'Other Charges 2 Amount'],
  ...['Discount 1', 'Discount 1 Amount', 'Discount 2', 'Discount 2 Amount', 'Discount 3', 'Discount 3 Amount'],
  ...['Total Extra Charges (XC)', 'Total Extra Charges Tax'],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(i =>
    ['Code', 'Name', 'Charge', 'Tax Code', 'Tax', 'Discount', 'Total'].map(name => `XC${i} ${name}`),
  ),
];
export const DHL_HEADER = DHL_COLUMNS.map(name => `"${name}"`).join(',');

/** A row of DHL's MyBill: a shipment, or the invoice as a whole. */
export function dhlRow(row: Readonly<Record<string, string>>): string {
  const cells: Readonly<Record<string, string>> = {
    ...{ 'Line Type': 'S', 'Invoice Number': 'MXPIR00012345', 'Invoice Date': '20261130', 'Shipment Date': '20261103' },
    ...{ Product: 'N', 'Product Name': 'EXPRESS DOMESTIC', Pieces: '1', Currency: 'EUR', 'Invoice Fee': '0.00' },
    ...{ 'Tax Adjustment': '0.00', 'Discount 1 Amount': '0', 'Other Charges 1 Amount': '0.00' },
    ...row,
  };
  return DHL_COLUMNS.map(name => `"${cells[name] ?? ''}"`).join(',');
}

/** The cells of extra charges, by code, name and amount. */
export function extraCharges(...charges: readonly (readonly [code: string, name: string, amount: string])[]): Item {
  const sum = charges.reduce((cents, [, , amount]) => cents + Math.round(Number(amount) * 100), 0);
  const cells = charges.flatMap(([code, name, amount], i): [string, string][] => [
    [`XC${i + 1} Code`, code],
    [`XC${i + 1} Name`, name],
    [`XC${i + 1} Charge`, amount],
    [`XC${i + 1} Discount`, '0.00'],
  ]);
  return { 'Total Extra Charges (XC)': (sum / 100).toFixed(2), ...Object.fromEntries(cells) };
}
