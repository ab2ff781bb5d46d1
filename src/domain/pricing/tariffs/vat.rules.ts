import type { Area } from './areas/place.format.rules.ts';

/** VAT of a destination: percent, and the legal basis if there is one. */
export interface VatRow {
  readonly to: Area;
  readonly percent: number;
  readonly note?: string;
}

const NOT_TAXABLE = 'Non imponibile, art. 9, c. 1, n. 2, D.P.R. 633/72 (trasporto relativo a beni in esportazione)';
const OUTSIDE_ITALY = 'Fuori dal territorio dello Stato ai fini IVA, art. 7, c. 1, lett. a, D.P.R. 633/72';
const OUTSIDE_UNION = 'Territorio escluso dal sistema comune IVA, art. 6, direttiva 2006/112/CE';
const STATE = 'Non imponibile, artt. 71 e 72, D.P.R. 633/72';

/**
 * Livigno goes by the CAP that is only its own (23041), and with the old 23030, which it shares with places in Valtellina
 * that pay VAT, by its name; Campione likewise.
 */
export const LIVIGNO = { postalCodes: ['23041'], municipalities: ['Livigno', 'Trepalle'] };
export const CAMPIONE = { postalCodes: ['22061'], municipalities: ["Campione d'Italia"] };

/** Postal codes of member states where the Union's VAT does not apply. */
const OUTSIDE_UNION_FOR_VAT = [
  'ES 35*',
  'ES 38*',
  'ES 51*',
  'ES 52*',
  'DE 27498',
  'DE 78266',
  'FI 22*',
  'GR 63086',
  'GR 63087',
  'FR 97*',
];
const FRENCH_PACIFIC = ['FR 986*', 'FR 987*', 'FR 988*'];

/** VAT by destination for tariffs without a table of their own. */
export const VAT_TABLE: readonly VatRow[] = [
  { to: { countries: ['IT', 'EU'] }, percent: 22 },
  { to: { countries: ['MC'] }, percent: 22, note: 'Trattato come territorio francese, art. 7, direttiva 2006/112/CE' },
  { to: LIVIGNO, percent: 0, note: OUTSIDE_ITALY },
  { to: CAMPIONE, percent: 0, note: OUTSIDE_ITALY },
  { to: { countries: ['SM'], postalCodes: ['47890-47899'] }, percent: 0, note: STATE },
  { to: { countries: ['VA'], postalCodes: ['00120'] }, percent: 0, note: STATE },
  { to: { postalCodes: OUTSIDE_UNION_FOR_VAT }, percent: 0, note: OUTSIDE_UNION },
  { to: { postalCodes: FRENCH_PACIFIC }, percent: 0, note: NOT_TAXABLE },
  { to: { anywhere: true }, percent: 0, note: NOT_TAXABLE },
];
