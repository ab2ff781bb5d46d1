import { expect, test } from 'vitest';
import { askedAt, useLoggedApp, useSandbox } from '../support/carriers.ts';
import { connectCarrier, type Item, recordEvents, shipment, upsertShipments } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, useProcesses } from './processes.ts';

const processes = useProcesses();
const world = useWorld({ ROLE: 'api' });
const logged = useLoggedApp(world, askedAt(useSandbox()));
const lines = () => logged.log().split('\n');
const company = async () => logged.as(await world.company());

async function shipped(caller: Caller, carrier: string): Promise<(...events: readonly Item[]) => Promise<unknown>> {
  const connection = await connectCarrier(caller, carrier);
  const trackingNumber = `N${connection}`;
  await upsertShipments(caller, [shipment(connection, trackingNumber)]);
  return (...events) =>
    recordEvents(
      caller,
      events.map((event, minute) => ({
        trackingNumber,
        occurredAt: new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString(),
        ...event,
      })),
    );
}

const statusNow = async () => {
  const settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  return {
    data: answerOf(await inProcess(['--json', 'status'], settings)).newCarrierCodes,
    text: (await inProcess(['status'], settings)).stdout,
  };
};

const countedCodes = async () => {
  const text = await logged.app.metrics.text();
  return text.split('\n').filter(line => line.startsWith('shipping_carrier_codes_unknown_total{'));
};

test('A code that is in no table is counted, logged once and shown by `status`', async () => {
  expect((await statusNow()).text).toContain('Every code of the last 7 days is in a table of codes.');

  const [one, other] = [await company(), await company()];
  const [dhl, otherDhl] = [await shipped(one, 'DHL'), await shipped(other, 'DHL')];
  await dhl({ carrierStatusCode: 'zq' }, { carrierStatusCode: 'PU' }, { carrierStatusCode: 'ZQ' });
  await otherDhl({ carrierStatusCode: 'ZQ' });
  // The text tells the status, and the table still lacks the code.
  await (await shipped(one, 'BRT'))({ carrierStatusCode: '799', description: 'IN CONSEGNA' });
  // A status that is sent needs no table, and neither does a carrier without one.
  await dhl({ carrierStatusCode: 'ZR', statusCode: 'held' });
  await (await shipped(one, 'FERCAM'))({ carrierStatusCode: 'ZS' });

  expect((await countedCodes()).toSorted()).toEqual([
    'shipping_carrier_codes_unknown_total{carrier="BRT",code="799"} 1',
    'shipping_carrier_codes_unknown_total{carrier="DHL",code="ZQ"} 3',
  ]);
  const told = lines()
    .filter(line => line.includes('carrier code unknown'))
    .map(line => JSON.parse(line));
  expect(told).toMatchObject([
    { carrierCode: 'DHL', codes: ['ZQ'] },
    { carrierCode: 'BRT', codes: ['799'] },
  ]);
  const { data, text } = await statusNow();
  expect(data).toEqual([
    { carrierCode: 'BRT', code: '799', companies: 1, firstSeenAt: expect.any(Number), lastSeenAt: expect.any(Number) },
    { carrierCode: 'DHL', code: 'ZQ', companies: 2, firstSeenAt: expect.any(Number), lastSeenAt: expect.any(Number) },
  ]);
  expect(text).toContain('Carriers sent 2 codes in the last 7 days that no table of codes has.');
});

test('Codes that the sandbox plays, and texts that are sent as codes, are not shown', async () => {
  const before = (await countedCodes()).length;
  await (await shipped(logged.as(await world.sandbox()), 'DHL'))({ carrierStatusCode: 'ZT' });
  expect(await countedCodes()).toHaveLength(before);

  await (await shipped(await company(), 'DHL'))({ carrierStatusCode: 'lasciato a Mario Rossi, via Roma 1' });
  expect(await countedCodes()).toContain('shipping_carrier_codes_unknown_total{carrier="DHL",code="(other)"} 1');
  expect(logged.log()).not.toContain('Mario');
});

test('Metrics have a limited number of series for each carrier', async () => {
  const ups = await shipped(await company(), 'UPS');
  await ups(...Array.from({ length: 60 }, (_, n) => ({ carrierStatusCode: `X${900 + n}` })));
  const ofUps = (await countedCodes()).filter(line => line.includes('"UPS"'));
  expect(ofUps).toHaveLength(51);
  expect(ofUps).toContain('shipping_carrier_codes_unknown_total{carrier="UPS",code="(other)"} 10');
});
