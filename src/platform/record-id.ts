import { isUuid } from './uuid.ts';

/**
 * Ids of records. The graph shows a global id, which is unique among all records and opaque, so that clients do not
 * parse the key. REST and webhooks show the key: a number or a UUID. Inputs of the graph take either.
 */

/** Ids of most tables are integers of four bytes. */
const MAX_INT = 2 ** 31 - 1;
const NUMBER = /^\d{1,15}$/;
const GLOBAL = /^([A-Z][A-Za-z]*):(.+)$/s;

/** No id is longer. */
const MAX_LENGTH = 1_000;

/** The id of a record in a response: a global id in the graph, the key in REST. */
export class RecordId {
  readonly type: string;
  readonly key: string | number;

  constructor(type: string, key: string | number) {
    this.type = type;
    this.key = key;
  }

  /** The scalar `ID` writes an object by its value. */
  valueOf(): string {
    return globalId(this.type, this.key);
  }
}

export function globalId(type: string, key: string | number): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/** The type and the key in a global id; undefined for any other text. */
export function readGlobalId(id: string): { readonly type: string; readonly key: string } | undefined {
  if (id.length > MAX_LENGTH) return undefined;
  const [, type, key] = GLOBAL.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  // Node skips invalid characters of base64url: only the exact text that was given out is an id.
  return type === undefined || key === undefined || globalId(type, key) !== id ? undefined : { type, key };
}

/** A key that is a number of four bytes; undefined for any other text. */
export function integerKey(key: string): number | undefined {
  return NUMBER.test(key) && Number(key) <= MAX_INT ? Number(key) : undefined;
}

/** Ids begin with 1. */
export const NOBODY = 0;

/** The number of a record in a request; undefined for any other text. A negative one names no record, as 0 does. */
export function numberKey(text: string, readKey = integerKey): number | undefined {
  return /^-\d{1,10}$/.test(text) ? NOBODY : readKey(text);
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

/** The key of a record of a type, from its global id or the key itself; undefined for any other text. */
export function keyIn<Key>(type: string, id: string, readKey: (text: string) => Key | undefined): Key | undefined {
  const key = readKey(id);
  if (key !== undefined) return key;
  const global = readGlobalId(id);
  return global?.type === type ? readKey(global.key) : undefined;
}
