import { expect, test } from 'vitest';
import { restClient } from '../support/rest-client.ts';
import { useSecondProcess } from '../support/second-process.ts';
import { statementsOf } from '../support/statements.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { createWarehouse } from './feed.ts';
import { itemsOf, warningOf } from './quote-items.ts';
import { flat, merchantsOf, quote } from './tariffs.ts';

// Where a quote's warehouse stands is kept in memory. No process quotes from where it was.

const world = useWorld({ ROLE: 'api' });
const second = useSecondProcess(world);
const newMerchant = merchantsOf(world);

const IN_FRANCE = { country: 'FR', postalCode: '75001', city: 'Paris', state: 'Paris' };

/** A merchant whose only carrier collects in France, and a warehouse in Italy. */
async function merchant() {
  const { caller, body } = await newMerchant(flat(1, { originCountries: ['FR'] }));
  const warehouseId = await createWarehouse(caller);
  return { caller, warehouseId, ask: body({ warehouseId }) };
}

/** The same request, sent to the other process. */
const quoteElsewhere = ({ apiKey }: Caller, body: object) =>
  restClient(second.url, { 'x-api-key': apiKey })('POST', '/shipments/quote', body);

test('A quote right after a change of its warehouse starts where the warehouse is now', async () => {
  const { caller, warehouseId, ask } = await merchant();
  expect(warningOf(await quote(caller, ask))[0]).toBe('DESTINATION_NOT_SERVED');
  expect((await caller.rest('PATCH', `/warehouses/${warehouseId}`, IN_FRANCE)).status).toBe(200);
  expect(itemsOf(await quote(caller, ask))).toHaveLength(1);
});

test('So does one that another process is asked for, within the second', async () => {
  const { caller, warehouseId, ask } = await merchant();
  expect((await quoteElsewhere(caller, ask)).body).not.toBeInstanceOf(Array);
  await caller.rest('PATCH', `/warehouses/${warehouseId}`, IN_FRANCE);
  await expect.poll(async () => (await quoteElsewhere(caller, ask)).body, { timeout: 1_000 }).toBeInstanceOf(Array);
});

test('A deleted warehouse quotes nothing any more, in no process', async () => {
  const { caller, warehouseId, ask } = await merchant();
  await quote(caller, ask);
  await quoteElsewhere(caller, ask);
  expect((await caller.rest('DELETE', `/warehouses/${warehouseId}`)).status).toBe(204);
  expect((await quote(caller, ask)).body.code).toBe('warehouse_not_found');
  await expect.poll(async () => (await quoteElsewhere(caller, ask)).status, { timeout: 1_000 }).toBe(404);
});

test('A warehouse of another company does not exist, though the service knows its country', async () => {
  const { caller, ask } = await merchant();
  await quote(caller, ask);
  const stranger = await world.company();
  expect((await quote(stranger, ask)).body.code).toBe('warehouse_not_found');
});

test('A quote whose warehouse and tariffs are known needs no statement', async () => {
  const { caller, ask } = await merchant();
  await quote(caller, ask);
  // Known for nearly a second; a machine that is slower than that reads again.
  await expect.poll(() => statementsOf(world, async () => void (await quote(caller, ask)))).toEqual([]);
});
