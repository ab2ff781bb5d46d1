import type { Place } from './quote-support.ts';
import type { KnownPlace } from './tariff-reference.ts';

export function at(countryCode: string, postalCode: string, city: string, province?: string): Place {
  return { countryCode, postalCode, city, ...(province && { province }) };
}

export const known = (place: KnownPlace['place'], vat: number, ...fits: KnownPlace['fits']): KnownPlace => ({
  place,
  vat,
  fits,
  territory: vat > 0 ? 'union' : place.countryCode,
});

/** The names of each place, by hand, the most specific first. */
export const PLACES: readonly KnownPlace[] = [
  known(
    at('IT', '90139', 'Palermo', 'PA'),
    22,
    ['postalCodes', '90139'],
    ['postalCodes', '901*'],
    ['postalCodes', '90000-91999'],
    ['municipalities', 'Palermo'],
    ['provinces', 'PA'],
    ['regions', 'Sicilia'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '90010', 'Ustica', 'PA'),
    22,
    ['postalCodes', '90010'],
    ['postalCodes', '90000-91999'],
    ['provinces', 'PA'],
    ['regions', 'Sicilia'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '95121', 'Catania', 'CT'),
    22,
    ['provinces', 'CT'],
    ['regions', 'Sicilia'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '20121', 'Milano', 'MI'),
    22,
    ['postalCodes', '20*'],
    ['provinces', 'MI'],
    ['regions', 'Lombardia'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '24121', 'Bergamo', 'BG'),
    22,
    ['provinces', 'BG'],
    ['regions', 'Lombardia'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '23041', 'Livigno', 'SO'),
    0,
    ['provinces', 'SO'],
    ['regions', 'Lombardia'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '23030', 'Livigno', 'SO'),
    0,
    ['provinces', 'SO'],
    ['regions', 'Lombardia'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '10010', 'Samone', 'TO'),
    22,
    ['municipalities', 'Samone (TO)'],
    ['municipalities', 'Samone'],
    ['provinces', 'TO'],
    ['regions', 'Piemonte'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(
    at('IT', '38059', 'Samone', 'TN'),
    22,
    ['municipalities', 'Samone'],
    ['provinces', 'TN'],
    ['regions', 'Trentino-Alto Adige'],
    ['countries', 'IT'],
    ['countries', 'EU'],
  ),
  known(at('DE', '10115', 'Berlin'), 22, ['countries', 'DE'], ['countries', 'EU']),
  known(at('ES', '35001', 'Las Palmas'), 0, ['postalCodes', 'ES 35*'], ['countries', 'EU']),
  known(at('ES', '28001', 'Madrid'), 22, ['countries', 'EU']),
  {
    ...known(at('GB', 'BT1 5GS', 'Belfast'), 0, ['postalCodes', 'GB BT1-BT17'], ['postalCodes', 'GB BT*']),
    territory: 'union',
  },
  { ...known(at('GB', 'BT94 1AA', 'Enniskillen'), 0, ['postalCodes', 'GB BT*']), territory: 'union' },
  known(at('NL', '1012 AB', 'Amsterdam'), 22, ['postalCodes', 'NL 1000 AA-1099 ZZ'], ['countries', 'EU']),
  known(at('NL', '1105 BD', 'Amsterdam'), 22, ['countries', 'EU']),
  known(at('CH', '6900', 'LUGANO'), 0, ['towns', 'CH Lugano (6900)'], ['towns', 'CH Lugano'], ['countries', 'CH']),
  known(at('CH', '6962', 'Lugano'), 0, ['towns', 'CH Lugano'], ['countries', 'CH']),
];
