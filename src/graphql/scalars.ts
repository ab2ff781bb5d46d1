/** Levels of JSON that is sent: deeper values overflow the stack of code that goes through them by recursion. */
export const MAX_JSON_DEPTH = 64;

/** What a JSON value must be for each scalar, in words that mean the same to REST and GraphQL callers. */
const SCALAR_WORDS: Readonly<Record<string, string>> = {
  String: 'a string',
  ID: 'a string',
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

/** What a value of a scalar must be, for an error that names what is allowed and does not repeat the value. */
export function mustBe(scalar: string, value?: unknown): string {
  if (scalar === 'Int' && Number.isInteger(value)) return 'must be a whole number from -2147483648 to 2147483647';
  return `must be ${SCALAR_WORDS[scalar] ?? `a ${scalar}`}`;
}
