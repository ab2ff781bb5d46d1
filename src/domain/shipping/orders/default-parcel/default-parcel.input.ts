import type { z } from 'zod';
import { decimal, inputObject } from '../../../common/fields.input.ts';

const WEIGHT = { isAbove0: true, max: 100_000, decimals: 3 };
const SIDE = { isAbove0: true, max: 1000, decimals: 2 };

export const defaultParcelInput = inputObject('DefaultParcelInput', 'The default parcel of the company.', {
  weight: decimal(WEIGHT)
    .nullish()
    .describe('Kilograms of an order without parcels; at most 3 decimals. Without it such an order cannot be quoted.'),
  length: decimal(SIDE).describe('Centimetres; at most 2 decimals.'),
  width: decimal(SIDE).describe('Centimetres; at most 2 decimals.'),
  height: decimal(SIDE).describe('Centimetres; at most 2 decimals.'),
});

export const setDefaultParcelInput = inputObject('SetDefaultParcelInput', 'The default parcel, or none.', {
  parcel: defaultParcelInput.nullish().describe('The parcel. Null removes the one that there is.'),
});

/** Kilograms and centimetres as exact decimals. */
export type DefaultParcelFields = z.output<typeof defaultParcelInput>;
