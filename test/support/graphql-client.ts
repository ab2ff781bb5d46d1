import { expect } from 'vitest';
import { FAULTS } from '../../src/platform/fault.ts';
import { note } from './log-watch.ts';
import { documentOf, inNames, inOwnValues } from './own-values.ts';

export interface GraphQLAnswer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly errors?: readonly {
    message: string;
    locations?: { line: number; column: number }[];
    path?: (string | number)[];
    extensions: {
      code: string;
      status: number;
      requestId: string;
      requiredScope?: string;
      errors?: { pointer: string; code: string; message: string }[];
    };
  }[];
}

export interface UserError {
  readonly code: string;
  readonly pointer: string | null;
  readonly message: string;
}

/** A response without its cost, which differs each time. */
export const withoutCost = (text: string) => text.replace(/,"extensions":\{"cost":\{[^{}]*\}\}\}$/, '}');

/** The payload of a mutation. */
export type Payload<Result = object> = Result & { readonly userErrors: readonly UserError[] };

/**
 * The value of the one root field, where nothing went wrong. For a mutation it is the result: the one field of its
 * payload beside `userErrors`, or the payload where it has more.
 */
export function resultOf<Value>({ data, errors }: Pick<GraphQLAnswer<unknown>, 'data' | 'errors'>): Value {
  expect(errors).toBeUndefined();
  const [value] = Object.values(data as object);
  if (typeof value !== 'object' || value === null || !('userErrors' in value)) return value as Value;
  const { userErrors, ...payload } = value as Payload;
  expect(userErrors).toEqual([]);
  const [result, ...others] = Object.values(payload);
  return (others.length === 0 ? result : payload) as Value;
}

/** Why an operation failed: an error of the response, or what the one mutation in it returned. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly requiredScope?: string;
  /** The errors of `validation_failed`. */
  readonly errors?: readonly UserError[];
}

/** Why an operation failed; undefined if it did not. Its data then have nothing else. */
export function failureOf({
  data,
  errors: [error] = [],
}: Pick<GraphQLAnswer<unknown>, 'data' | 'errors'>): Failure | undefined {
  const values = Object.values((data ?? {}) as object).filter(value => value !== null);
  if (error) {
    expect(values).toEqual([]);
    return { ...error.extensions, message: error.message };
  }
  const { userErrors = [], ...results } = (values[0] ?? {}) as Partial<Payload>;
  const [first] = userErrors;
  if (!first) return undefined;
  expect(Object.values(results).filter(value => value !== null)).toEqual([]);
  for (const { message } of userErrors) expect(message).toMatch(/^[A-Z].*\.$/s);
  if (first.code in FAULTS) return first;
  return { code: 'validation_failed', message: first.message, errors: userErrors };
}

/** A client of the graph, in the platform's own words (`own-values.ts`). */
export function graphqlClient(url: string, apiKey: string) {
  return async <Data>(query: string, variables: Record<string, unknown> = {}): Promise<GraphQLAnswer<Data>> => {
    const document = documentOf(query);
    const body = JSON.stringify({ query, variables: document ? inNames(document, variables) : variables });
    for (const text of [query, body]) note('sent', text);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body,
    });
    const text = await response.text();
    note('issued', text);
    const answer = JSON.parse(withoutCost(text)) as Omit<GraphQLAnswer<Data>, 'status'>;
    const data = document && answer.data ? (inOwnValues(document, answer.data) as Data) : answer.data;
    return { status: response.status, ...answer, ...(data !== undefined && { data }) };
  };
}
