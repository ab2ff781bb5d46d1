import { DHL } from './dhl-invoice.catalog.ts';
import { FEDEX } from './fedex-invoice.catalog.ts';
import { COLUMNS, type InvoiceMapping } from './invoice-mapping.format.rules.ts';
import { UPS } from './ups-invoice.catalog.ts';

/** Mappings of carriers' invoices. A customer's columns can differ: the customer's own mapping replaces these. */

/** Each package has a row of its own, or weights have other units. */
const NOT_IN_PLAIN: ReadonlySet<string> = new Set(['shipmentNumber', 'chargeableUnit', 'realUnit']);

/** One row per shipment, with the names in the guides: the target format for other programs and carriers. */
const PLAIN: InvoiceMapping = {
  name: 'PLAIN',
  columns: Object.fromEntries(
    Object.keys(COLUMNS)
      .filter(name => !NOT_IN_PLAIN.has(name))
      .map(name => [name, name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)]),
  ),
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
    { column: 'account', kinds: ['account'] },
    { column: 'duties', kinds: ['duties'] },
  ],
  skip: [],
};

/**
 * BRT, GLS Italy and Poste Italiane publish no file of their invoices, and no public program reads one (looked for on
 * 2026-11-28), so that nobody could hold these names against a file. Public programs read the text of PDF invoices (GitHub):
 * BRT's has the columns `Peso reale`, `Peso tass.` and `Trasporto`, GLS' has `BDA`, `Peso`, `Peso vol.`, `Nolo` and `Dir/Ass`.
 */
const BRT: InvoiceMapping = {
  name: 'BRT',
  columns: {
    trackingNumber: ['Numero spedizione', 'Spedizione', 'LNA'],
    parcelId: ['Parcel ID', 'Segnacollo'],
    reference: ['Rif. mittente numerico', 'Riferimento mittente', 'Rif. mittente'],
    date: ['Data spedizione', 'Data'],
    chargeableKg: ['Peso tassato', 'Peso tass.', 'Peso fatturato'],
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
    trackingNumber: ['Numero spedizione', 'Nr. spedizione', 'N. sped.', 'Spedizione'],
    reference: ['Bda', 'Riferimento cliente', 'Rif. cliente'],
    date: ['Data spedizione', 'Data'],
    chargeableKg: ['Peso fatturato', 'Peso tassabile'],
    realKg: ['Peso reale', 'Peso'],
    volumetricKg: ['Peso volume', 'Peso vol.'],
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
    { column: ['Dir/Ass'], kinds: ['cod', 'insurance'] },
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

/** By carrier code, and `PLAIN`. */
export const INVOICE_MAPPINGS: Readonly<Record<string, InvoiceMapping>> = {
  ...{ PLAIN, BRT, GLS, DHL, UPS, FEDEX, POSTE },
};
