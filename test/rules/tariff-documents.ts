// Tariffs of which one part is given.
import { versionWith, zoneWith } from './quote-support.ts';

/** A tariff with one version, something of which may be wrong in its form. */
export const version = (overrides: object) => ({
  format: 2,
  name: 'Listino',
  versions: [{ ...versionWith(), ...overrides }],
});
export const zone = (overrides: object) => version({ zones: [{ ...zoneWith(), ...overrides }] });
export const to = (...areas: object[]) =>
  version({ zones: areas.map((area, i) => ({ ...zoneWith(), code: `z${i}`, to: area })) });
export const extra = (...prices: object[]) =>
  version({ surcharges: prices.map((price, i) => ({ code: `s${i}`, description: 'S', price })) });
export const when = (condition: object) =>
  version({ surcharges: [{ code: 's', description: 'S', price: { fixed: 1 }, when: condition }] });
export const weight = (overrides: object) =>
  version({ weight: { per: 'shipment', roundUp: [{ toKg: 1 }], ...overrides } });
export const band = (...bands: object[]) => zone({ bands });
export const fuel = (overrides: object) =>
  version({
    fuel: [
      {
        code: 'fuel',
        description: 'F',
        price: { of: ['base'], rates: [{ from: '2026-01-01', percent: 8.5 }], ...overrides },
      },
    ],
  });
export const dated = (...dates: object[]) => ({
  format: 2,
  name: 'L',
  versions: dates.map(each => ({ ...versionWith(), ...each })),
});

export const V = '/versions/0';
export const S = `${V}/surcharges/0`;
