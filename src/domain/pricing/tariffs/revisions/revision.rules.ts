/** The author of a revision, who imported or published it: a key of the company, or an operator by a command. */
export type RevisionAuthor = 'api_key' | 'operator' | 'unknown';

export type RevisionState = 'draft' | 'scheduled' | 'failed' | 'in_force' | 'replaced';

/** Returns the state of a revision from its stored fields. */
export function stateOf(revision: {
  readonly number: number | null;
  readonly publishOn: string | null;
  readonly problem: string | null;
  readonly isInForce: boolean;
}): RevisionState {
  const { number, publishOn, problem, isInForce } = revision;
  if (number !== null) return isInForce ? 'in_force' : 'replaced';
  if (problem !== null) return 'failed';
  return publishOn === null ? 'draft' : 'scheduled';
}
