import { type Fault, invalid } from '../platform/fault.ts';
import { isUuid } from '../platform/uuid.ts';

/**
 * Global ids: the field `id` of the graph, unique among all records. They are opaque, so that clients do not parse the
 * key. An argument that names a record takes the global id, or the number or UUID that REST and webhooks show.
 */

/** The key of a record in its table, and the name of its type. */
export interface NodeKey {
  readonly type: string;
  readonly key: string;
}

type Path = readonly (string | number)[];

/** Ids of most tables are integers of four bytes. */
const MAX_INT = 2 ** 31 - 1;
const NUMBER = /^\d{1,15}$/;
const GLOBAL = /^([A-Z][A-Za-z]*):(.+)$/s;

/** No id is longer. */
const MAX_LENGTH = 1_000;

export function globalId(type: string, key: string | number): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/** The key in a global id; undefined for any other text. */
export function readGlobalId(id: string): NodeKey | undefined {
  if (id.length > MAX_LENGTH) return undefined;
  const [, type, key] = GLOBAL.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  // Node skips invalid characters of base64url: only the exact text that was given out is an id.
  return type === undefined || key === undefined || globalId(type, key) !== id ? undefined : { type, key };
}

/** A key that is a number of four bytes; undefined for any other text. */
export function integerKey(key: string): number | undefined {
  return NUMBER.test(key) && Number(key) <= MAX_INT ? Number(key) : undefined;
}

/** A key that is a number of eight bytes; undefined for any other text. */
export function bigintKey(key: string): number | undefined {
  return NUMBER.test(key) ? Number(key) : undefined;
}

/** A key that is a UUID; undefined for any other text. */
export function uuidKey(key: string): string | undefined {
  // In lower case, as PostgreSQL returns it.
  return isUuid(key) ? key.toLowerCase() : undefined;
}

/**
 * The number of a record of some type, from its global id or the number itself.
 *
 * @param path the place of the id in the request
 * @throws Fault `validation_failed` for any other text
 */
export function numberNamed(type: string, id: string, path: Path = ['id'], readKey = integerKey): number {
  return keyNamed(type, id, path, readKey, 'number');
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

function keyNamed<Key>(
  type: string,
  id: string,
  path: Path,
  readKey: (text: string) => Key | undefined,
  kind: string,
): Key {
  const global = readGlobalId(id);
  const key = readKey(id) ?? (global?.type === type ? readKey(global.key) : undefined);
  if (key === undefined) throw unreadable(path, `must be the id of a ${type}, or its ${kind}`);
  return key;
}

/** An id that can name nothing. */
export function unreadable(path: Path, message: string): Fault {
  return invalid([{ path, code: 'invalid_id', message }]);
}
