/** Services of one contract: which of them prices a shipment, by hand. */

import { describe, expect, test } from 'vitest';
import { priceIn } from '../../src/domain/pricing/quotes/price/province.rules.ts';
import { destinationsAt } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { offeredServices } from '../../src/domain/pricing/tariffs/engine/options.rules.ts';
import { exclusionMessage } from '../../src/domain/pricing/tariffs/exclusion-words.rules.ts';
import { tariffChanges } from '../../src/domain/pricing/tariffs/revisions/tariff-changes.rules.ts';
import { PALERMO, problemsOf, shipmentOf } from './quote-support.ts';
import { line, priceOn, type TariffInput, tariffCases, tariffOf, type VersionInput, zone } from './tariff-cases.ts';

const services: NonNullable<VersionInput['services']> = [
  { code: 'express', name: 'Express', deliveryDays: 1 },
  { code: 'economy', name: 'Economy', deliveryDays: 4, when: { chargeableKg: { upTo: 20 } } },
];
const band = (upToKg: number, price: number) => [{ upToKg, price }];
const zones = [
  zone({ code: 'x', services: ['express'], bands: band(50, 12) }),
  zone({ code: 'e', services: ['economy'], bands: band(30, 7), deliveryDays: 3 }),
  zone({ code: 'never', to: { countries: ['FR'] }, bands: [], notServed: 'Sospeso' }),
];
const version: Partial<VersionInput> = { services, zones };
const kg = (weight: number) => [{ kg: weight, sides: [10, 10, 10] as const }];
const NEW_YORK = { countryCode: 'US', postalCode: '10001', city: 'New York' };
/** Economy to Italy up to 20 kg, and express to New York too, up to 300 kg. */
const worldwide: Partial<VersionInput> = {
  services: services.toReversed(),
  zones: [
    zone({ code: 'e', services: ['economy'], to: { countries: ['IT'] }, bands: band(20, 7) }),
    zone({ code: 'x', services: ['express'], to: { countries: ['IT', 'US'] }, bands: band(300, 90) }),
    zone({ code: 'never', to: { countries: ['FR'] }, bands: [], notServed: 'Sospeso' }),
  ],
};
const PARIS = { countryCode: 'FR', postalCode: '75001', city: 'Paris' };

