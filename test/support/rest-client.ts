import { expect } from 'vitest';
import { assertContract } from './contract.ts';
import { note } from './log-watch.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined where there was no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and the contract was checked already
  readonly body: any;
  /** Exact bytes of the body. */
  readonly text: string;
}

/** `path` below the base path; `body` is sent as JSON unless it is a string, which goes as it is. */
export type RestClient = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export const BASE = '/api/v1/integrations';

/** A client that compares every response with `schema/openapi.json`: status and headers are declared, and fit. */
export function restClient(url: string, credentials: Record<string, string> = {}): RestClient {
  return async (method, path, body, headers = {}) => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    if (sent !== undefined) note('sent', sent);
    const response = await fetch(url + BASE + path, {
      method,
      headers: { ...credentials, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: sent,
    });
    const text = await response.text();
    note('issued', text);
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text && isJson ? JSON.parse(text) : undefined,
      text,
    };
    assertContract(method, BASE + path, answer);
    return answer;
  };
}

/** The errors of the fields of a request, by place and without the words. */
export function wrongFields({ status, body }: Answer): [pointer: string, code: string][] {
  expect([status, body?.code]).toEqual([422, 'validation_failed']);
  const errors = body.errors as { pointer: string; code: string; message: string }[];
  for (const { message } of errors) expect(message).toMatch(/\w/);
  return errors.map(({ pointer, code }): [string, string] => [pointer, code]).toSorted();
}
