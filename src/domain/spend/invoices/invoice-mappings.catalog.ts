import type { InvoiceMapping } from './invoice-mapping.format.rules.ts';

/**
 * Mappings of invoices as carriers send them. A customer's own columns can differ: a mapping of one's own takes the place
 * of one of these.
 */

/** One row a shipment, with the names that the guides use: what other programs and other carriers' invoices are brought to. */
const PLAIN: InvoiceMapping = {
  name: 'PLAIN',
  columns: {
    trackingNumber: 'tracking_number',
    parcelId: 'parcel_id',
    reference: 'reference',
    orderNumber: 'order_number',
    date: 'date',
    chargeableKg: 'chargeable_kg',
    realKg: 'real_kg',
    volumetricKg: 'volumetric_kg',
    zone: 'zone',
    fuelPercent: 'fuel_percent',
    codAmount: 'cod_amount',
    insuredValue: 'insured_value',
    storageDays: 'storage_days',
    waitingMinutes: 'waiting_minutes',
    net: 'net',
    vatPercent: 'vat_percent',
    vatAmount: 'vat_amount',
    currency: 'currency',
  },
  charges: [
    { column: 'base', kinds: ['base'] },
    { column: 'surcharges', kinds: ['surcharges'] },
    { column: 'fuel', kinds: ['fuel'] },
    { column: 'options', kinds: ['options'] },
    { column: 'cod', kinds: ['cod'] },
    { column: 'insurance', kinds: ['insurance'] },
    { column: 'storage', kinds: ['storage'] },
    { column: 'redelivery', kinds: ['redelivery'] },
    { column: 'return', kinds: ['return'] },
    { column: 'address_change', kinds: ['address_change'] },
    { column: 'waiting', kinds: ['waiting'] },
  ],
  skip: [],
};

const BRT: InvoiceMapping = {
  name: 'BRT',
  columns: {
    trackingNumber: ['Numero spedizione', 'Spedizione', 'LNA'],
    parcelId: ['Parcel ID', 'Segnacollo'],
    reference: ['Rif. mittente numerico', 'Riferimento mittente', 'Rif. mittente'],
    date: ['Data spedizione', 'Data'],
    chargeableKg: ['Peso tassato', 'Peso fatturato'],
    realKg: ['Peso reale', 'Peso'],
    volumetricKg: ['Peso volumetrico', 'Peso volume'],
    zone: ['Zona', 'Zona tariffaria'],
    codAmount: ['Importo contrassegno', 'Importo C/A'],
    insuredValue: ['Valore assicurato'],
    storageDays: ['Giorni giacenza'],
    net: ['Totale imponibile', 'Imponibile', 'Totale'],
    vatPercent: ['Aliquota IVA', '% IVA'],
    vatAmount: ['Importo IVA', 'IVA'],
    currency: ['Valuta', 'Divisa'],
  },
  charges: [
    { column: ['Nolo', 'Trasporto'], kinds: ['base'] },
    { column: ['Supplementi', 'Diritti'], kinds: ['surcharges'] },
    { column: ['Supplemento carburante', 'Carburante', 'Fuel'], kinds: ['fuel'] },
    { column: ['Servizi accessori', 'Servizi'], kinds: ['options'] },
    { column: ['Diritti contrassegno', 'Provvigione C/A'], kinds: ['cod'] },
    { column: ['Assicurazione'], kinds: ['insurance'] },
    { column: ['Giacenza', 'Diritti giacenza'], kinds: ['storage'] },
    { column: ['Riconsegna'], kinds: ['redelivery'] },
    { column: ['Reso', 'Rientro'], kinds: ['return'] },
  ],
  skip: [{ column: ['Numero spedizione', 'Spedizione', 'LNA'], values: ['Totale', 'Totali', 'TOTALE FATTURA'] }],
};

const GLS: InvoiceMapping = {
  name: 'GLS',
  columns: {
    trackingNumber: ['Numero spedizione', 'Nr. spedizione', 'Spedizione'],
    reference: ['Bda', 'Riferimento cliente', 'Rif. cliente'],
    date: ['Data spedizione', 'Data'],
    chargeableKg: ['Peso fatturato', 'Peso tassabile'],
    realKg: ['Peso reale', 'Peso'],
    volumetricKg: ['Peso volume'],
    zone: ['Zona'],
    codAmount: ['Contrassegno', 'Importo contrassegno'],
    insuredValue: ['Valore assicurato', 'Importo assicurato'],
    storageDays: ['Giorni giacenza'],
    net: ['Totale', 'Imponibile'],
    vatPercent: ['Aliquota IVA', '% IVA'],
    currency: ['Valuta', 'Divisa'],
  },
  charges: [
    { column: ['Importo trasporto', 'Nolo'], kinds: ['base'] },
    { column: ['Supplementi', 'Altre spese'], kinds: ['surcharges'] },
    { column: ['Fuel surcharge', 'Adeguamento carburante'], kinds: ['fuel'] },
    { column: ['Servizi accessori'], kinds: ['options'] },
    { column: ['Diritto contrassegno', 'Diritti contrassegno'], kinds: ['cod'] },
    { column: ['Diritto assicurazione', 'Assicurazione'], kinds: ['insurance'] },
    { column: ['Giacenza', 'Apertura giacenza'], kinds: ['storage'] },
    { column: ['Riconsegna', 'Consegna successiva'], kinds: ['redelivery'] },
    { column: ['Reso', 'Ritorno'], kinds: ['return'] },
  ],
  skip: [],
};

