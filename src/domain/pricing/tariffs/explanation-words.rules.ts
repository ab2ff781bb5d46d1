import { amountFields } from './shipment-terms.rules.ts';

/**
 * The words of explanations in each language: one table, from which every text about a price is made. Numbers have the
 * same form in both.
 */

export const LANGUAGES = ['it', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const ENGLISH = {
  measures: {
    chargeableKg: ['kg', 'kg'],
    realKg: ['kg', 'kg'],
    volumeM3: ['m³', 'm³'],
    parcels: ['parcel', 'parcels'],
    pallets: ['pallet', 'pallets'],
    loadingMetres: ['loading metre', 'loading metres'],
    monthlyShipments: ['shipment a month', 'shipments a month'],
    storageDays: ['day', 'days'],
    waitingMinutes: ['minute', 'minutes'],
  },
  values: {
    codCents: 'the amount collected',
    insuredCents: 'the value insured',
    ...amountFields(({ en }) => en as string),
  },

  aShipment: (amount: string) => `${amount} a shipment`,
  aKg: (amount: number) => `${amount} a kg`,
  aParcel: (amount: string) => `${amount} a parcel`,
  ofItsCondition: ' that it is for',
  afterFirst: (count: number) => ` after the first ${count}`,
  above: (amount: string) => ` above ${amount}`,
  atLeast: (amount: string) => `, at least ${amount}`,
  atMost: (amount: string) => `, at most ${amount}`,
  greaterOf: (texts: readonly string[]) => `the greater of ${texts.join(' and ')}`,
  withinAllowance: (amount: string, allowance: string) => `${amount} lie within the allowance of ${allowance}`,
  forEach: (step: string) => `for each ${step} begun`,
  of: (amount: string) => ` of ${amount}`,
  and: ' and ',

  percentByDate: 'a percentage by date',
  percentOf: (percent: string, amount: string) => `${percent} of ${amount}`,
  less: (amount: string, allowance: string) => ` (${amount} less ${allowance})`,
  nothing: 'nothing',
  rateFrom: (day: string) => `, the rate from ${day}`,
  reduced: (text: string) => `${text}, as far as the total does not fall below 0.00`,

  upTo: (amount: string) => `up to ${amount}`,
  aboveLast: 'above the last bracket',
  aboveAll: 'above',
  each: ' each',
  furtherParcels: (percent: number) => `each parcel after the dearest less ${percent} %`,
  stepsBeyond: (count: number, price: string, step: string, from: string) =>
    `, and ${count} × ${price} for each ${step} begun beyond${from && ` ${from}`}`,
  forLastPallets: (price: string, last: number, further: string) => `${price} for ${last}, and ${further}`,
  high: (cm: string) => `${cm} high`,
  long: (cm: string) => `${cm} long`,
  wide: (cm: string) => `${cm} wide`,
  stackable: 'stackable',

  real: (weight: string) => `real ${weight}`,
  greaterWeight: (real: string, volumetric: string) => `the greater of real ${real} and volumetric ${volumetric}`,
  ofEachParcel: ', of each parcel',
  ofShipment: ', of the shipment',
  leastWeights: ', with the least weights of parcels',
  roundedUp: ', rounded up',
  roundedUpTo: (step: string) => `, rounded up to ${step}`,

  pickups: (count: number) => `${count} ${count === 1 ? 'pickup' : 'pickups'}`,
  toMinimum: (least: string, net: string) => `minimum ${least}; the shipments come to ${net}`,
  shipments: (count: number) => `${count} shipments`,
  inYearLike: (volume: string, days: number, share: string) =>
    `${volume} in a year of 365 days like these ${days}: ${share}`,

  sameProvince: 'same province',
  sameRegion: 'same region',
  anywhere: 'anywhere',
  ofList: (place: string, list: string) => `${place} of the list ${list}`,
};

export type Words = typeof ENGLISH;

const ITALIAN: Words = {
  measures: {
    chargeableKg: ['kg', 'kg'],
    realKg: ['kg', 'kg'],
    volumeM3: ['m³', 'm³'],
    parcels: ['collo', 'colli'],
    pallets: ['bancale', 'bancali'],
    loadingMetres: ['metro di carico', 'metri di carico'],
    monthlyShipments: ['spedizione al mese', 'spedizioni al mese'],
    storageDays: ['giorno', 'giorni'],
    waitingMinutes: ['minuto', 'minuti'],
  },
  values: {
    codCents: 'importo del contrassegno',
    insuredCents: 'valore assicurato',
    ...amountFields(({ it }) => it as string),
  },

  aShipment: amount => `${amount} a spedizione`,
  aKg: amount => `${amount} al kg`,
  aParcel: amount => `${amount} a collo`,
  ofItsCondition: ' interessato',
  afterFirst: count => (count === 1 ? ' dopo il primo' : ` dopo i primi ${count}`),
  above: amount => ` oltre ${amount}`,
  atLeast: amount => `, minimo ${amount}`,
  atMost: amount => `, massimo ${amount}`,
  greaterOf: texts => `il maggiore tra ${texts.join(' e ')}`,
  withinAllowance: (amount, allowance) => `${amount} rientra nella franchigia di ${allowance}`,
  forEach: step => `per ogni ${step} o frazione`,
  of: amount => ` su ${amount}`,
  and: ' e ',

  percentByDate: 'una percentuale per data',
  percentOf: (percent, amount) => `${percent} di ${amount}`,
  less: (amount, allowance) => ` (${amount} meno ${allowance})`,
  nothing: 'nulla',
  rateFrom: day => `, aliquota dal ${day}`,
  reduced: text => `${text}, purché il totale non scenda sotto 0.00`,

  upTo: amount => `fino a ${amount}`,
  aboveLast: "oltre l'ultimo scaglione",
  aboveAll: 'oltre',
  each: ' ciascuno',
  furtherParcels: percent => `ogni collo dopo il più caro meno il ${percent} %`,
  stepsBeyond: (count, price, step, from) =>
    `, e ${count} × ${price} per ogni ${step} o frazione oltre ${from || 'la fascia'}`,
  forLastPallets: (price, last, further) => `${price} per ${last}, e ${further}`,
  high: cm => `altezza ${cm}`,
  long: cm => `lunghezza ${cm}`,
  wide: cm => `larghezza ${cm}`,
  stackable: 'sovrapponibile',

  real: weight => `reale ${weight}`,
  greaterWeight: (real, volumetric) => `il maggiore tra reale ${real} e volumetrico ${volumetric}`,
  ofEachParcel: ', di ogni collo',
  ofShipment: ', della spedizione',
  leastWeights: ', con i pesi minimi dei colli',
  roundedUp: ', arrotondato per eccesso',
  roundedUpTo: step => `, arrotondato per eccesso a ${step}`,

  pickups: count => `${count} ${count === 1 ? 'ritiro' : 'ritiri'}`,
  toMinimum: (least, net) => `minimo ${least}; le spedizioni ammontano a ${net}`,
  shipments: count => `${count} spedizioni`,
  inYearLike: (volume, days, share) => `${volume} in un anno di 365 giorni come questi ${days}: ${share}`,

  sameProvince: 'stessa provincia',
  sameRegion: 'stessa regione',
  anywhere: 'ovunque',
  ofList: (place, list) => `${place} della lista ${list}`,
};

export const WORDS: Readonly<Record<Language, Words>> = { it: ITALIAN, en: ENGLISH };
