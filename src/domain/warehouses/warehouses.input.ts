import { z } from 'zod';
import type { Issue } from '../../platform/fault.ts';
import { inputObject, mustBe, patchObject, street, text } from '../common/fields.input.ts';
import { country, postalCode } from '../places/places.input.ts';
import { postalCodeIssues } from '../places/recipient.rules.ts';

const fields = {
  name: text().describe('Warehouse name, 1–200 characters.'),
  typeId: z
    .literal([1, 2, 3, 4], mustBe('1, 2, 3 or 4'))
    .meta({ type: 'integer', description: '1 Principale, 2 Logistica, 3 Drop Shipping, 4 Secondario.' }),
  address: street().describe('Street and house number, 1–200 characters.'),
  postalCode: postalCode().describe("Postal code, 1–20 characters, in the form of its country's (Italy: five digits)."),
  city: text().describe('City, 1–200 characters.'),
  state: text().describe('Province or state, 1–200 characters.'),
  country: country().describe('ISO 3166-1 alpha-2 country code, in either case.'),
};

export const createWarehouseInput = inputObject(
  'CreateWarehouseInput',
  'A new warehouse. All fields are required.',
  fields,
  postalCodeFits,
);

export const updateWarehouseInput = patchObject(
  'UpdateWarehouseInput',
  'The fields of a warehouse to change: at least one, none of them null.',
  fields,
  // If only one of them is sent, the other is known after the warehouse was read.
  postalCodeFits,
);

/** A warehouse's fields as they are stored. */
export type WarehouseFields = z.output<typeof createWarehouseInput>;
export type WarehousePatch = z.output<typeof updateWarehouseInput>;

function postalCodeFits(sent: { country?: string; postalCode?: string }): readonly Issue[] {
  return postalCodeIssues(['postalCode'], sent.country, sent.postalCode);
}
