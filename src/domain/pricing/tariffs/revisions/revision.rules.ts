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

/**
 * Returns the SQL condition that another tariff follows a tariff in time: a draft is to be published at the latest on
 * the day after the last day of the tariff, and no problem of the draft is known.
 *
 * @param tariff the alias of a row of `tariff`
 */
export const isFollowed = (tariff: string, companyId = `${tariff}.company_id`) =>
  `exists (select from carrier_tariff_revision r where r.company_id = ${companyId}
      and r.carrier_connection_id = ${tariff}.carrier_connection_id
      and r.publish_on <= ${tariff}.valid_until + 1 and r.problem is null)`;
