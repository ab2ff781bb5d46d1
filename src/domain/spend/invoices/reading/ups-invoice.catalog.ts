import type { InvoiceMapping } from './invoice-mapping.format.rules.ts';

/**
 * UPS Billing Data. UPS' data dictionary and its Flat File Bill documentation (copies on public document sites) give the
 * positions, the units of weights and the classes of charges. Public importers of the file with notes on real German,
 * British and American invoices confirm them (GitHub). All were seen on 2026-11-28. The carrier's file has 250 columns and
 * no header; programs that add one use these names.
 */

/** The names of the columns that are read, by their positions from 1. */
const POSITIONS: Readonly<Record<number, string>> = {
  10: 'Invoice Currency Code',
  12: 'Transaction Date',
  14: 'Lead Shipment Number',
  16: 'Shipment Reference Number 1',
  21: 'Tracking Number',
  27: 'Entered Weight',
  28: 'Entered Weight Unit of Measure',
  29: 'Billed Weight',
  30: 'Billed Weight Unit of Measure',
  34: 'Zone',
  35: 'Charge Category Code',
  36: 'Charge Category Detail Code',
  44: 'Charge Classification Code',
  45: 'Charge Description Code',
  46: 'Charge Description',
  51: 'Transaction Currency Code',
  53: 'Net Amount',
};
const COLUMN_COUNT = 250;

export const UPS: InvoiceMapping = {
  name: 'UPS',
  header: Array.from({ length: COLUMN_COUNT }, (_, i) => POSITIONS[i + 1] ?? ''),
  columns: {
    trackingNumber: ['Tracking Number', 'Lead Shipment Number'],
    shipmentNumber: ['Lead Shipment Number'],
    reference: ['Shipment Reference Number 1', 'Reference No.1'],
    // The file has a `Shipment Date` too, which is of customs and often empty.
    date: ['Transaction Date', 'Shipment Date', 'Pickup Date'],
    chargeableKg: ['Billed Weight'],
    chargeableUnit: ['Billed Weight Unit of Measure'],
    realKg: ['Entered Weight', 'Actual Weight'],
    realUnit: ['Entered Weight Unit of Measure', 'Actual Weight Unit of Measure'],
    zone: ['Zone'],
    insuredValue: ['Declared Value'],
    vatPercent: ['Tax Rate'],
    currency: ['Invoice Currency Code', 'Currency', 'Transaction Currency Code'],
  },
  charges: {
    name: ['Charge Description', 'Charge Description Code', 'Charge Classification Code'],
    codes: [
      'Charge Classification Code',
      'Charge Description Code',
      'Charge Category Detail Code',
      'Charge Category Code',
    ],
    amount: ['Net Amount'],
    // The classes of surcharges come before the names of services, since the name of a surcharge can begin like a service.
    charges: [
      { named: ['TAX'], is: 'vat' },
      { named: ['INF', 'EXM'], is: 'nothing' },
      { named: ['GOV'], kinds: ['duties'] },
      { named: ['RTN', 'RTS', 'Return*', 'Undeliverable Return*'], kinds: ['return'] },
      { named: ['ADC', 'Address Correction*'], kinds: ['address_change'] },
      { named: ['MSC', 'MIS', 'SVCH'], kinds: ['account'] },
      { named: ['COD', 'C.O.D.*'], kinds: ['cod'] },
      { named: ['INS', 'Declared Value*'], kinds: ['insurance'] },
      { named: ['SAT', 'Saturday*', 'DCS', 'CSG', 'ADS', 'Delivery Confirmation*'], kinds: ['options'] },
      { named: ['ACC', 'BRK'], kinds: ['surcharges'] },
      { named: ['FSC', 'Fuel Surcharge'], kinds: ['fuel'] },
      { named: ['FRT', 'Freight', 'Dom. *', 'TB *', 'WW *'], kinds: ['base'] },
    ],
    otherwise: 'surcharges',
  },
  // Adjustments of addresses (ADC) and of packages that were not billed yet (CLB) correct nothing.
  corrections: [{ column: ['Charge Category Detail Code'], values: ['ADJ', 'CADJ', 'RADJ', 'SCC', 'ZONE'] }],
  skip: [],
};
