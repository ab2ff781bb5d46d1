import { type Language, WORDS } from '../../../pricing/tariffs/explanation-words.rules.ts';

/** The words of findings in each language, with the words of prices. Numbers have the same form in both languages. */

const ENGLISH = {
  ...WORDS.en,

  due: (what: string) => `due: ${what}`,
  charged: (amount: string, due: string) => `${amount} was charged; due: ${due}`,
  chargedAt: (amount: string, percent: number, due: string) => `${amount} was charged at ${percent} %; due: ${due}`,
  chargedPriceOf: (name: string, amount: string, due: string) =>
    `the price of ${name}, ${amount}, was charged; due: ${due}`,
  chargedPriceUpTo: (weight: string, due: string) => `the price up to ${weight} was charged; due: ${due}`,
  chargedWeight: (weight: string, due: string) => `${weight} were charged; due: ${due}`,
  chargedRateFrom: (percent: number, day: string, due: string) =>
    `${percent} % was charged, the percentage from ${day}; due: ${due}`,
  chargedDays: (count: number, due: string) => `${count} days were charged; due: ${due}`,
  noMoreThan: (amount: string, reason: string) => `at most ${amount} (${reason})`,
  noLessThan: (amount: string, reason: string) => `at least ${amount} (${reason})`,

  wasNotOrdered: 'was not ordered',
  doesNotApply: 'its condition does not hold',
  tariffHasNo: (name: string) => `the tariff has no ${name}`,
  components: {
    base: 'base',
    surcharges: 'surcharges',
    fuel: 'fuel',
    options: 'options',
    cod: 'cod',
    insurance: 'insurance',
  },
  billedBefore: (names: string) => `${names} of this shipment was billed before`,
  billedInMonth: (codes: string, month: string) => `${codes} of ${month} was billed before`,
  correction: (names: string, amount: string, due: string) =>
    `${names}: a correction of ${amount}; ${due} was still due`,
  byWeight: (amount: string, weight: string) => `${amount} by ${weight}`,
  unknownShipment: 'no shipment of the connection has the number',
  chargesComeTo: (amount: string) => `the charges come to ${amount}`,

  notChecked: (why: string) => `not checked: ${why}`,
  isUnknown: {
    codPayment: 'how the cash was paid is not known',
    monthlyShipments: 'the number of shipments of the month is not known',
    pallets: 'which of the parcels are pallets is not known',
    recipientType: 'whether the recipient is a business is not known',
    goodsValue: 'what the goods are worth is not known',
    dutiesAmount: 'the duties that were advanced are not known',
  },
  pickupsUnknown: 'the number of pickups is not known',
  feeUnknown: (codes: string) => `which fee of the account it is is not known: ${codes}`,
  noFees: 'the tariff has no fees of the account',
  noEvents: 'the tariff has no prices after the shipment',
  noStorage: 'the tracking shows no storage',
  noReturn: 'the tracking shows no return',
  daysUnknown: 'storage: neither the invoice nor the tracking states the days',
  minutesUnknown: 'waiting: the invoice does not state the minutes',
  daysDue: (count: number, price: string) => `${count} ${count === 1 ? 'day' : 'days'}, ${price}`,
};

export type FindingWords = typeof ENGLISH;

const ITALIAN: FindingWords = {
  ...WORDS.it,

  due: what => `dovuto: ${what}`,
  charged: (amount, due) => `addebitato ${amount}; dovuto: ${due}`,
  chargedAt: (amount, percent, due) => `addebitato ${amount} (${percent} %); dovuto: ${due}`,
  chargedPriceOf: (name, amount, due) => `addebitato il prezzo di ${name}, ${amount}; dovuto: ${due}`,
  chargedPriceUpTo: (weight, due) => `addebitato il prezzo fino a ${weight}; dovuto: ${due}`,
  chargedWeight: (weight, due) => `peso addebitato ${weight}; dovuto: ${due}`,
  chargedRateFrom: (percent, day, due) => `addebitato ${percent} %, aliquota dal ${day}; dovuto: ${due}`,
  chargedDays: (count, due) => `addebitati ${count} giorni; dovuto: ${due}`,
  noMoreThan: (amount, reason) => `al massimo ${amount} (${reason})`,
  noLessThan: (amount, reason) => `almeno ${amount} (${reason})`,

  wasNotOrdered: 'non richiesto',
  doesNotApply: 'la sua condizione non è soddisfatta',
  tariffHasNo: name => `il listino non prevede ${name}`,
  components: {
    base: 'nolo',
    surcharges: 'supplementi',
    fuel: 'supplemento carburante',
    options: 'servizi accessori',
    cod: 'contrassegno',
    insurance: 'assicurazione',
  },
  billedBefore: names => `${names}: già fatturato per questa spedizione`,
  billedInMonth: (codes, month) => `${codes}: già fatturato per ${month}`,
  correction: (names, amount, due) => `${names}: rettifica di ${amount}; ancora dovuto ${due}`,
  byWeight: (amount, weight) => `${amount} per ${weight}`,
  unknownShipment: 'nessuna spedizione affidata al corriere ha questo numero',
  chargesComeTo: amount => `gli importi addebitati ammontano a ${amount}`,

  notChecked: why => `non verificato: ${why}`,
  isUnknown: {
    codPayment: 'non è noto come è stato pagato il contrassegno',
    monthlyShipments: 'non è noto il numero di spedizioni del mese',
    pallets: 'non è noto quali colli sono bancali',
    recipientType: "non è noto se il destinatario è un'azienda",
    goodsValue: 'non è noto il valore della merce',
    dutiesAmount: 'non sono noti i dazi anticipati',
  },
  pickupsUnknown: 'non è noto il numero di ritiri',
  feeUnknown: codes => `non è noto di quale voce si tratta: ${codes}`,
  noFees: 'il listino non prevede canoni, ritiri o minimi',
  noEvents: 'il listino non prevede prezzi dopo la spedizione',
  noStorage: 'dal tracking non risulta una giacenza',
  noReturn: 'dal tracking non risulta un reso',
  daysUnknown: 'giacenza: né la fattura né il tracking indicano i giorni',
  minutesUnknown: 'sosta: la fattura non indica i minuti',
  daysDue: (count, price) => `${count} ${count === 1 ? 'giorno' : 'giorni'}, ${price}`,
};

export const FINDING_WORDS: Readonly<Record<Language, FindingWords>> = { it: ITALIAN, en: ENGLISH };
