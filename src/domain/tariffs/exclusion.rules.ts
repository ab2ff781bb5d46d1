import type { CompiledVersion } from './compile/compiled-tariff.rules.ts';
import { DECIMALS, decimalText } from './units.rules.ts';

export type ExclusionCode =
  | 'DESTINATION_NOT_SERVED'
  | 'WEIGHT_OUT_OF_RANGE'
  | 'DIMENSIONS_OUT_OF_RANGE'
  | 'COD_NOT_SUPPORTED'
  | 'INSURANCE_NOT_SUPPORTED'
  | 'OPTION_NOT_SUPPORTED'
  | 'PROVINCE_NEEDED'
  | 'NO_TARIFF_IN_FORCE';

/** Why a tariff does not apply: the rule, and the sentence for people, in Italian. */
export interface Exclusion {
  readonly ok: false;
  readonly code: ExclusionCode;
  /** Path of the rule in the tariff. */
  readonly rule: readonly (string | number)[];
  readonly version: CompiledVersion | undefined;
  readonly reason: ExclusionReason;
}

export const NO_TARIFF: Exclusion = {
  ok: false,
  code: 'NO_TARIFF_IN_FORCE',
  rule: [],
  version: undefined,
  reason: { is: 'no_tariff' },
};

/** The reasons of exclusions, which `exclusionMessage` turns into sentences. */
export type ExclusionReason =
  | { readonly is: 'no_tariff' | 'not_in_force' | 'no_zone' | 'too_dear' | 'no_cod' | 'no_insurance' }
  | { readonly is: 'only_pallets' }
  | { readonly is: 'cod_not_offered' | 'insurance_not_offered' }
  | { readonly is: 'origin'; readonly country: string }
  | { readonly is: 'not_served'; readonly why: string }
  | { readonly is: 'province'; readonly postalCode: string; readonly provinces: readonly string[] }
  | { readonly is: 'parcel_weight' | 'shipment_weight' | 'last_band'; readonly grams: number; readonly limit: number }
  | { readonly is: 'longest_side' | 'sum_of_sides' | 'girth'; readonly side: number; readonly limit: number }
  | { readonly is: 'parcel_count' | 'pallet_count'; readonly count: number; readonly limit: number }
  | { readonly is: 'cod_amount' | 'insured_value'; readonly cents: number; readonly limit: number }
  | { readonly is: 'unknown_option'; readonly option: string; readonly offered: readonly string[] }
  | { readonly is: 'option_not_offered'; readonly option: string }
  | { readonly is: 'unknown_service'; readonly service: string; readonly offered: readonly string[] }
  | { readonly is: 'service_not_offered'; readonly service: string };

/** An exclusion with the rule's path in the document. */
export function excluded(
  version: CompiledVersion | undefined,
  code: ExclusionCode,
  rule: readonly (string | number)[],
  reason: ExclusionReason,
): Exclusion {
  return {
    ok: false,
    code,
    version,
    rule: version === undefined ? rule : ['versions', version.index, ...rule],
    reason,
  };
}

type WarningCode = ExclusionCode | 'NO_CARRIERS_CONNECTED' | 'NO_CARRIER_AVAILABLE';

/** The messages of a quote where no connection applies. */
export const WARNING_MESSAGES: Readonly<Record<WarningCode, string>> = {
  NO_CARRIERS_CONNECTED: 'Nessun corriere attivo tra quelli considerati.',
  NO_CARRIER_AVAILABLE: 'Nessun corriere disponibile per questa spedizione.',
  DESTINATION_NOT_SERVED: 'Nessuno dei corrieri considerati serve questa destinazione.',
  WEIGHT_OUT_OF_RANGE: 'Il peso supera i limiti di tutti i corrieri considerati.',
  DIMENSIONS_OUT_OF_RANGE: 'Le dimensioni superano i limiti di tutti i corrieri considerati.',
  COD_NOT_SUPPORTED: 'Nessuno dei corrieri considerati offre il contrassegno richiesto.',
  INSURANCE_NOT_SUPPORTED: "Nessuno dei corrieri considerati offre l'assicurazione richiesta.",
  OPTION_NOT_SUPPORTED: 'Nessuno dei corrieri considerati offre le opzioni o il servizio richiesti.',
  PROVINCE_NEEDED: 'Il prezzo di tutti i corrieri considerati dipende dalla provincia: indicarla.',
  NO_TARIFF_IN_FORCE: 'Nessuno dei corrieri considerati ha un listino in vigore alla data richiesta.',
};

