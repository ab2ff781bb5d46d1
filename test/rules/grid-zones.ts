// Zones of a grid.
import type { gridOf } from '../../src/domain/tariffs/tariff.service.ts';

export type Zones = Parameters<typeof gridOf>[0];
export type Zone = Zones[number];

export const zone = (code: string, fields: Partial<Zone> = {}): Zone => ({
  code,
  name: code,
  to: { countries: ['IT'] },
  bands: [{ upToKg: 1, price: 5 }],
  ...fields,
});
