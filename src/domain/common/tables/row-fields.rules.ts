/** Puts the cells of a row into a record by the paths of its fields. */

export type RowFields = Record<string, unknown>;

/** A record without a prototype, so that a header such as `metadata.__proto__` names a key, which the schema rejects. */
export function rowFields(): RowFields {
  return Object.create(null);
}

/** @param path such as `['recipient', 'city']`; a key of metadata is one name, whatever is in it */
export function putField(record: RowFields, [name = '', ...below]: readonly string[], content: unknown): void {
  if (below.length === 0) {
    record[name] = content;
    return;
  }
  record[name] ??= rowFields();
  putField(record[name] as RowFields, below, content);
}
