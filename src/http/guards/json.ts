import { MAX_JSON_DEPTH } from '../../graphql/scalars.ts';
import { Fault } from '../../platform/fault.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const COMMA = 0x2c;

/** Values of one body, so that reading it does not block the event loop. A batch of 1,000 records has some 20,000. */
const MAX_VALUES = 250_000;

/** A value from JSON. `what` names it in errors. @throws Fault `malformed_json`, `body_too_large` */
export function parseJson(text: string, what = 'The body'): unknown {
  assertReadable(text, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault('malformed_json', {
      detail: `${what} is not valid JSON in UTF-8. Send one JSON value.`,
      cause: error,
    });
  }
}

/** Counts brackets and commas outside of strings, before parsing: an invalid text may count as deep as well. */
function assertReadable(text: string, what: string): void {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === BRACE || code === BRACKET) {
      values++;
      if (++depth > MAX_JSON_DEPTH) {
        throw new Fault('malformed_json', {
          detail: `${what} is nested more than ${MAX_JSON_DEPTH} levels deep, which is the limit.`,
        });
      }
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth--;
    else if (code === COMMA) values++;
  }
  if (values <= MAX_VALUES) return;
  throw new Fault('body_too_large', {
    detail: `${what} has ${values} values. The limit is ${MAX_VALUES}. Send fewer records at a time.`,
    members: { maxValues: MAX_VALUES },
  });
}

/** The place of the closing quote. Looking for each character instead takes 1 ms for a file of 400 KB. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
