// Zones of a grid.
import type { FirstZone } from '../../src/domain/tariffs/first.format.rules.ts';

export type Zone = FirstZone;
export type Zones = readonly Zone[];

export const zone = (code: string, fields: Partial<Zone> = {}): Zone => ({
  code,
  name: code,
  to: { countries: ['IT'] },
  bands: [{ upToKg: 1, price: 5 }],
  ...fields,
});
