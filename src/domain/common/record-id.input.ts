import { graphqlTypes } from '../../platform/input.ts';
import { integerKey, keyIn } from '../../platform/record-id.ts';
import { add, addWrongType, anything } from './fields.input.ts';

/** Ids in inputs of the graph. */

/** Ids begin with 1. */
const NOBODY = 0;

/** A number of a record. REST and files may have a negative one, which names no record. */
function numberKey(text: string): number | undefined {
  return /^-\d{1,10}$/.test(text) ? NOBODY : integerKey(text);
}

/** The id of a record of a type of the graph: its global id, or its number. Its existence is checked later. */
export function recordId(type: string) {
  const allowed = `the id of a ${type}, or its number`;
  const schema = anything<number, string | number>(payload => {
    const { value } = payload;
    const key = typeof value === 'string' || typeof value === 'number' ? keyIn(type, String(value), numberKey) : null;
    if (key === null) addWrongType(payload, allowed);
    else if (key === undefined) add(payload, { code: 'invalid_id', message: `must be ${allowed}` });
    else payload.value = key;
  }).meta({ type: 'integer', format: 'int32' });
  graphqlTypes.add(schema, { name: 'ID' });
  return schema;
}
