import { isUuid } from '../../platform/uuid.ts';
import type { JsonSchema } from './shape.ts';

/** A parameter in the path: how its text becomes a variable, and its description in the contract. */
export interface Parameter {
  readonly read: (text: string) => string | number;
  readonly schema: JsonSchema;
  readonly description: string;
}

const MAX_ID = 2_147_483_647;
/** Ids start at 1, so a malformed id becomes one that never existed. */
const NOBODY = 0;

export function integerId(description: string): Parameter {
  return {
    read: value => (/^[1-9]\d{0,9}$/.test(value) && Number(value) <= MAX_ID ? Number(value) : NOBODY),
    schema: { type: 'integer', minimum: 1 },
    description,
  };
}

const NOBODYS_UUID = '00000000-0000-0000-0000-000000000000';

export function uuid(description: string): Parameter {
  return {
    read: value => (isUuid(value) ? value : NOBODYS_UUID),
    schema: { type: 'string', format: 'uuid' },
    description,
  };
}

export function text(description: string): Parameter {
  return { read: value => value, schema: { type: 'string', minLength: 1 }, description };
}
