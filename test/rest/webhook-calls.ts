// Requests about webhook endpoints.
import { expect } from 'vitest';
import type { Caller } from '../support/world.ts';

export const WEBHOOK = { label: 'Gestionale', url: 'https://93.184.215.14/hook', events: ['tracking.delivered'] };

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
