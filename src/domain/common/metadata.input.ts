import { graphqlTypes } from '../../platform/input.ts';
import { add, addWrongType, anything, textIssue } from './fields.input.ts';
import {
  MAX_METADATA_KEYS,
  MAX_METADATA_VALUE,
  METADATA_KEY,
  METADATA_KEY_IN_WORDS,
  type MetadataPatch,
} from './metadata.rules.ts';

/** Metadata from the platform: an object of strings by keys; null or blank text removes a key. */
export function metadata() {
  const schema = anything<MetadataPatch, MetadataPatch>(payload => {
    const { value } = payload;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      addWrongType(payload, 'an object of texts');
      return;
    }
    const entries = Object.entries(value);
    if (entries.length > MAX_KEYS_SENT) {
      const message = `must name at most ${MAX_KEYS_SENT} keys, but names ${entries.length}`;
      add(payload, { code: 'too_many', message });
      return;
    }
    payload.value = Object.fromEntries(
      entries.map(([key, sent]) => {
        if (!METADATA_KEY.test(key)) {
          const message = `must have a key of ${METADATA_KEY_IN_WORDS}`;
          add(payload, { path: [key], code: 'invalid_key', message });
        }
        if (sent === null) return [key, null];
        if (typeof sent !== 'string') {
          add(payload, { path: [key], code: 'wrong_type', message: 'must be a string' });
          return [key, null];
        }
        const text = sent.trim();
        const issue = text === '' ? undefined : textIssue(text, MAX_METADATA_VALUE);
        add(payload, issue && { ...issue, path: [key] });
        return [key, text === '' ? null : text];
      }),
    );
  }).meta({ type: 'object' });
  graphqlTypes.add(schema, { name: 'JSON' });
  return schema
    .nullish()
    .describe(
      `Values of your own by keys of your own: at most ${MAX_METADATA_KEYS} keys of ${METADATA_KEY_IN_WORDS}; values of at most ${MAX_METADATA_VALUE} characters. A key left out stays as it is; null empties it.`,
    );
}

/** Twice the stored number, so that all keys can be replaced at once. */
const MAX_KEYS_SENT = 2 * MAX_METADATA_KEYS;
