import { z } from 'zod';
import { type AreaTable, type Destination, findRule } from '../areas/area.rules.ts';
import { areaTable } from '../areas/area-table.rules.ts';
import type { Area } from '../areas/place.format.rules.ts';
import { CAMPIONE, FRENCH_PACIFIC, LIVIGNO, OUTSIDE_UNION_FOR_VAT } from '../vat.rules.ts';
import { conditionKind } from './condition-kind.rules.ts';

/**
 * Where goods move without a customs declaration. Places of member states outside the Union's VAT do not belong to it, although
 * the customs territory has some of them, such as the Canary Islands: carriers clear what goes there. Northern Ireland
 * belongs to it for goods, and San Marino by its customs union.
 */
export const WITHOUT_DECLARATION: Area = {
  countries: ['EU', 'MC', 'SM'],
  postalCodes: ['GB BT*'],
  except: {
    postalCodes: [
      ...[LIVIGNO, CAMPIONE].flatMap(({ postalCodes }) => postalCodes),
      ...OUTSIDE_UNION_FOR_VAT,
      ...FRENCH_PACIFIC,
    ],
    municipalities: [LIVIGNO, CAMPIONE].flatMap(({ municipalities }) => municipalities),
  },
};

let compiled: AreaTable | undefined;

/** The territory of a place: the one without declarations, or its country. */
function territoryOf(place: Destination): string {
  compiled ??= areaTable([WITHOUT_DECLARATION]);
  return findRule(compiled, place) >= 0 ? 'without declarations' : place.countryCode;
}

/** Goods that need a customs declaration, or do not. */
export const customsCondition = conditionKind({
  form: {
    customs: z
      .boolean()
      .describe('Whether the goods need a customs declaration, by where they leave and where they go.')
      .optional(),
  },
  isEarly: false,
  isCostly: true,
  guide: ['`customs`', 'true: the goods need a [customs declaration](#customs); false: they need none'],
  words: { customs: 'customs declaration' },
  check: () => undefined,
  compile: ({ customs }) => customs,
  holds: (customs, { shipment: { origin, destination } }) =>
    customs === (territoryOf(origin.place) !== territoryOf(destination)),
});
