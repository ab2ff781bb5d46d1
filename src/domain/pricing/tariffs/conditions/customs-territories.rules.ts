import { type AreaTable, areaOf, type Destination, findRule } from '../areas/area.rules.ts';
import { areaTable } from '../areas/area-table.rules.ts';
import type { Area } from '../areas/place.format.rules.ts';
import { CAMPIONE, LIVIGNO } from '../vat.rules.ts';

/**
 * Customs territories: between two places of one territory goods move without a customs declaration.
 *
 * Sources, read on 2026-11-28: European Commission, "Territorial Scope" (taxation-customs.ec.europa.eu), which says where
 * the rules of customs and of VAT apply; Regulation (EU) 2019/474 and Directive (EU) 2019/475 for Campione d'Italia, in
 * the customs territory since 2020 and still outside VAT; douane.gouv.fr, "Marché unique Antillais" (2019-07-04), for
 * Guadeloupe and Martinique, which are one territory.
 */
interface CustomsTerritory {
  readonly name: string;
  readonly places: Area;
}

/**
 * Places of member states where the Union's VAT does not apply are territories of their own, although the customs
 * territory has some of them, such as the Canary Islands: carriers clear what goes there. Northern Ireland belongs to the
 * Union for goods, and San Marino by its customs union. Territories that have a country code as well are named by both.
 */
export const CUSTOMS_TERRITORIES: readonly CustomsTerritory[] = [
  { name: 'European Union', places: { countries: ['EU', 'MC', 'SM'], postalCodes: ['GB BT*'] } },
  { name: 'Livigno', places: LIVIGNO },
  { name: "Campione d'Italia", places: CAMPIONE },
  { name: 'Canary Islands', places: { postalCodes: ['ES 35*', 'ES 38*'] } },
  { name: 'Ceuta', places: { postalCodes: ['ES 51*'] } },
  { name: 'Melilla', places: { postalCodes: ['ES 52*'] } },
  { name: 'Helgoland', places: { postalCodes: ['DE 27498'] } },
  { name: 'Büsingen', places: { postalCodes: ['DE 78266'] } },
  { name: 'Åland', places: { countries: ['AX'], postalCodes: ['FI 22*'] } },
  { name: 'Mount Athos', places: { postalCodes: ['GR 63086', 'GR 63087'] } },
  { name: 'Guadeloupe and Martinique', places: { countries: ['GP', 'MQ'], postalCodes: ['FR 971*', 'FR 972*'] } },
  { name: 'French Guiana', places: { countries: ['GF'], postalCodes: ['FR 973*'] } },
  { name: 'Réunion', places: { countries: ['RE'], postalCodes: ['FR 974*'] } },
  { name: 'Saint Pierre and Miquelon', places: { countries: ['PM'], postalCodes: ['FR 975*'] } },
  { name: 'Mayotte', places: { countries: ['YT'], postalCodes: ['FR 976*'] } },
  { name: 'Saint Barthélemy', places: { countries: ['BL'], postalCodes: ['FR 97133', 'FR 977*'] } },
  { name: 'Saint Martin', places: { countries: ['MF'], postalCodes: ['FR 97150', 'FR 978*'] } },
  { name: 'French overseas, by any other code', places: { postalCodes: ['FR 97*'] } },
  { name: 'Wallis and Futuna', places: { countries: ['WF'], postalCodes: ['FR 986*'] } },
  { name: 'French Polynesia', places: { countries: ['PF'], postalCodes: ['FR 987*'] } },
  { name: 'New Caledonia', places: { countries: ['NC'], postalCodes: ['FR 988*'] } },
  { name: 'Jersey', places: { countries: ['JE'], postalCodes: ['GB JE*'] } },
  { name: 'Guernsey', places: { countries: ['GG'], postalCodes: ['GB GY*'] } },
];

let compiled: AreaTable | undefined;

/** Whether goods from one place to another need a customs declaration. */
export function needDeclaration(from: Destination, to: Destination): boolean {
  return territoryOf(from) !== territoryOf(to);
}

/** The position of the territory; the code of a country that is one by itself. */
function territoryOf(place: Destination): number | string {
  compiled ??= areaTable(CUSTOMS_TERRITORIES.map(({ places }) => places));
  const territory = areaOf(compiled, findRule(compiled, place));
  return territory < 0 ? place.countryCode : territory;
}
