import { expect } from 'vitest';
import type { Answer } from './rest-client.ts';

/** What is wrong with a request where, by place and without the words. */
export function refusal({ status, body }: Answer): [pointer: string, code: string][] {
  expect([status, body?.code]).toEqual([422, 'validation_failed']);
  const errors = body.errors as { pointer: string; code: string; message: string }[];
  for (const { message } of errors) expect(message).toMatch(/\w/);
  return errors.map(({ pointer, code }): [string, string] => [pointer, code]).toSorted();
}
