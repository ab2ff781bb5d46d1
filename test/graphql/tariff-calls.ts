// Tariffs as they are imported and priced.

import type pg from 'pg';
import { expect, vi } from 'vitest';
import { type Fields, type Merchant, merchantsOf } from '../rest/tariffs.ts';
import { withClient as onDatabase } from '../support/databases.ts';
import { SEEN_WITHIN_MS } from '../support/time.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

export const FIELDS =
  'id: databaseId carrierConnectionId name validUntil versions { label validFrom } document createdAt updatedAt carrierConnection { databaseId label }';
export const IMPORT = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { ${FIELDS} } userErrors { code pointer message } } }`;

export async function priceOf(shop: Merchant): Promise<number> {
  const { body } = await shop.quote();
  expect(body).toHaveLength(1);
  return body[0].totalPrice;
}

/** Until the one connection has this price. */
export async function priced(shop: Merchant, price: number): Promise<void> {
  await vi.waitFor(async () => expect(await priceOf(shop)).toBe(price), { timeout: SEEN_WITHIN_MS, interval: 5 });
}

export function surcharge(fixed: number, fields: Fields = {}) {
  return { code: 'extra', description: 'Supplemento', price: { fixed }, ...fields };
}

/** A world with merchants, and its tariffs as they are stored. */
export function useTariffs() {
  const world = useSharedWorld();
  const newMerchant = merchantsOf(world);

  const withClient = <T>(work: (client: pg.Client) => Promise<T>) => onDatabase(world.ownerUrl, work);

  /** Every row of a company's tariffs and revisions. */
  function rowsOf({ companyId }: Caller): Promise<Record<string, unknown[]>> {
    return withClient(async client => {
      const tables = ['tariff', 'carrier_tariff_revision'];
      const found: Record<string, unknown[]> = {};
      for (const table of tables) {
        const all = `select to_jsonb(t) as row from ${table} t where company_id = $1 order by to_jsonb(t)::text`;
        found[table] = (await client.query(all, [companyId])).rows.map(({ row }) => row);
      }
      return found;
    });
  }

  return {
    world,
    newMerchant,
    withClient,
    rowsOf,
  };
}
