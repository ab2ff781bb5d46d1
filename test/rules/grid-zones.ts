// Zones of a grid.
import type {
  Tariff as Whole,
  Zone as WholeZone,
} from '../../src/domain/pricing/tariffs/format/tariff.format.rules.ts';

export type Tariff = Whole;
export type Zone = WholeZone;
export type Zones = readonly Zone[];

export const zone = (code: string, fields: Partial<Zone> = {}): Zone => ({
  code,
  name: code,
  to: { countries: ['IT'] },
  bands: [{ upToKg: 1, price: 5 }],
  beyond: [],
  pallets: [],
  ...fields,
});
