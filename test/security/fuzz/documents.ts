import { graphqlFaultOf, type Seen } from '../support/answers.ts';
import { dataFaultOf } from '../support/graphql-contract.ts';
import { type Field, type Ids, NOBODYS, SDL } from '../support/sdl.ts';
import type { Target, Trial } from './target.ts';

/** These end what the other requests are about. */
const DESTROYS = /^(delete|disconnect|revoke|rotate|discard)/;

/** The ids for a field: a field that deletes gets ids of nobody. */
export function idsFor({ name }: Field, { ids }: Target): Ids {
  return DESTROYS.test(name) ? { ...NOBODYS, url: ids.url } : ids;
}

/** The error of a response to a document: in its form, or in its data by the SDL. */
export function documentFaultOf(seen: Seen, query: string, operationName?: string): string | undefined {
  const fault = graphqlFaultOf(seen);
  if (fault !== undefined) return fault;
  const { data } = JSON.parse(seen.text) as { data?: unknown };
  return dataFaultOf(SDL, query, data, operationName);
}

/** A trial of a document as clients send it. */
export function postedDocument(
  { apiKey }: Target,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  what: string,
): Trial {
  const body = JSON.stringify({ query, variables });
  return {
    what: `${what}: ${body.slice(0, 600)}`,
    path: '/graphql',
    init: { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': apiKey }, body },
    faultOf: seen => documentFaultOf(seen, query),
  };
}