const POSTE: InvoiceMapping = {
  name: 'POSTE',
  columns: {
    trackingNumber: ['Codice spedizione', 'Lettera di vettura', 'LDV'],
    reference: ['Riferimento cliente', 'Id cliente'],
    date: ['Data accettazione', 'Data spedizione'],
    chargeableKg: ['Peso tassato (kg)', 'Peso tassato'],
    realKg: ['Peso reale (kg)', 'Peso reale'],
    volumetricKg: ['Peso volumetrico (kg)', 'Peso volumetrico'],
    zone: ['Zona', 'Area'],
    codAmount: ['Importo contrassegno'],
    insuredValue: ['Valore assicurato'],
    storageDays: ['Giorni giacenza'],
    net: ['Totale netto', 'Imponibile'],
    vatPercent: ['Aliquota IVA', 'IVA %'],
    currency: ['Valuta', 'Divisa'],
  },
  charges: [
    { column: ['Tariffa', 'Prezzo base'], kinds: ['base'] },
    { column: ['Supplementi'], kinds: ['surcharges'] },
    { column: ['Adeguamento carburante', 'Fuel'], kinds: ['fuel'] },
    { column: ['Servizi accessori'], kinds: ['options'] },
    { column: ['Servizio contrassegno'], kinds: ['cod'] },
    { column: ['Servizio assicurazione', 'Assicurazione'], kinds: ['insurance'] },
    { column: ['Giacenza'], kinds: ['storage'] },
    { column: ['Restituzione', 'Reso'], kinds: ['return'] },
  ],
  skip: [],
};

const DHL: InvoiceMapping = {
  name: 'DHL',
  columns: {
    trackingNumber: ['Shipment Number', 'AWB Number', 'Waybill'],
    reference: ['Shipment Reference 1', 'Shipper Reference'],
    date: ['Shipment Date'],
    chargeableKg: ['Weight (kg)', 'Billed Weight'],
    realKg: ['Declared Weight', 'Actual Weight'],
    volumetricKg: ['Volumetric Weight', 'Dimensional Weight'],
    zone: ['Zone', 'Rate Zone'],
    insuredValue: ['Insured Amount'],
    net: ['Total amount (excl. VAT)', 'Net Amount'],
    vatPercent: ['VAT %', 'Tax Rate'],
    vatAmount: ['Total Tax', 'Tax Amount'],
    currency: ['Currency', 'Billing Currency'],
  },
  charges: [
    { column: ['Weight Charge'], kinds: ['base'] },
    { column: ['Fuel Surcharge', 'FF Amount'], kinds: ['fuel'] },
    { column: ['Other Charges', 'Total Extra Charges'], kinds: ['surcharges'] },
    { column: ['Optional Services'], kinds: ['options'] },
    { column: ['Shipment Insurance', 'II Amount'], kinds: ['insurance'] },
    { column: ['Return Charge'], kinds: ['return'] },
  ],
  skip: [{ column: ['Line Type'], values: ['I'] }],
};

const UPS: InvoiceMapping = {
  name: 'UPS',
  columns: {
    trackingNumber: ['Tracking Number', 'Lead Shipment Number'],
    reference: ['Shipment Reference Number 1', 'Reference No.1'],
    date: ['Shipment Date', 'Transaction Date', 'Pickup Date'],
    chargeableKg: ['Billed Weight'],
    realKg: ['Entered Weight', 'Actual Weight'],
    zone: ['Zone'],
    insuredValue: ['Declared Value'],
    vatPercent: ['Tax Rate', 'VAT Rate'],
    currency: ['Invoice Currency Code', 'Currency', 'Transaction Currency Code'],
  },
  charges: {
    name: ['Charge Description Code', 'Charge Description'],
    amount: ['Net Amount'],
    charges: [
      { named: ['FRT', 'Freight', 'Dom. *', 'TB *', 'WW *'], kinds: ['base'] },
      { named: ['FSC', 'Fuel Surcharge'], kinds: ['fuel'] },
      { named: ['COD', 'C.O.D.*'], kinds: ['cod'] },
      { named: ['INS', 'Declared Value*'], kinds: ['insurance'] },
      { named: ['SAT', 'Saturday*', 'DCS', 'Delivery Confirmation*'], kinds: ['options'] },
      { named: ['RTS', 'Return*', 'Undeliverable Return*'], kinds: ['return'] },
      { named: ['ADC', 'Address Correction*'], kinds: ['address_change'] },
    ],
    otherwise: 'surcharges',
  },
  skip: [],
};

/** By carrier code, and `PLAIN`. */
export const INVOICE_MAPPINGS: Readonly<Record<string, InvoiceMapping>> = { PLAIN, BRT, GLS, DHL, UPS, POSTE };
