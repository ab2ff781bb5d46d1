import { describe, expect, test } from 'vitest';
import { destinationsAt, findRule, ruleAt } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { abroad, italian } from './quote-cases.ts';
import {
  compiled,
  PALERMO,
  type Place,
  priceOf,
  shown,
  tariffWith,
  type VersionInput,
  zoneWith,
} from './quote-support.ts';

describe('The most specific rule of the zones', () => {
  const at = (code: string, price: number, to: VersionInput['zones'][number]['to']) =>
    zoneWith({ code, to, bands: [{ upToKg: 10, price }] });
  // From the least specific to the most, so that the order in the tariff cannot be what decides.
  const zones = [
    at('world', 60, { anywhere: true }),
    at('eu', 25, { countries: ['EU'] }),
    at('italy', 10, { countries: ['IT'] }),
    at('france', 22, { countries: ['FR'] }),
    at('britain', 45, { countries: ['GB'] }),
    at('marche', 14, { regions: ['Marche'] }),
    at('sicily', 15, { regions: ['sicilia'] }),
    at('trapani', 16, { provinces: ['Trapani'] }),
    at('ascoli', 17, { provinces: ['AP'] }),
    at('sondrio', 12, { provinces: ['SO'] }),
    at('livigno', 40, { municipalities: ['LIVIGNO'] }),
    at('any_samone', 42, { municipalities: ['Samone'] }),
    at('samone_to', 41, { municipalities: ['Samone (TO)'] }),
    at('messina', 20, { postalCodes: ['98*'] }),
    at('eolie', 30, { postalCodes: ['98050-98059'] }),
    at('lipari', 31, { postalCodes: ['98055'] }),
    at('canarie', 55, { postalCodes: ['ES 35*'] }),
    at('ulster', 50, { postalCodes: ['GB BT*'] }),
    at('warsaw', 33, { postalCodes: ['PL 00-950'] }),
    at('cupertino', 70, { postalCodes: ['US 95014'] }),
  ];
  const tariff = compiled(tariffWith({ zones }));

  // VAT: 22 % of the price in Italy and the Union, 0 beyond, on the Canary Islands and in Livigno.
  test.each<[place: Place, zone: string, kind: string, net: string, gross: string, why: string]>([
    [italian('98055', 'Lipari', 'ME'), 'lipari', 'postal_code', '31.00', '37.82', 'CAP before ranges; 31 + 6.82'],
    [italian('98050', 'Eolie', 'ME'), 'eolie', 'postal_code_range', '30.00', '36.60', 'first of the range; 30 + 6.60'],
    [italian('98059', 'Eolie', 'ME'), 'eolie', 'postal_code_range', '30.00', '36.60', 'last of the range'],
    [italian('98060', 'Messina', 'ME'), 'messina', 'postal_code_range', '20.00', '24.40', 'one after it; 20 + 4.40'],
    [italian('98049', 'Messina', 'ME'), 'messina', 'postal_code_range', '20.00', '24.40', 'one before it'],
    [
      italian('98122', 'Livigno', 'ME'),
      'messina',
      'postal_code_range',
      '20.00',
      '24.40',
      'range before comune, and no CAP of Livigno: VAT of its own place',
    ],
    [italian('23030', 'Livigno', 'SO'), 'livigno', 'municipality', '40.00', '40.00', 'comune; extraterritorial, 0 %'],
    [
      italian('23030', '  lìvigno '),
      'livigno',
      'municipality',
      '40.00',
      '40.00',
      'without its province, and however written',
    ],
    [italian('23032', 'Bormio', 'SO'), 'sondrio', 'province', '12.00', '14.64', 'next to Livigno; 12 + 2.64'],
    [
      italian('10010', 'Samone', 'TO'),
      'samone_to',
      'municipality',
      '41.00',
      '50.02',
      'comune with province; 41 + 9.02',
    ],
    [italian('10010', 'Samone'), 'samone_to', 'municipality', '41.00', '50.02', 'the CAP says Torino'],
    [italian('38059', 'Samone', 'TN'), 'any_samone', 'municipality', '42.00', '51.24', 'the other one; 42 + 9.24'],
    [italian('91100', 'Trapani', 'TP'), 'trapani', 'province', '16.00', '19.52', 'province before region; 16 + 3.52'],
    [italian('91100', 'Trapani'), 'trapani', 'province', '16.00', '19.52', 'CAPs 91 are of Trapani alone'],
    [PALERMO, 'sicily', 'region', '15.00', '18.30', 'region; 15 + 3.30'],
    [
      italian('63822', 'Porto San Giorgio'),
      'marche',
      'region',
      '14.00',
      '17.08',
      'Ascoli or Fermo: neither, but Marche; 14 + 3.08',
    ],
    [italian('63822', 'Porto San Giorgio', 'FM'), 'marche', 'region', '14.00', '17.08', 'Fermo has no zone'],
    [italian('63100', 'Ascoli Piceno'), 'ascoli', 'province', '17.00', '20.74', 'Ascoli alone; 17 + 3.74'],
    [italian('20121', 'Milano', 'MI'), 'italy', 'country', '10.00', '12.20', 'country; 10 + 2.20'],
    [abroad('FR', '75001'), 'france', 'country', '22.00', '26.84', 'country before the Union; 22 + 4.84'],
    [abroad('DE', '10115'), 'eu', 'country_group', '25.00', '30.50', 'Union; 25 + 5.50'],
    [abroad('ES', '28001'), 'eu', 'country_group', '25.00', '30.50', 'Madrid'],
    [abroad('ES', '35001'), 'canarie', 'postal_code_range', '55.00', '55.00', 'Las Palmas; outside the VAT area'],
    [abroad('ES', '38001'), 'eu', 'country_group', '25.00', '25.00', 'Tenerife: still Spain as a zone, but no VAT'],
    [abroad('GB', 'BT1 5GS'), 'ulster', 'postal_code_range', '50.00', '50.00', 'Belfast'],
    [abroad('GB', 'SW1A 1AA'), 'britain', 'country', '45.00', '45.00', 'London'],
    [abroad('PL', '00-950'), 'warsaw', 'postal_code', '33.00', '40.26', 'a hyphen is no range; 33 + 7.26'],
    [abroad('PL', '00-500'), 'eu', 'country_group', '25.00', '30.50', 'within 00-950, were it a range'],
    [abroad('US', '95014-1234'), 'cupertino', 'postal_code', '70.00', '70.00', 'nine digits, by the first five'],
    [abroad('US', '95015-1234'), 'world', 'default', '60.00', '60.00', 'next to it'],
    [abroad('CH', '98055'), 'world', 'default', '60.00', '60.00', 'an Italian CAP means nothing in Switzerland'],
  ])('is used: %j: %s by %s, %s net, %s gross (%s)', (to, zone, kind, net, gross) => {
    const result = priceOf(tariffWith({ zones }), { to });
    expect(shown(result)).toMatchObject({ zone, base: net, total: net, gross });
    const { zoneTable } = tariff.versions[0] ?? expect.fail();
    expect(ruleAt(zoneTable, findRule(zoneTable, destinationsAt(to)[0]))?.kind).toBe(kind);
  });

  test.each<[place: Place, zone: VersionInput['zones'][number]['to']]>([
    [abroad('CH', '6900'), { countries: ['EU', 'IT'] }],
    [italian('20121', 'Milano', 'MI'), { regions: ['Sicilia'] }],
    [italian('63822', 'Porto San Giorgio'), { provinces: ['AP'] }],
    [abroad('FR', '90139'), { postalCodes: ['90139'], municipalities: ['Somewhere'] }],
  ])('does not exist where no zone serves the place: %j is not served by %j alone', (to, zone) => {
    expect(shown(priceOf(tariffWith({ zones: [zoneWith({ to: zone })] }), { to }))).toEqual({
      excluded: 'DESTINATION_NOT_SERVED',
      rule: '/versions/0/zones',
    });
  });
});
