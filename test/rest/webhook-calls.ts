// Requests about webhook endpoints.
import { expect } from 'vitest';
import type { Answer } from '../support/rest-client.ts';
import type { Caller } from '../support/world.ts';

export const WEBHOOK = { label: 'Gestionale', url: 'https://93.184.215.14/hook', events: ['tracking.delivered'] };
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const create = (by: Caller, fields: object = {}) => by.rest('POST', '/webhooks', { ...WEBHOOK, ...fields });

export interface Endpoint {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly events: string[];
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly lastDelivery: { status: string; deliveredAt: string | null; createdAt: string } | null;
}

/** An endpoint of a company; answers it with its secret. */
export async function endpoint(by: Caller, fields: object = {}): Promise<Endpoint & { readonly secret: string }> {
  const { status, body } = await create(by, fields);
  expect(status).toBe(201);
  return body;
}

export function without<Body extends object, Field extends keyof Body>(body: Body, field: Field): Omit<Body, Field> {
  const { [field]: _, ...rest } = body;
  return rest;
}

/** What is wrong where, by place and without the words. */
export function refusal({ status, body }: Answer): [pointer: string, code: string][] {
  expect([status, body?.code]).toEqual([422, 'validation_failed']);
  const errors = body.errors as { pointer: string; code: string; message: string }[];
  for (const { message } of errors) expect(message).toMatch(/\w/);
  return errors.map(({ pointer, code }): [string, string] => [pointer, code]).toSorted();
}
