import { expect, test } from 'vitest';
import { importTariff, TARIFF } from '../rest/feed.ts';
import { connectWith, flat, italianDay } from '../rest/tariffs.ts';
import { figure } from '../support/metrics.ts';
import { ask, connectCarrier } from '../support/platform-side.ts';
import { startProcess } from '../support/second-process.ts';
import { useWorld } from '../support/world.ts';

const TOKEN = 'scrape-token-of-sixteen';
const world = useWorld({ METRICS_TOKEN: TOKEN });

const FUEL = `mutation ($input: ImportFuelIndexInput!) { importFuelIndex(input: $input) { userErrors { code pointer } } }`;

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const monthIn = (months: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 7);
};

test('Tariffs that end within two weeks, and fuel indexes without the next month or week, are counted', async () => {
  const caller = await world.company();
  for (const days of [5, 60, -60]) {
    const validUntil = dayIn(days);
    const [version] = TARIFF.versions;
    const versions = [{ ...version, validUntil }];
    await importTariff(caller, await connectCarrier(caller, 'BRT', `Until ${validUntil}`), { ...TARIFF, versions });
  }
  const inactive = await connectCarrier(caller, 'BRT', 'Inactive', false);
  await importTariff(caller, inactive, { ...TARIFF, versions: [{ ...TARIFF.versions[0], validUntil: dayIn(5) }] });
  await importTariff(caller, await connectCarrier(caller, 'BRT', 'Without end'), TARIFF);
  for (const [name, last] of [
    ['behind', -1],
    ['ahead', 2],
    ['abandoned', -5],
  ] as const) {
    const rates = [-6, last].map(month => ({ from: monthIn(month), percent: 8 }));
    const { data } = await caller.graphql<Record<string, object>>(FUEL, { input: { carrierCode: 'BRT', name, rates } });
    expect(data.importFuelIndex).toEqual({ userErrors: [] });
  }
  for (const [name, last] of [
    ['weekly behind', -9],
    ['weekly', -3],
  ] as const) {
    const rates = [last - 7, last].map(days => ({ from: dayIn(days), percent: 8 }));
    const input = { carrierCode: 'DHL', name: name.replace(' ', '_'), rates };
    const { data } = await caller.graphql<Record<string, object>>(FUEL, { input });
    expect(data.importFuelIndex).toEqual({ userErrors: [] });
  }
  const response = await fetch(`${world.app.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await response.text();
  expect(text).toContain('shipping_tariffs_ending{kind="tariff"} 1\n');
  expect(text).toContain('shipping_tariffs_ending{kind="fuel_index"} 2\n');
});

test('A tariff that a draft is scheduled to follow in time is not counted, unless the draft cannot be published', async () => {
  const caller = await world.company();
  const counted = async () => {
    // One that has measured nothing yet.
    const app = await startProcess(world, { ROLE: 'worker' });
    try {
      return await figure(app.metrics, 'shipping_tariffs_ending{kind="tariff"}');
    } finally {
      await app.stop();
    }
  };
  const before = await counted();
  const connection = await connectWith(caller, flat(1, { validUntil: italianDay(5) }), 'DHL');
  const { id } = await ask<{ id: string }>(
    caller,
    `mutation ($input: CreateTariffDraftInput!) {
      createTariffDraft(input: $input) { tariffRevision { id } userErrors { code pointer message } }
    }`,
    { input: { carrierConnectionId: connection, tariff: flat(2) } },
  );
  expect(await counted()).toBe(before + 1);
  const publish = `mutation ($input: PublishTariffInput!) {
    publishTariff(input: $input) { tariffRevision { id } userErrors { code pointer message } }
  }`;
  await ask(caller, publish, { input: { id, publishDate: italianDay(7) } });
  expect(await counted()).toBe(before + 1);
  await ask(caller, publish, { input: { id, publishDate: italianDay(6) } });
  expect(await counted()).toBe(before);
  await world.pool.query("update carrier_tariff_revision set problem = 'x' where publish_on is not null");
  expect(await counted()).toBe(before + 1);
});
