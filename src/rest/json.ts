import { MAX_JSON_DEPTH } from '../graphql/variables.ts';
import { Fault } from '../platform/fault.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** A value from JSON. `what` names it in errors. @throws Fault `malformed_json` */
export function parseJson(text: string, what = 'The body'): unknown {
  if (isTooDeep(text)) {
    throw new Fault('malformed_json', { detail: `${what} is nested more than ${MAX_JSON_DEPTH} levels deep.` });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Fault('malformed_json', {
      detail: `${what} could not be read as UTF-8 JSON. Send one JSON value.`,
      cause: error,
    });
  }
}

/** Counts brackets outside of strings, before the text is parsed: what is no JSON may count as deep as well. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) i += code === BACKSLASH ? 1 : 0;
    else if (code === BRACE || code === BRACKET) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth--;
  }
  return false;
}
