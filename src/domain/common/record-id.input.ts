import { graphqlTypes } from '../../platform/input.ts';
import { keyIn, NOBODY, numberKey } from '../../platform/record-id.ts';
import { add, addWrongType, anything } from './fields.input.ts';

/** Ids in inputs of the graph. */

/** The id of a record of a type of the graph: its global id, or its number. Its existence is checked later. */
export function recordId(type: string) {
  const allowed = `an id of the type ${type}, or its number`;
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

/** The id of a record to look up: an unreadable one names no record, as an unknown one does. */
export function soughtId(type: string) {
  const schema = anything<number, string | number>(payload => {
    payload.value = keyIn(type, String(payload.value), numberKey) ?? NOBODY;
  }).meta({ type: 'integer', format: 'int32' });
  graphqlTypes.add(schema, { name: 'ID' });
  return schema;
}
