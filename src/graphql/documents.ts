import { LRUCache } from 'lru-cache';

/** Bounds of what is kept of consumers' documents, which take some hundred bytes a character; the least recently used go first. */
const MAX_DOCUMENTS = 1000;
const MAX_CHARACTERS = 250_000;

/** Of one document; what is long belongs into variables. */
export const MAX_TOKENS = 10_000;

/** What a document and one of its operations are known by; no name and no text can be taken for another's. */
export function operationKey(query: string, operationName: string | undefined): string {
  return `${JSON.stringify(operationName ?? null)}\n${query}`;
}

/** What is known of documents, by their texts or their operations' keys. */
export function boundedByText<Value extends object | string>(): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_value, text) => text.length + 1,
  });
}
