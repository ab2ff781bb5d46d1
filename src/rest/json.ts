import { MAX_JSON_DEPTH } from '../graphql/variables.ts';
import { Fault } from '../platform/fault.ts';

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;

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
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (isOpening(code) && ++depth > MAX_JSON_DEPTH) return true;
    else if (isClosing(code)) depth--;
  }
  return false;
}

/** Index of the quote that ends the string which begins at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
