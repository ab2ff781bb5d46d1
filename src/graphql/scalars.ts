/** The limit on levels of JSON from callers: deeper values overflow the stack of recursive code. */
export const MAX_JSON_DEPTH = 64;

/** The form of a JSON value for each scalar, in words that mean the same to REST and GraphQL callers. */
const SCALAR_WORDS: Readonly<Record<string, string>> = {
  String: 'a string',
  ID: 'an id in a string, or a whole number',
  Int: 'a whole number',
  Float: 'a number',
  Boolean: 'true or false',
  Date: 'a date in a string',
  DateTime: 'an ISO 8601 date-time in a string',
  Decimal: 'a decimal, as a string or a number',
  URL: 'a URL in a string',
  UUID: 'a UUID in a string',
  JSON: `a JSON value of at most ${MAX_JSON_DEPTH} levels`,
};

/** The message for a value that does not fit a scalar; it states the allowed values and does not repeat the value. */
export function mustBe(scalar: string, value?: unknown): string {
  if (scalar === 'Int' && Number.isInteger(value)) return 'must be a whole number from -2147483648 to 2147483647';
  return `must be ${SCALAR_WORDS[scalar] ?? `a ${scalar}`}`;
}
