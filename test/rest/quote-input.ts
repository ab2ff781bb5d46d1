// Quote requests with a mistake in them.
import { beforeAll, expect } from 'vitest';
import type { Answer } from '../support/rest-client.ts';
import { useSharedWorld } from '../support/world.ts';
import { type Fields, flat, type Merchant, merchant, PALERMO, PARCEL, quote } from './tariffs.ts';

export const NEVER = 2_147_483_647;

type Wrong = [pointer: string, code: string][];

export const accepted = ({ status, body }: Answer) =>
  expect([status, Array.isArray(body) ? 'items' : body]).toEqual([200, 'items']);

/** One parcel with other fields as given. */
export const parcel = (fields: Fields) => ({ parcels: [{ ...PARCEL, ...fields }] });
export const to = (fields: Fields) => ({ destination: { ...PALERMO, ...fields } });

interface WrongCase {
  readonly name: string;
  readonly fields: Fields;
  readonly wrong: Wrong;
}

export const wrongCases = (...cases: [name: string, fields: Fields, ...wrong: Wrong][]): WrongCase[] =>
  cases.map(([name, fields, ...wrong]) => ({ name, fields, wrong: wrong.toSorted() }));

/** A merchant that sends them, and one that it knows nothing of. */
export function useQuoteInput() {
  const world = useSharedWorld();
  let shop: Merchant;
  let strangers: Merchant;
  beforeAll(async () => {
    const everything = {
      zones: [{ code: 'tutto', name: 'Tutto', to: { anywhere: true }, bands: [{ upToKg: 100_000, price: 5 }] }],
      cod: [{ code: 'cod', description: 'C', price: { fixed: 1, percent: 1, of: ['codAmount'] } }],
      insurance: [{ code: 'insurance', description: 'I', price: { percent: 1, of: ['insuredValue'] } }],
    };
    shop = await merchant(await world.company(), flat(5, everything));
    strangers = await merchant(await world.company(), flat(5, everything));
  });
  const send = (body: unknown) => quote(shop.caller, body);
  const bodyOf = (fields?: Fields) => shop.body(fields);

  return {
    get shop() {
      return shop;
    },
    get strangers() {
      return strangers;
    },
    send,
    bodyOf,
  };
}
