import { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { inputObject, isGiven, mustBe, patchObject, street, text } from '../../common/fields.input.ts';
import { changedPostalCode, country, postalCode, readInCountry } from '../../common/places/places.input.ts';

const fields = {
  name: text().describe('Warehouse name, 1–200 characters.'),
  typeId: z
    .literal([1, 2, 3, 4], mustBe('1, 2, 3 or 4'))
    .meta({ type: 'integer', description: '1 Principale, 2 Logistica, 3 Drop Shipping, 4 Secondario.' }),
  address: street().describe('Street and house number, 1–200 characters.'),
  postalCode: postalCode().describe(
    "Postal code, at most 20 characters, stored in the form of its country's (Italy: five digits). Required where the country has postal codes; empty otherwise.",
  ),
  city: text().describe('City, 1–200 characters.'),
  state: text().describe('Province or state, 1–200 characters.'),
  country: country().describe('ISO 3166-1 alpha-2 country code, in either case.'),
};

export const createWarehouseInput = inputObject(
  'CreateWarehouseInput',
  'A new warehouse. All fields are required, `postalCode` only where the country has postal codes.',
  fields,
  (warehouse, sent) => (isGiven('country', warehouse, sent) ? [] : withoutCountry(warehouse)),
  warehouse => readInCountry(warehouse, warehouse.country),
);

export const updateWarehouseInput = patchObject(
  'UpdateWarehouseInput',
  'The fields of a warehouse to change: at least one, none of them null.',
  {
    ...fields,
    postalCode: changedPostalCode().describe(
      "Postal code, at most 20 characters, in the form of its country's; empty to remove it where the country has none.",
    ),
  },
  // If only one of them is sent, the other is known after the warehouse was read.
  sent => (sent.country === undefined ? [] : readInCountry(sent, sent.country)),
);

/** A warehouse's fields as they are stored. */
export type WarehouseFields = z.output<typeof createWarehouseInput>;
export type WarehousePatch = z.output<typeof updateWarehouseInput>;

/** One response names all that is missing, before it is known whether the country has postal codes. */
function withoutCountry({ postalCode }: { readonly postalCode?: string }): readonly Issue[] {
  const message = 'must be given, unless the country has no postal codes';
  return postalCode === '' ? [{ path: ['postalCode'], code: 'required', message }] : [];
}
