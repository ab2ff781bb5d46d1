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
    { name: 'no declaration to Berlin', when: { customs: false }, ask: { to: BERLIN }, holds: true },
  ],
  holds: ({ customs }, { isDeclared }) => customs === undefined || customs === isDeclared,
  random: dice => maybe(dice, 8, 'customs', () => dice.chance(60)),
};
