/** A time in a statement, as milliseconds since 1970: cheap on both sides of the wire, and the same in a transaction. */
export const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
