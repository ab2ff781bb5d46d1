import { assertContract } from '../../support/contract.ts';

/** An answer of the service, as far as its form is checked. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Why a response is never allowed, whatever the request; undefined where the answer is right. */
export function faultOf({ status, headers, text }: Seen, method = 'GET'): string | undefined {
  // 501 says that HTTP has no such method here; every other status from 500 on is a fault of the service.
  if (status >= 500 && status !== 501) return `answered ${status}: ${text.slice(0, 200)}`;
  if (!headers.get('x-request-id')) return `answered ${status} without X-Request-Id`;
  const codes = codesOf(text);
  if (codes.includes('internal_error')) return `has an internal error ${placesOf(text)}`;
  // The response to a HEAD has no body for a code.
  if (status < 400 || method === 'HEAD') return undefined;
  if (codes.length > 0 && codes.every(code => typeof code === 'string' && /^[a-z_]+$/.test(code))) return undefined;
  return `answered ${status} without a code: ${text.slice(0, 200)}`;
}

/** Every failure has a code, in a problem or in the errors of GraphQL. */
function codesOf(text: string): unknown[] {
  const body = json(text) as { code?: unknown; errors?: unknown } | undefined | null;
  if (body?.code !== undefined) return [body.code];
  return Array.isArray(body?.errors) ? (body.errors as GraphQLFailure[]).map(codeOf) : [];
}

/** Where in a GraphQL answer the internal errors are, by path, or by what they say where nothing ran. */
function placesOf(text: string): string {
  const { errors = [] } = json(text) as { errors?: readonly GraphQLFailure[] };
  const internal = errors.filter(error => codeOf(error) === 'internal_error');
  return internal.map(({ path, message }) => path?.join('.') ?? message).join(', ');
}

interface GraphQLFailure {
  readonly path?: readonly (string | number)[];
  readonly message?: unknown;
  readonly extensions?: { readonly code?: unknown; readonly requestId?: unknown };
}

function codeOf({ extensions }: GraphQLFailure): unknown {
  return extensions?.requestId === undefined ? undefined : extensions.code;
}

/** Why a response to a GraphQL document is never allowed; its errors can come with a status of 200. */
export function graphqlFaultOf(seen: Seen): string | undefined {
  const fault = faultOf(seen);
  if (fault !== undefined) return fault;
  // Its path and headers were not read to the end, so it is answered as at any address.
  if (seen.status === 431) return undefined;
  const body = json(seen.text) as { data?: unknown; errors?: readonly GraphQLFailure[] } | undefined;
  if (body === undefined || !('data' in body || 'errors' in body))
    return `is no GraphQL answer: ${seen.text.slice(0, 200)}`;
  const wrong = (body.errors ?? []).find(
    error => typeof error.message !== 'string' || !/^[a-z_]+$/.test(String(codeOf(error))),
  );
  return wrong && `has an error without a code: ${JSON.stringify(wrong).slice(0, 200)}`;
}

/** Deviations of a REST response from the contract. */
export function contractFaultOf(method: string, path: string, seen: Seen): string | undefined {
  try {
    const isJson = /json/.test(seen.headers.get('content-type') ?? '');
    assertContract(method, path, { ...seen, body: isJson ? json(seen.text) : undefined });
    return undefined;
  } catch (error) {
    return (error as Error).message.slice(0, 400);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
