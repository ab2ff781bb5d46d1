import { FINDING_WORDS, type FindingWords } from './finding-words.rules.ts';

/** The errors of an invoice's line: each code with its meaning, and its text for the carrier, in Italian. */
export const FINDING_CODES = {
  weight_band: {
    description: 'The weight band that was charged is not the band of the chargeable weight.',
    reason: 'Scaglione di peso errato',
  },
  volumetric: {
    description:
      'The weight that was charged is volumetric, and differs from the volumetric weight of the parcels by the tariff.',
    reason: 'Peso volumetrico errato',
  },
  zone: { description: 'The price of another zone was charged.', reason: 'Zona tariffaria errata' },
  service: {
    description: 'The service that was charged is not the one that the order or the quote asks for.',
    reason: 'Servizio diverso da quello richiesto',
  },
  base_price: {
    description: 'The base price is not in the tariff, for this or any other weight band, zone or service.',
    reason: 'Nolo diverso dal listino',
  },
  surcharge_not_due: {
    description: 'A surcharge was charged whose condition does not hold, or that the tariff does not have.',
    reason: 'Supplemento non dovuto',
  },
  surcharge_amount: {
    description: 'Surcharges that are due were charged with another amount, or were not charged.',
    reason: 'Importo del supplemento errato',
  },
  option: {
    description: 'An option was charged that was not ordered, or with another amount.',
    reason: 'Servizio accessorio non richiesto o importo errato',
  },
  fuel_month: {
    description: 'Fuel was charged at the percentage of another month or week.',
    reason: 'Supplemento carburante di un altro periodo',
  },
  fuel: {
    description: 'Fuel was charged with an amount that no month explains.',
    reason: 'Supplemento carburante errato',
  },
  cod_fee: {
    description: 'The fee for cash on delivery differs, or nothing was to be collected.',
    reason: 'Diritto di contrassegno errato',
  },
  insurance: {
    description: 'The price of the insurance differs, or nothing was insured.',
    reason: 'Assicurazione errata',
  },
  storage_days: {
    description: 'More days of storage were charged than the tracking shows.',
    reason: 'Giorni di giacenza errati',
  },
  storage: {
    description: 'Storage was charged with another amount for its days, or the tracking shows none.',
    reason: 'Giacenza non dovuta o importo errato',
  },
  return: {
    description: 'A return was charged with another amount, or the tracking shows none.',
    reason: 'Reso non dovuto o importo errato',
  },
  after_shipment: {
    description: 'A redelivery, a changed address or waiting was charged with another amount.',
    reason: 'Servizio successivo alla spedizione: importo errato',
  },
  account_fee: {
    description: 'A fee or the minimum of the account was charged with another amount.',
    reason: 'Canone, ritiro o minimo errato',
  },
  not_checked: {
    description:
      'A charge cannot be checked: nothing states the days of storage, the minutes of waiting or a term on which its price depends, such as how the cash was paid; or the tariff has no `afterShipment`, no `account`, or several fees, none of which is named. The amount of the finding is zero.',
    reason: 'Non verificabile',
  },
  duplicate: {
    description: 'The shipment was charged before, on this invoice or on one that was imported earlier.',
    reason: 'Spedizione già fatturata',
  },
  correction: {
    description:
      'The carrier corrected what it had billed for the shipment, for example by another weight, and the sum is more than is due.',
    reason: 'Rettifica di una spedizione già fatturata',
  },
  unknown_shipment: {
    description: 'No shipment of the connection has the number.',
    reason: 'Spedizione sconosciuta',
  },
  total: {
    description: 'The total of the line is not the sum of its charges.',
    reason: 'Il totale della riga non corrisponde agli importi',
  },
  vat: { description: 'VAT was charged at another percentage. The amount is VAT.', reason: 'IVA errata' },
  rounding: { description: 'A charge differs by one cent.', reason: 'Arrotondamento' },
} as const satisfies Readonly<Record<string, { readonly description: string; readonly reason: string }>>;

export type FindingCode = keyof typeof FINDING_CODES;

/** A text in each language, made once its finding is known to count. */
export type Explanation = (words: FindingWords) => string;

/** A difference of a line, in cents. */
export interface Finding {
  readonly code: FindingCode;
  /** The excess; negative if too little was billed. */
  readonly amountCents: number;
  /** The billed amount of its charges. */
  readonly billedCents: number;
  readonly dueCents: number;
  /** Path of the rule in the tariff; null without a rule. */
  readonly rule: readonly (string | number)[] | null;
  /** The due amount and its reason, for people. */
  readonly explanation: Explanation;
}

/** A finding with its texts, as it is stored. */
export interface ExplainedFinding extends Omit<Finding, 'explanation'> {
  /** In English. */
  readonly explanation: string;
  readonly explanationIt: string;
}

export function explained({ explanation, ...finding }: Finding): ExplainedFinding {
  return { ...finding, explanation: explanation(FINDING_WORDS.en), explanationIt: explanation(FINDING_WORDS.it) };
}
