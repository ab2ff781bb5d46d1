import type { Maybe } from './normalize.ts';

/**
 * This module reads the complaint of a carrier that rejects a request. The complaint is about the caller's address or
 * number, or about something of ours, such as a missing field, the account, or the origin. A complaint that names none
 * of them counts as ours, because an address is invalid only if the carrier says so.
 */

const MISSING = /\b(?:missing|mandatory|required|must be provided|null|empty)\b/;
/** Says no more than that a field is wrong, and the requests have all of them. */
const MISSING_OR_INVALID = /\b(?:missing (?:or )?invalid|invalid (?:or )?missing)\b/g;
const DESTINATION = /\b(?:destination|consignee|recipient|receiver|ship ?to|deliver(?:y|ed) (?:address|location))/;
const OURS =
  /\b(?:origin|shipper|sender|ship from|pickup|account|ship(?:ment|ping)? ?date|carrier|currency|contents?|weight|bill type|version|trans ?id|transaction|header|json|locale)/;
const PLACE = /\b(?:post ?code|postal|zip|city|town|suburb|county|state|province|country|address|location)/;
const NOT_FOUND = /\b(?:not ?found|not be found|no match|does not exist|unknown)\b/;
const NUMBER =
  /\b(?:track(?:ing)? ?n(?:umbe|b)rs?|tracking ids?|inquiry number|shipment number|reference number|waybill|awb|air ?way ?bill|piece id)/;

/** One text of words in lower case: `originPostalCode` and `SHIP.DATE.INVALID` are words, too. */
function wordsOf(texts: readonly Maybe<string>[]): string {
  return texts
    .filter(text => text != null)
    .join(' ')
    .slice(0, 2_000)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(MISSING_OR_INVALID, 'invalid');
}

/** @param texts codes, names of fields and messages of one complaint */
export function addressComplaint(texts: readonly Maybe<string>[]): 'invalid' | 'not_found' | 'rejected' {
  const words = wordsOf(texts);
  const isOfAddress = !MISSING.test(words) && (DESTINATION.test(words) || (!OURS.test(words) && PLACE.test(words)));
  if (!isOfAddress) return 'rejected';
  return NOT_FOUND.test(words) ? 'not_found' : 'invalid';
}

/** A malformed number cannot be one of the carrier's, so it is as unknown as one that it does not find. */
export function numberComplaint(texts: readonly Maybe<string>[]): 'not_found' | 'rejected' {
  const words = wordsOf(texts);
  return NUMBER.test(words) || NOT_FOUND.test(words) ? 'not_found' : 'rejected';
}
