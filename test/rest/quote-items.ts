// The items and warnings of quotes.
import { expect } from 'vitest';
import type { Answer } from '../support/rest-client.ts';

interface Item {
  readonly carrierCompanyId: number;
  readonly totalPrice: number;
  readonly totalPriceWithVat: number;
  readonly vatRate: number;
  readonly vatAmount: number;
  readonly carrierOptionsDetail: readonly { code: string; price: number; calculated: boolean; description: string }[];
  readonly [field: string]: unknown;
}

export function itemsOf({ status, body }: Answer): Item[] {
  expect([status, Array.isArray(body) ? 'items' : body]).toEqual([200, 'items']);
  return body;
}

export async function onlyItem(pending: Promise<Answer>): Promise<Item> {
  const [item, ...others] = itemsOf(await pending);
  expect(others).toEqual([]);
  return item as Item;
}

export const idsOf = (answer: Answer) => itemsOf(answer).map(({ carrierCompanyId }) => carrierCompanyId);

/** Code of the warning and of each connection's reason, after everything else was checked that warnings promise. */
export function warningOf({ status, body }: Answer): [code: string, reasons: [id: number, code: string][]] {
  expect([status, body.warning]).toEqual([200, true]);
  expect(Object.keys(body).toSorted()).toEqual(['code', 'details', 'message', 'warning']);
  expect(body.message).toMatch(/corrier[ei]/);
  const ids: number[] = [];
  for (const detail of body.details) {
    expect(Object.keys(detail).toSorted()).toEqual(['carrierCompanyId', 'carrierName', 'code', 'message']);
    expect(detail.carrierName).toMatch(/\w/);
    // Italian, a whole sentence, and none of our own words.
    expect(detail.message).toMatch(/^[A-Z].*\b(il|la|le|un|una|non|di|i|nessun|massimo|servita)\b.*\.$/i);
    expect(detail.message).not.toMatch(/undefined|null|NaN|Infinity/);
    ids.push(detail.carrierCompanyId);
  }
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const reasons = body.details.map((detail: { carrierCompanyId: number; code: string }): [number, string] => [
    detail.carrierCompanyId,
    detail.code,
  ]);
  return [body.code, reasons];
}
