import { at, known } from './known-places.ts';
import type { KnownPlace } from './tariff-reference.ts';

/** The names of some places in the price lists of the examples, by hand, the most specific first. */

const italian = (postalCode: string, city: string, province: string, region: string, ...fits: KnownPlace['fits']) =>
  known(
    at('IT', postalCode, city, province),
    22,
    ...fits,
    ['regions', region],
    ['countries', 'IT'],
    ['countries', 'EU'],
  );

export const NATIONAL_PLACES: readonly KnownPlace[] = [
  italian('10121', 'Torino', 'TO', 'Piemonte'),
  italian('87100', 'Cosenza', 'CS', 'Calabria'),
  italian('98055', 'Lipari', 'ME', 'Sicilia', ['postalCodes', '98055']),
  italian('57037', 'Portoferraio', 'LI', 'Toscana', ['postalCodes', '57030-57039']),
  italian('30124', 'Venezia', 'VE', 'Veneto', ['postalCodes', '30121-30135']),
  italian('00186', 'Roma', 'RM', 'Lazio', ['postalCodes', '00186']),
  italian('32043', "Cortina d'Ampezzo", 'BL', 'Veneto', ['postalCodes', '32043']),
  known(at('IT', '23041', 'Livigno', 'SO'), 0, ['municipalities', 'Livigno (SO)'], ['countries', 'IT']),
];

const member = (countryCode: string, postalCode: string, city: string, ...fits: KnownPlace['fits']) =>
  known(at(countryCode, postalCode, city), 22, ...fits, ['countries', countryCode], ['countries', 'EU']);
const third = (countryCode: string, postalCode: string, city: string, ...fits: KnownPlace['fits']) =>
  known(at(countryCode, postalCode, city), 0, ...fits, ['countries', countryCode]);

export const FOREIGN_PLACES: readonly KnownPlace[] = [
  member('DE', '10115', 'Berlin'),
  member('FR', '20000', 'Ajaccio', ['postalCodes', 'FR 20*']),
  member('FR', '74400', 'Chamonix-Mont-Blanc', ['towns', 'FR Chamonix-Mont-Blanc']),
  member('NL', '1791 AB', 'Den Burg', ['postalCodes', 'NL 1790 AA-1797 ZZ']),
  member('IE', 'F28 XY00', 'Belmullet', ['postalCodes', 'IE F26-F28']),
  member('ES', '28001', 'Madrid'),
  known(at('ES', '35001', 'Las Palmas'), 0, ['postalCodes', 'ES 35*'], ['countries', 'ES'], ['countries', 'EU']),
  third('GB', 'AB33 8AA', 'Alford', ['postalCodes', 'GB AB31-AB38']),
  third('GB', 'AB3 1AA', 'Aberdeen'),
  third('CH', '7562', 'Samnaun', ['towns', 'CH Samnaun']),
  third('CA', 'X1A 2B3', 'Yellowknife', ['postalCodes', 'CA X0A-X9Z']),
  third('US', '10001', 'New York'),
  third('RU', '101000', 'Moskva'),
];
