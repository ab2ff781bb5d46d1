import type { z } from 'zod';
import { graphqlTypes } from '../../platform/input.ts';
import { oneLine } from '../../platform/plain-text.ts';
import { add, addWrongType, anything, inputObject, text, textIssue } from './fields.input.ts';
import {
  MAX_METADATA_KEYS,
  MAX_METADATA_VALUE,
  METADATA_KEY,
  METADATA_KEY_IN_WORDS,
  type MetadataPatch,
} from './metadata.rules.ts';

/** A key and its value in GraphQL, which has no type for objects with keys of the caller. */
const metadataEntryInput = inputObject('MetadataEntryInput', 'A key of the metadata, and its value.', {
  key: text(40).describe('The key.'),
  value: text(MAX_METADATA_VALUE).nullish().describe('The value. Null or blank text removes the key.'),
});

type MetadataEntry = z.input<typeof metadataEntryInput>;

/** Twice the stored number, so that all keys can be replaced at once. */
const MAX_KEYS_SENT = 2 * MAX_METADATA_KEYS;

/**
 * Metadata from the platform: pairs of a key and a value in GraphQL, and an object in files and stored records. Null or
 * blank text removes a key.
 */
export function metadata() {
  const schema = anything<MetadataPatch, MetadataPatch | readonly MetadataEntry[]>(payload => {
    const { value } = payload;
    if (typeof value !== 'object' || value === null) {
      addWrongType(payload, 'an object of texts');
      return;
    }
    const pairs = Array.isArray(value)
      ? pairsOf(value)
      : Object.entries(value).map(([key, sent]) => pair([], key, sent));
    if (pairs.length > MAX_KEYS_SENT) {
      const message = `must name at most ${MAX_KEYS_SENT} keys, but names ${pairs.length}`;
      add(payload, { code: 'too_many', message });
      return;
    }
    const read = new Map<string, string | null>();
    for (const { path, key, value: sent } of pairs) {
      if (!METADATA_KEY.test(key)) {
        add(payload, { path: path.key, code: 'invalid_key', message: `must have a key of ${METADATA_KEY_IN_WORDS}` });
      } else if (read.has(key)) {
        add(payload, { path: path.key, code: 'duplicate', message: 'must be given once' });
      }
      if (sent != null && typeof sent !== 'string') {
        add(payload, { path: path.value, code: 'wrong_type', message: 'must be a string' });
        continue;
      }
      const trimmed = oneLine(sent ?? '');
      const issue = trimmed === '' ? undefined : textIssue(trimmed, MAX_METADATA_VALUE);
      add(payload, issue && { ...issue, path: path.value });
      read.set(key, trimmed === '' ? null : trimmed);
    }
    payload.value = Object.fromEntries(read);
  }).meta({ type: 'object' });
  graphqlTypes.add(schema, { name: 'MetadataEntryInput', items: metadataEntryInput });
  return schema
    .nullish()
    .describe(
      `Values of your own by keys of your own: pairs of \`key\` and \`value\` in GraphQL, an object in files. At most ${MAX_METADATA_KEYS} keys of ${METADATA_KEY_IN_WORDS}; values of at most ${MAX_METADATA_VALUE} characters. A key left out stays as it is; null empties it.`,
    );
}

/** A key and its value, each with its path in the input. */
function pair(path: readonly (string | number)[], key: unknown, value: unknown) {
  const isEntry = path.length > 0;
  return {
    path: isEntry ? { key: [...path, 'key'], value: [...path, 'value'] } : { key: [String(key)], value: [String(key)] },
    key: String(key),
    value,
  };
}

/** The pairs of a list, whose JSON types GraphQL has checked. */
function pairsOf(list: readonly unknown[]) {
  return list.map((entry, i) => {
    const { key, value } = (entry ?? {}) as Partial<MetadataEntry>;
    return pair([i], key, value);
  });
}
