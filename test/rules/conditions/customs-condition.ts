import { maybe } from '../dice.ts';
import type { Place } from '../quote-support.ts';
import type { ReferenceCondition } from '../reference-condition.ts';

const when = { customs: true };
const at = (countryCode: string, postalCode: string, city: string, province?: string): Place => ({
  countryCode,
  postalCode,
  city,
  ...(province && { province }),
});
const BERLIN = at('DE', '10115', 'Berlin');
const LUGANO = at('CH', '6900', 'Lugano');

/** From Milano, where nothing else is said. */
const to = (name: string, place: Place, holds: boolean) => ({ name, when, ask: { to: place }, holds });

/** Two places of each territory that is not just a country. */
const TERRITORIES: Readonly<Record<string, readonly [Place, Place]>> = {
  Union: [BERLIN, at('SM', '47890', 'San Marino')],
  Livigno: [at('IT', '23041', 'Livigno', 'SO'), at('IT', '23030', 'Trepalle', 'SO')],
  Campione: [at('IT', '22061', "Campione d'Italia", 'CO'), at('IT', '22060', "Campione d'Italia", 'CO')],
  Canaries: [at('ES', '35001', 'Las Palmas'), at('ES', '38001', 'Santa Cruz de Tenerife')],
  Ceuta: [at('ES', '51001', 'Ceuta'), at('ES', '51002', 'Ceuta')],
  Melilla: [at('ES', '52001', 'Melilla'), at('ES', '52006', 'Melilla')],
  Helgoland: [at('DE', '27498', 'Helgoland'), at('DE', '27498', 'Helgoland')],
  Büsingen: [at('DE', '78266', 'Büsingen'), at('DE', '78266', 'Büsingen')],
  Åland: [at('FI', '22100', 'Mariehamn'), at('AX', '22100', 'Mariehamn')],
  Athos: [at('GR', '63086', 'Karyes'), at('GR', '63087', 'Dafni')],
  Antilles: [at('FR', '97110', 'Pointe-à-Pitre'), at('MQ', '97200', 'Fort-de-France')],
  Guiana: [at('FR', '97300', 'Cayenne'), at('GF', '97300', 'Cayenne')],
  Réunion: [at('FR', '97400', 'Saint-Denis'), at('RE', '97400', 'Saint-Denis')],
  Miquelon: [at('FR', '97500', 'Saint-Pierre'), at('PM', '97500', 'Saint-Pierre')],
  Mayotte: [at('FR', '97600', 'Mamoudzou'), at('YT', '97600', 'Mamoudzou')],
  Barthélemy: [at('FR', '97133', 'Gustavia'), at('BL', '97133', 'Gustavia')],
  Martin: [at('FR', '97150', 'Marigot'), at('MF', '97150', 'Marigot')],
  Wallis: [at('FR', '98600', 'Mata-Utu'), at('WF', '98600', 'Mata-Utu')],
  Polynesia: [at('FR', '98714', 'Papeete'), at('PF', '98714', 'Papeete')],
  Caledonia: [at('FR', '98800', 'Nouméa'), at('NC', '98800', 'Nouméa')],
  Jersey: [at('GB', 'JE2 3AB', 'St Helier'), at('JE', 'JE2 3AB', 'St Helier')],
  Guernsey: [at('GB', 'GY1 1AA', 'St Peter Port'), at('GG', 'GY1 1AA', 'St Peter Port')],
  Britain: [at('GB', 'EC1A 1BB', 'London'), at('GB', 'EH1 1AA', 'Edinburgh')],
  Vatican: [at('IT', '00120', 'Vaticano'), at('VA', '00120', 'Vaticano')],
};

const BETWEEN_TERRITORIES = Object.entries(TERRITORIES).flatMap(([name, [from]]) =>
  Object.entries(TERRITORIES).map(([other, [, to]]) => ({
    name: `from ${name} to ${other}`,
    when,
    ask: { from, to },
    holds: name !== other,
  })),
);

export const condition: ReferenceCondition = {
  isEarly: false,
  cases: [
    to('from Milano to Berlin', BERLIN, false),
    to('from Milano to Lugano', LUGANO, true),
    to('from Milano to London', at('GB', 'EC1A 1BB', 'London'), true),
    to('from Milano to Belfast', at('GB', 'BT1 5GS', 'Belfast'), false),
    to('from Milano to Livigno', at('IT', '23041', 'Livigno', 'SO'), true),
    to('from Milano to Livigno with its old CAP', at('IT', '23030', 'Livigno', 'SO'), true),
    to('from Milano to a neighbour of Livigno', at('IT', '23030', 'Valdidentro', 'SO'), false),
    to("from Milano to Campione d'Italia", at('IT', '22061', "Campione d'Italia", 'CO'), true),
    to('from Milano to the Canary Islands', at('ES', '35001', 'Las Palmas'), true),
    to('from Milano to Guadeloupe', at('FR', '97100', 'Basse-Terre'), true),
    to('from Milano to Monaco', at('MC', '98000', 'Monaco'), false),
    to('from Milano to San Marino', at('IT', '47890', 'San Marino'), false),
    to('from Milano to the Vatican', at('IT', '00120', 'Vaticano'), true),
    { name: 'from Lugano to Berlin', when, ask: { from: LUGANO, to: BERLIN }, holds: true },
    { name: 'from Lugano to Zürich', when, ask: { from: LUGANO, to: at('CH', '8001', 'Zürich') }, holds: false },
    ...BETWEEN_TERRITORIES,
    { name: 'no declaration to Berlin', when: { customs: false }, ask: { to: BERLIN }, holds: true },
  ],
  holds: ({ customs }, { isDeclared }) => customs === undefined || customs === isDeclared,
  random: dice => maybe(dice, 8, 'customs', () => dice.chance(60)),
};
