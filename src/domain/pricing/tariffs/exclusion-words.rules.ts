import type { ExclusionReason, WarningCode } from './exclusion.rules.ts';
import type { Language } from './explanation-words.rules.ts';
import { DECIMALS, decimalNumber, decimalText, kilograms, money } from './units.rules.ts';

/** The sentences that say why a tariff does not apply, in each language. REST has the Italian ones. */

/** The messages of a quote where no connection applies. */
export const WARNING_MESSAGES: Readonly<Record<Language, Readonly<Record<WarningCode, string>>>> = {
  it: {
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
  },
  en: {
    NO_CARRIERS_CONNECTED: 'No active carrier among those considered.',
    NO_CARRIER_AVAILABLE: 'No carrier is available for this shipment.',
    DESTINATION_NOT_SERVED: 'None of the carriers considered serves this destination.',
    WEIGHT_OUT_OF_RANGE: 'The weight is above the limits of all carriers considered.',
    DIMENSIONS_OUT_OF_RANGE: 'The dimensions are above the limits of all carriers considered.',
    COD_NOT_SUPPORTED: 'None of the carriers considered offers the cash on delivery that is asked for.',
    INSURANCE_NOT_SUPPORTED: 'None of the carriers considered offers the insurance that is asked for.',
    OPTION_NOT_SUPPORTED: 'None of the carriers considered offers the options or the service that are asked for.',
    PROVINCE_NEEDED: 'The price of all carriers considered depends on the province: give it.',
    NO_TARIFF_IN_FORCE: 'None of the carriers considered has a tariff in force on the day that is asked for.',
  },
};

/** Why a connection does not apply, in a sentence. */
export function exclusionMessage(reason: ExclusionReason, language: Language = 'it'): string {
  return language === 'it' ? italian(reason) : english(reason);
}

function italian(reason: ExclusionReason): string {
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

const comma = (count: number, decimals: number) => decimalText(count, decimals).replace('.', ',');
const kg = (grams: number) => `${shortest(comma(grams, DECIMALS.kg))} kg`;
const cm = (side: number) => `${shortest(comma(side, DECIMALS.cm))} cm`;
const euro = (cents: number) => `${comma(cents, DECIMALS.money)} €`;
const shortest = (text: string) => text.replace(/(?<![,0])0+$|,0+$/, '');

function english(reason: ExclusionReason): string {
  switch (reason.is) {
    case 'no_tariff':
      return 'The connection has no tariff.';
    case 'not_in_force':
      return 'No tariff is in force on the day of shipment.';
    case 'origin':
      return `The tariff is not for shipments that leave from ${reason.country}.`;
    case 'no_zone':
      return 'The destination is in no zone of the tariff.';
    case 'not_served':
      return `Destination not served: ${reason.why}.`.replace(/\.\.$/, '.');
    case 'province':
      return `The postal code ${reason.postalCode} belongs to several provinces (${reason.provinces.join(', ')}) with different terms: give the province.`;
    case 'parcel_weight':
      return `A parcel weighs ${kilograms(reason.grams)} kg: the most for a parcel is ${kilograms(reason.limit)} kg.`;
    case 'shipment_weight':
      return `The shipment weighs ${kilograms(reason.grams)} kg: the most is ${kilograms(reason.limit)} kg.`;
    case 'last_band':
      return `The chargeable weight is ${kilograms(reason.grams)} kg: the tariff reaches ${kilograms(reason.limit)} kg.`;
    case 'only_pallets':
      return 'The zone has prices only for pallets of other types.';
    case 'too_dear':
      return 'The price is above the most that can be calculated.';
    case 'longest_side':
      return `The longest side is ${centimetres(reason.side)}: the most is ${centimetres(reason.limit)}.`;
    case 'sum_of_sides':
      return `The sum of the sides is ${centimetres(reason.side)}: the most is ${centimetres(reason.limit)}.`;
    case 'girth':
      return `Girth and longest side are ${centimetres(reason.side)}: the most is ${centimetres(reason.limit)}.`;
    case 'pallet_count':
      return `There are ${reason.count} pallets: the most is ${reason.limit}.`;
    case 'parcel_count':
      return `There are ${reason.count} parcels: the most is ${reason.limit}.`;
    case 'no_cod':
      return 'Cash on delivery is not offered.';
    case 'cod_amount':
      return `The amount to be collected, ${money(reason.cents)} €, is above the most, ${money(reason.limit)} €.`;
    case 'cod_not_offered':
      return 'Cash on delivery is not offered for this shipment.';
    case 'insurance_not_offered':
      return 'Insurance is not offered for this shipment.';
    case 'no_insurance':
      return 'Insurance is not offered.';
    case 'insured_value':
      return `The insured value, ${money(reason.cents)} €, is above the most, ${money(reason.limit)} €.`;
    case 'unknown_option':
      return `The option ${reason.option} is not offered. ${listed('options', reason.offered)}`;
    case 'option_not_offered':
      return `The option ${reason.option} is not offered for this shipment.`;
    case 'unknown_service':
      return `The service ${reason.service} is not offered. ${listed('services', reason.offered)}`;
    case 'service_not_offered':
      return `The service ${reason.service} is not offered for this shipment.`;
  }
}

const centimetres = (side: number) => `${decimalNumber(side, DECIMALS.cm)} cm`;

function listed(what: 'options' | 'services', codes: readonly string[]): string {
  return codes.length === 0 ? `The tariff has no ${what}.` : `The ${what} of the tariff: ${codes.join(', ')}.`;
}