tariffCases('A tariff with services gives these prices:', [
  { name: 'the cheapest', version, is: { service: 'economy', zone: 'e', total: '7.00' }, why: '7.00 is below 12.00' },
  {
    name: 'the one that is asked for',
    version,
    ask: { service: 'express' },
    is: { service: 'express', zone: 'x', total: '12.00' },
    why: 'although it is dearer',
  },
  {
    name: 'the only one that fits by its condition',
    version,
    ask: { parcels: kg(21) },
    is: { service: 'express', total: '12.00' },
    why: 'economy takes 20 kg',
  },
  {
    name: 'one whose condition does not hold',
    version,
    ask: { service: 'economy', parcels: kg(21) },
    is: { excluded: 'OPTION_NOT_SUPPORTED', rule: '/versions/0/services/1/when' },
    why: 'it is asked for, and takes 20 kg',
  },
  {
    name: 'one that the tariff does not have',
    version,
    ask: { service: 'overnight' },
    is: { excluded: 'OPTION_NOT_SUPPORTED', rule: '/versions/0/services' },
    why: 'no service has the code',
  },
  {
    name: 'a service of a tariff without services',
    version: {},
    ask: { service: 'express' },
    is: { excluded: 'OPTION_NOT_SUPPORTED', rule: '/versions/0/services' },
    why: 'the contract does not say which service it is',
  },
  {
    name: 'a shipment that no service takes',
    version: {
      services: services.toReversed(),
      zones: [zone({ services: ['express'], bands: band(22, 12) }), zone({ code: 'e', services: ['economy'] })],
    },
    ask: { parcels: kg(25) },
    is: { excluded: 'WEIGHT_OUT_OF_RANGE', rule: '/versions/0/zones/0/bands' },
    why: 'the reason is that of the first service that is offered',
  },
  {
    name: 'a shipment too heavy for the only service that goes there',
    version: worldwide,
    ask: { to: NEW_YORK, parcels: kg(301) },
    is: { excluded: 'WEIGHT_OUT_OF_RANGE', rule: '/versions/0/zones/1/bands' },
    why: 'the condition of economy does not hold, so that its zones say nothing',
  },
  {
    name: 'a service with a condition on zones, and none for the destination',
    version: {
      ...worldwide,
      services: [
        { code: 'economy', name: 'Economy', when: { zones: ['e'] } },
        { code: 'express', name: 'Express' },
      ],
    },
    ask: { to: NEW_YORK, parcels: kg(301) },
    is: { excluded: 'WEIGHT_OUT_OF_RANGE', rule: '/versions/0/zones/1/bands' },
    why: 'a destination of no zone is in none of its zones',
  },
  {
    name: 'no service whose condition holds',
    version: { ...worldwide, services: services.map(one => ({ ...one, when: { realKg: { upTo: 20 } } })).toReversed() },
    ask: { to: NEW_YORK, parcels: kg(301) },
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/zones' },
    why: 'the reason is that of the first service',
  },
  {
    name: 'an unknown service from a country that the tariff is not for',
    version: { ...worldwide, originCountries: ['DE'] },
    ask: { service: 'overnight' },
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/originCountries' },
    why: 'the warehouse comes before the service',
  },
  {
    name: 'an unknown service to a place that is not served',
    version: worldwide,
    ask: { service: 'overnight', to: PARIS },
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/zones/2/notServed' },
    why: 'the zone comes before the service',
  },
  {
    name: 'an unknown service of a shipment that is too heavy for all',
    version: worldwide,
    ask: { service: 'overnight', to: NEW_YORK, parcels: kg(301) },
    is: { excluded: 'WEIGHT_OUT_OF_RANGE', rule: '/versions/0/zones/1/bands' },
    why: 'the band comes before the service',
  },
  {
    name: 'an unknown service with an amount to be collected',
    version: worldwide,
    ask: { service: 'overnight', cod: 10 },
    is: { excluded: 'OPTION_NOT_SUPPORTED', rule: '/versions/0/services' },
    why: 'the service comes before what is not offered: cash on delivery',
  },
  {
    name: 'an unknown service of a tariff without services, to a place in no zone',
    version: { zones: [zone({ to: { countries: ['FR'] } })] },
    ask: { service: 'overnight' },
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/zones' },
    why: 'the zone comes before the service',
  },
  {
    name: 'a zone for all services',
    version,
    ask: { to: PARIS },
    is: { excluded: 'DESTINATION_NOT_SERVED', rule: '/versions/0/zones/2/notServed' },
    why: 'it stands beside the zones of each service, and is more specific',
  },
  {
    name: 'equal prices',
    version: { services: services.map(({ code, name }) => ({ code, name })) },
    is: { service: 'express', total: '10.00' },
    why: 'the first service counts',
  },
  {
    name: 'lines for some services',
    version: {
      ...version,
      surcharges: [line('saturday', { fixed: 5 }, { services: ['express'] })],
      fuel: [
        line('f1', { percent: 20, of: ['base'] }, { services: ['express'] }),
        line('f2', { percent: 10, of: ['base'] }),
      ],
    },
    ask: { service: 'express' },
    is: { lines: { base: '12.00', saturday: '5.00', f1: '2.40' }, total: '19.40' },
    why: '20 % of 12.00 is the fuel of express',
  },
  {
    name: 'the cheapest with its surcharges',
    version: { ...version, surcharges: [line('slow', { fixed: 6 }, { services: ['economy'] })] },
    is: { service: 'express', total: '12.00' },
    why: '7.00 + 6.00 is more than 12.00',
  },
  {
    name: 'weight by service',
    version: {
      ...version,
      weight: {
        per: 'shipment',
        volumetric: [{ when: { services: ['express'] }, cm3PerKg: 5000 }, { cm3PerKg: 4000 }],
        roundUp: [{ toKg: 0.5 }],
      },
    },
    ask: { parcels: [{ kg: 1, sides: [40, 40, 20] }], service: 'express' },
    is: { grams: 6500, volumetricGrams: 6400 },
    why: '32,000 cm³ / 5,000; economy would divide by 4,000',
  },
  {
    name: 'zones for an origin and a service',
    version: {
      services,
      origins: [{ code: 'north', places: { countries: ['IT'] } }],
      zones: [...zones, zone({ code: 'near', from: ['north'], services: ['express'], bands: band(50, 5) })],
    },
    is: { service: 'express', zone: 'near', total: '5.00' },
    why: 'from the origin express costs 5.00, less than economy',
  },
]);

describe('The explanation of a tariff with services', () => {
  const message = (ask: Parameters<typeof shipmentOf>[0]) => {
    const found = priceOn(tariffOf(version), ask);
    return found.ok ? '' : exclusionMessage(found.reason);
  };

  test('is a sentence in Italian if the tariff does not apply', () => {
    expect(message({ service: 'overnight' })).toBe(
      'Il servizio overnight non è offerto. Servizi del listino: express, economy.',
    );
    expect(message({ service: 'economy', parcels: kg(21) })).toBe(
      'Il servizio Economy non è offerto per questa spedizione.',
    );
  });

  test('names the services that it offers, in their order', () => {
    expect(offeredServices(compileTariff(readTariff(tariffOf(version))), '2026-06-15')).toEqual([
      { code: 'express', name: 'Express', deliveryDays: 1, isConditional: false },
      { code: 'economy', name: 'Economy', deliveryDays: 4, isConditional: true },
    ]);
    expect(offeredServices(compileTariff(readTariff(tariffOf({}))), '2026-06-15')).toEqual([]);
  });

  test('says that the province is needed if the cheapest service depends on it', () => {
    const place = { countryCode: 'IT', postalCode: '12071', city: '' };
    const local = zone({ code: 'cn', to: { provinces: ['CN'] }, services: ['express'], bands: band(50, 1) });
    const found = priceIn(
      compileTariff(readTariff(tariffOf({ services, zones: [...zones, local] }))),
      shipmentOf({ to: place }),
      destinationsAt(place),
    );
    expect(found).toMatchObject({ ok: false, code: 'PROVINCE_NEEDED', rule: ['versions', 0, 'services'] });
  });
});

