import { CARRIERS } from '../domain/carriers/carriers.catalog.ts';
import { code, table } from './markdown.ts';

const METHODS: Readonly<Record<string, string>> = {
  street_registry: 'street, house number, city, province, postal code',
  routing: 'city, province, postal code',
  postal_validation: 'city, postal code',
  transit_time: 'city, postal code; returns a transit time from your principal warehouse',
};

/** The carriers that check addresses, and what each looks at. */
export function addressCarriers(): string {
  const checking = CARRIERS.filter(({ verificationType }) => verificationType !== 'none');
  return table(
    ['Carrier', '`verificationType`', '`countryScope`', 'What it checks'],
    checking.map(({ code: carrier, verificationType, countryScope }) => [
      code(carrier),
      code(verificationType),
      code(countryScope),
      METHODS[verificationType] ?? '',
    ]),
  );
}
