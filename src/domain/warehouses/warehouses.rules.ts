import { Checks } from '../checks.rules.ts';
import { checkCountry, checkPostalCode } from '../places/recipient.rules.ts';

/** The fixed types of a warehouse; `typeId` accepts only these. */
export const WAREHOUSE_TYPES: Readonly<Record<number, string>> = {
  1: 'Principale',
  2: 'Logistica',
  3: 'Drop Shipping',
  4: 'Secondario',
};

const PRINCIPAL_TYPE = 1;

export interface WarehouseFields {
  name: string;
  typeId: number;
  address: string;
  postalCode: string;
  city: string;
  state: string;
  country: string;
}

export type WarehousePatch = { [Field in keyof WarehouseFields]?: WarehouseFields[Field] | null | undefined };

export function isPrincipal(typeId: number): boolean {
  return typeId === PRINCIPAL_TYPE;
}

/** Checks the fields that were sent, each by itself, and answers them as they will be stored. */
export function checkWarehouseFields(patch: WarehousePatch): Partial<WarehouseFields> {
  const checks = new Checks();
  const fields: Partial<WarehouseFields> = {};
  if (Object.keys(patch).length === 0) {
    checks.add([], 'empty', 'must have at least one of name, typeId, address, postalCode, city, state, country');
  }
  for (const name of ['name', 'address', 'city', 'state'] as const) {
    if (patch[name] !== undefined) fields[name] = checks.text([name], patch[name]);
  }
  if (patch.postalCode !== undefined) fields.postalCode = checks.text(['postalCode'], patch.postalCode, 20);
  if (patch.country !== undefined) fields.country = checkCountry(checks, ['country'], patch.country);
  if (patch.typeId !== undefined) {
    fields.typeId = patch.typeId ?? 0;
    if (patch.typeId === null) checks.add(['typeId'], 'required', 'must not be null');
    else if (!Object.hasOwn(WAREHOUSE_TYPES, fields.typeId)) {
      checks.add(
        ['typeId'],
        'not_allowed',
        'must be 1 (Principale), 2 (Logistica), 3 (Drop Shipping) or 4 (Secondario)',
      );
    }
  }
  // Together they are checked once the whole address is known; a wrong pair is told here with the rest where both were sent.
  if (fields.country !== undefined && fields.postalCode !== undefined) {
    checkPostalCode(checks, ['postalCode'], fields.country, fields.postalCode);
  }
  checks.throwIfAny();
  return fields;
}

/** The address as it will be after the change; a misfit is told of the field that was sent. */
export function checkAddressAfter(after: WarehouseFields, sent: Partial<WarehouseFields>): void {
  const checks = new Checks();
  checkPostalCode(checks, [sent.postalCode === undefined ? 'country' : 'postalCode'], after.country, after.postalCode);
  checks.throwIfAny();
}
