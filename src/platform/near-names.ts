import { suggestionList } from 'graphql/jsutils/suggestionList.js';

/** Suggests the names that a caller may have meant by an unknown one. */

const MAX_SUGGESTIONS = 5;

/** A shorter name is the beginning of too many. */
const MIN_BEGINNING = 4;

/** No known name is nearly as long as a longer one. */
const MAX_LENGTH = 64;

/** The known names that are near to a name, or else those that begin nearly so: `traking` may mean `trackingNumber`. */
export function meantBy(name: string, known: readonly string[]): string[] {
  if (name.length > MAX_LENGTH) return [];
  const near = suggestionList(name, known);
  return (near.length > 0 ? near : beginningLike(name, known)).slice(0, MAX_SUGGESTIONS);
}

function beginningLike(name: string, known: readonly string[]): string[] {
  if (name.length < MIN_BEGINNING) return [];
  // A letter may have been left out.
  const beginningOf = (one: string) => one.slice(0, name.length + 1);
  const [nearest] = suggestionList(name, [...new Set(known.map(beginningOf))]);
  return nearest === undefined ? [] : known.filter(one => beginningOf(one) === nearest);
}

/** The message for an unknown field. */
export function unknownField(name: string, known: readonly string[]): string {
  const meant = meantBy(name, known).join(' or ');
  const suggestion = meant === '' ? '; allowed' : `; did you mean ${meant}? Allowed`;
  return `is not a known field${suggestion} are ${known.toSorted().join(', ')}`;
}