/**
 * The reason that all connections with a tariff in force share, or the reason that they share none. Connections without
 * a tariff in force show nothing about the shipment, so they count only if no connection has one.
 */
export function warningCode(codes: readonly ExclusionCode[]): WarningCode {
  const inForce = codes.filter(code => code !== 'NO_TARIFF_IN_FORCE');
  const [first, ...others] = new Set<WarningCode>(inForce.length > 0 ? inForce : codes);
  if (first === undefined) return 'NO_CARRIERS_CONNECTED';
  return others.length === 0 ? first : 'NO_CARRIER_AVAILABLE';
}

/** Why a connection does not apply, in a sentence. */
export function exclusionMessage(reason: ExclusionReason): string {
  switch (reason.is) {
    case 'no_tariff':
      return 'La connessione non ha un listino.';
    case 'not_in_force':
      return 'Nessun listino in vigore alla data di spedizione.';
    case 'origin':
      return `Il listino non vale per spedizioni in partenza da ${reason.country}.`;
    case 'no_zone':
      return 'La destinazione non rientra in alcuna zona del listino.';
    case 'not_served':
      return `Destinazione non servita: ${reason.why}.`.replace(/\.\.$/, '.');
    case 'province':
      return `Il CAP ${reason.postalCode} appartiene a più province (${reason.provinces.join(', ')}) con condizioni diverse: indicare la provincia.`;
    case 'parcel_weight':
      return `Un collo pesa ${kg(reason.grams)}: il massimo per collo è ${kg(reason.limit)}.`;
    case 'shipment_weight':
      return `La spedizione pesa ${kg(reason.grams)}: il massimo è ${kg(reason.limit)}.`;
    case 'last_band':
      return `Il peso tassabile è ${kg(reason.grams)}: il listino arriva a ${kg(reason.limit)}.`;
    case 'only_pallets':
      return 'La zona ha prezzi solo per bancali di altri tipi.';
    case 'too_dear':
      return 'Il prezzo supera il massimo calcolabile.';
    case 'longest_side':
      return `Il lato più lungo è ${cm(reason.side)}: il massimo è ${cm(reason.limit)}.`;
    case 'sum_of_sides':
      return `La somma dei lati è ${cm(reason.side)}: il massimo è ${cm(reason.limit)}.`;
    case 'girth':
      return `La circonferenza più il lato più lungo è ${cm(reason.side)}: il massimo è ${cm(reason.limit)}.`;
    case 'pallet_count':
      return `I bancali sono ${reason.count}: il massimo è ${reason.limit}.`;
    case 'parcel_count':
      return `I colli sono ${reason.count}: il massimo è ${reason.limit}.`;
    case 'no_cod':
      return 'Il contrassegno non è offerto.';
    case 'cod_amount':
      return `Il contrassegno di ${euro(reason.cents)} supera il massimo di ${euro(reason.limit)}.`;
    case 'cod_not_offered':
      return 'Il contrassegno non è offerto per questa spedizione.';
    case 'insurance_not_offered':
      return "L'assicurazione non è offerta per questa spedizione.";
    case 'no_insurance':
      return "L'assicurazione non è offerta.";
    case 'insured_value':
      return `Il valore assicurato di ${euro(reason.cents)} supera il massimo di ${euro(reason.limit)}.`;
    case 'unknown_option':
      return `L'opzione ${reason.option} non è offerta. ${offer(reason.offered)}`;
    case 'option_not_offered':
      return `L'opzione ${reason.option} non è offerta per questa spedizione.`;
    case 'unknown_service':
      return `Il servizio ${reason.service} non è offerto. ${servicesOffered(reason.offered)}`;
    case 'service_not_offered':
      return `Il servizio ${reason.service} non è offerto per questa spedizione.`;
  }
}

function offer(codes: readonly string[]): string {
  return codes.length === 0 ? 'Il listino non ha opzioni.' : `Opzioni del listino: ${codes.join(', ')}.`;
}

function servicesOffered(codes: readonly string[]): string {
  return codes.length === 0 ? 'Il listino non distingue servizi.' : `Servizi del listino: ${codes.join(', ')}.`;
}

const italian = (count: number, decimals: number) => decimalText(count, decimals).replace('.', ',');
const kg = (grams: number) => `${shortest(italian(grams, DECIMALS.kg))} kg`;
const cm = (side: number) => `${shortest(italian(side, DECIMALS.cm))} cm`;
const euro = (cents: number) => `${italian(cents, DECIMALS.money)} €`;
const shortest = (text: string) => text.replace(/(?<![,0])0+$|,0+$/, '');
