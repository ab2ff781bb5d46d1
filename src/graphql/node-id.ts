import { type Fault, invalid } from '../platform/fault.ts';
import { isUuid } from '../platform/uuid.ts';

/**
 * Global ids: what `id` is in the graph, unique among all records of all types. They hide the key, so that nobody takes
 * one apart. Where an argument names a record it takes the global id, or the number or UUID that REST and webhooks show.
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

/** Any id is far shorter. */
const MAX_LENGTH = 1_000;

export function globalId(type: string, key: string | number): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/** What a global id names; undefined for any other text. */
export function readGlobalId(id: string): NodeKey | undefined {
  if (id.length > MAX_LENGTH) return undefined;
  const [, type, key] = GLOBAL.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  // Node skips what is not base64url: only the text that was given out is an id.
  return type === undefined || key === undefined || globalId(type, key) !== id ? undefined : { type, key };
}

/** A key that is a number of four bytes; undefined for any other text. */
export function integerKey(key: string): number | undefined {
  return NUMBER.test(key) && Number(key) <= MAX_INT ? Number(key) : undefined;
}

/** The same of eight bytes. */
export function bigintKey(key: string): number | undefined {
  return NUMBER.test(key) ? Number(key) : undefined;
}

/** A key that is a UUID; undefined for any other text. */
export function uuidKey(key: string): string | undefined {
  // As PostgreSQL gives it back, whatever the case it was sent in.
  return isUuid(key) ? key.toLowerCase() : undefined;
}

/**
 * The number of a record of some type, named by its global id or by the number itself.
 *
 * @param path of the id in what was sent
 * @throws Fault `validation_failed` where it is neither
 */
export function numberNamed(type: string, id: string, path: Path = ['id'], readKey = integerKey): number {
  return keyNamed(type, id, path, readKey, 'number');
}

/**
 * The UUID of a record of some type, named by its global id or by the UUID itself.
 *
 * @param path of the id in what was sent
 * @throws Fault `validation_failed` where it is neither
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

/** An id that names nothing, whatever there is. */
export function unreadable(path: Path, message: string): Fault {
  return invalid([{ path, code: 'invalid_id', message }]);
}
