/** Values by keys that the platform stores with an order or a shipment for its own purposes. */
export type Metadata = Readonly<Record<string, string>>;

/** A change of metadata: a value sets its key, null removes it, and null in place of the object removes all keys. */
export type MetadataPatch = Readonly<Record<string, string | null>> | null;

export const MAX_METADATA_KEYS = 20;
export const MAX_METADATA_VALUE = 500;

/** The first character excludes `__proto__`. */
export const METADATA_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
export const METADATA_KEY_IN_WORDS = '1 to 40 letters (A–Z, a–z), digits, _ and -, the first a letter or a digit';

/** Metadata after a change, which keeps the keys that it does not name. */
export function mergedMetadata(known: Metadata, patch: MetadataPatch): Metadata {
  if (patch === null) return {};
  const entries = Object.entries({ ...known, ...patch });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The metadata of an order and of one of its shipments together; the shipment's value has priority. */
export function metadataTogether(ofOrder: Metadata, ofShipment: Metadata): Metadata {
  return { ...ofOrder, ...ofShipment };
}

/** Why metadata cannot be stored: it has too many keys. */
export function metadataIssue(metadata: Metadata): { readonly code: 'too_many'; readonly message: string } | undefined {
  const count = Object.keys(metadata).length;
  if (count <= MAX_METADATA_KEYS) return undefined;
  return { code: 'too_many', message: `must leave at most ${MAX_METADATA_KEYS} keys, but leaves ${count}` };
}
