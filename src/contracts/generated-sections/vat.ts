import type { Area } from '../../domain/tariffs/areas/place.format.rules.ts';
import { CUSTOMS_TERRITORIES } from '../../domain/tariffs/conditions/customs-territories.rules.ts';
import { VAT_TABLE } from '../../domain/tariffs/vat.rules.ts';
import { table } from './markdown.ts';

/** The VAT by destination of tariffs that have no table of their own. */
export function vat(): string {
  const rows = VAT_TABLE.map(({ to, percent, note = '' }) => [destination(to), `${percent} %`, note]);
  return table(['Destination', 'VAT', 'Legal ground'], rows);
}

/** The customs territories that are not just a country. */
export function customs(): string {
  return table(
    ['Territory', 'Places'],
    CUSTOMS_TERRITORIES.map(({ name, places }) => [name, destination(places)]),
  );
}

function destination({ countries = [], postalCodes = [], municipalities = [], anywhere }: Area): string {
  const kinds = [
    ['countries', countries],
    ['postal codes', postalCodes],
    ['comuni', municipalities],
  ] as const;
  const named = kinds.filter(([, places]) => places.length > 0).map(([kind, places]) => `${kind} ${places.join(', ')}`);
  return anywhere ? 'anywhere else' : named.join('; ');
}