const changed = (document: TariffInput, other: TariffInput) => tariffChanges(readTariff(document), readTariff(other));

describe('A change of services', () => {
  test('names the service, and a zone that moves to another', () => {
    const [express, economy] = services;
    if (!express || !economy) throw new Error('no services');
    const other = tariffOf({
      ...version,
      services: [{ ...express, deliveryDays: 2 }, economy, { code: 'noon', name: 'Entro mezzogiorno' }],
      zones: [zone({ ...zones[0], services: ['express', 'noon'] }), ...zones.slice(1)],
    });
    expect(changed(tariffOf(version), other).map(({ text }) => text)).toEqual([
      'from 2026-01-01: service Express (express), days to delivery: 1 → 2 (+100 %)',
      'from 2026-01-01: service Entro mezzogiorno (noon): added',
      'from 2026-01-01: zone Ovunque (x), services: 1 added (noon)',
    ]);
    expect(changed(tariffOf(version), other)[0]).toMatchObject({ part: 'service', line: 'express', name: 'Express' });
  });

  test('is a change of price if its bands change', () => {
    const perParcel = zone({ bandsPer: 'parcel', furtherParcelsDiscount: 10 });
    expect(changed(tariffOf({}), tariffOf({ zones: [perParcel] }))).toMatchObject([
      { part: 'zone', aspect: 'price', text: 'from 2026-01-01: zone Ovunque (all), bands price each: added (parcel)' },
      { text: 'from 2026-01-01: zone Ovunque (all), discount on further parcels: added (10)' },
    ]);
  });
});

describe('A tariff is rejected', () => {
  const V = '/versions/0';
  test.each<[string, Partial<VersionInput>, ...string[]]>([
    [
      'with two services of one code',
      { services: [...services, ...services.slice(0, 1)] },
      `${V}/services/2/code duplicate`,
    ],
    [
      'with a zone for a service that is not there',
      { services, zones: [zone({ services: ['noon'] })] },
      `${V}/zones/0/services/0 unknown_service`,
    ],
    [
      'with a zone for a service, and none',
      { zones: [zone({ services: ['express'] })] },
      `${V}/zones/0/services/0 unknown_service`,
    ],
    [
      'with a condition on a service that is not there',
      { services, surcharges: [line('a', { fixed: 1 }, { services: ['noon'] })] },
      `${V}/surcharges/0/when/services/0 unknown_service`,
    ],
    [
      'with a wrong condition of a service',
      { services: [{ code: 'a', name: 'A', when: { zones: ['nowhere'] } }] },
      `${V}/services/0/when/zones/0 unknown_zone`,
    ],
    [
      'with a place that two zones claim for one service, once',
      { services, zones: [...zones, zone({ code: 'again', services: ['express', 'economy'] })] },
      `${V}/zones/3/to/anywhere conflict`,
      `${V}/zones/3/to/anywhere conflict`,
    ],
    [
      'with a wrong place of a zone for all services, once',
      { services, zones: [zone({ to: { regions: ['Sicily'] } })] },
      `${V}/zones/0/to/regions/0 unknown_region`,
    ],
  ])('%s', (_what, fields, ...problems) => {
    expect(problemsOf(tariffOf(fields))).toEqual(problems);
  });

  test('but not because of one place in zones for different services', () => {
    expect(problemsOf(tariffOf(version))).toEqual([]);
    expect(priceOn(tariffOf(version), { to: PALERMO }).ok).toBe(true);
  });
});

test('A contract with twenty services can name as many places as one with a single service', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ code: `service_${i}`, name: `Service ${i}` }));
  const postalCodes = Array.from({ length: 10_000 }, (_, i) => `DE ${10_000 + i}`);
  const surcharges = [line('remote', { fixed: 5 }, { to: { postalCodes } })];
  const bytesWith = (some: typeof many) =>
    compileTariff(readTariff(tariffOf({ services: some, surcharges, zones: [zone({ to: { countries: ['DE'] } })] })))
      .bytes;
  const [one, twenty] = [bytesWith(many.slice(0, 1)), bytesWith(many)];
  expect(one).toBeGreaterThan(1_000_000);
  expect(twenty - one).toBeLessThan(200_000);
});
