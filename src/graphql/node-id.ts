import { type Fault, invalid } from '../platform/fault.ts';
import { integerKey, keyIn, NOBODY, numberKey, uuidKey } from '../platform/record-id.ts';

/** Ids in arguments: an argument that names a record takes its global id, or the number or UUID that REST shows. */

export { bigintKey, globalId, integerKey, keyIn, RecordId, readGlobalId, uuidKey } from '../platform/record-id.ts';

type Path = readonly (string | number)[];

/**
 * The number of a record of some type, from its global id or the number itself. A negative one names no record.
 *
 * @param path the place of the id in the request
 * @throws Fault `validation_failed` for any other text
 */
export function numberNamed(type: string, id: string, path: Path = ['id'], readKey = integerKey): number {
  return keyNamed(type, id, path, text => numberKey(text, readKey), 'number');
}

/**
 * The UUID of a record of some type, from its global id or the UUID itself.
 *
 * @param path the place of the id in the request
 * @throws Fault `validation_failed` for any other text
 */
export function uuidNamed(type: string, id: string, path: Path = ['id']): string {
  return keyNamed(type, id, path, uuidKey, 'UUID');
}

/**
 * The number of a record to look up, which is null for any text that names none: an unreadable id names no record, as an
 * unknown one does.
 */
export function numberSought(type: string, id: string, readKey = integerKey): number {
  return keyIn(type, id, text => numberKey(text, readKey)) ?? NOBODY;
}

/** The UUID of a record to look up; a UUID without a record for any text that names none. */
export function uuidSought(type: string, id: string): string {
  return keyIn(type, id, uuidKey) ?? NIL_UUID;
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

function keyNamed<Key>(
  type: string,
  id: string,
  path: Path,
  readKey: (text: string) => Key | undefined,
  kind: string,
): Key {
  const key = keyIn(type, id, readKey);
  if (key === undefined) throw unreadable(path, `must be an id of the type ${type}, or its ${kind}`);
  return key;
}

/** An id that can name nothing. */
export function unreadable(path: Path, message: string): Fault {
  return invalid([{ path, code: 'invalid_id', message }]);
}
