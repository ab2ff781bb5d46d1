import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, type Service, useProcesses } from './processes.ts';

// A new user finds this in the demo company after the first start.

const COMPANY = 'de300000-0000-4000-8000-000000000001';
/** The demo's connection to BRT. */
const CONNECTION = '1';

const processes = useProcesses();
let env: Env;
let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await processes.dataDir();
  env = { DATA_DIR: folder, DATABASE_URL: await processes.database('migrated') };
  service = await processes.service(env);
});

const json = async (...args: string[]): Promise<Json> => answerOf(await inProcess(['--json', ...args], env));

async function ask(query: string): Promise<Json> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as Json;
  expect(errors).toBeUndefined();
  return data;
}

test('Four parcels of the demo are late, and are listed with the longest late first', async () => {
  const { shipments } = await ask(
    '{ shipments(filter: { isLate: true }) { totalCount nodes { trackingNumber expectedDeliveryAt } } }',
  );
  expect(shipments.totalCount).toBe(4);
  const dates = shipments.nodes.map((node: Json) => node.expectedDeliveryAt);
  expect(dates).toEqual(dates.toSorted());
});

test('The demo has an estimate for one province and BRT before the first night', async () => {
  const place = 'destination: { postalCode: "90139" }, weight: "4"';
  const { deliveryEstimate } = await ask(
    `{ deliveryEstimate(input: { carrierConnectionId: ${CONNECTION}, ${place} }) { expectedAt sampleSize } }`,
  );
  expect(Date.parse(deliveryEstimate.expectedAt)).toBeGreaterThan(Date.now());
  expect(deliveryEstimate.sampleSize).toBeGreaterThanOrEqual(9);
});

test('BRT’s invoice of October has five mistakes, which are open claims', async () => {
  const { carrierInvoices, openCarrierClaims } = await ask(
    '{ carrierInvoices { nodes { number lineCount totals { code amount } } } openCarrierClaims(filter: { days: 0 }) { totalCount } }',
  );
  expect(carrierInvoices.nodes).toHaveLength(1);
  const [{ number, totals }] = carrierInvoices.nodes;
  expect(number).toBe('2026/1044');
  expect(totals.map(({ code, amount }: Json) => `${code} ${amount}`).toSorted()).toEqual([
    'DUPLICATE 11.25',
    'FUEL 0.21',
    'SURCHARGE_AMOUNT 5.50',
    'UNKNOWN_SHIPMENT 25.51',
    'WEIGHT_BAND 2.68',
  ]);
  expect(openCarrierClaims.totalCount).toBe(5);
});

test('A simulation shows that the tariff of the next year makes October dearer', async () => {
  const { tariffSimulations } = await ask(
    '{ tariffSimulations { nodes { state shipments tariffs { comparison { before after } } } } }',
  );
  expect(tariffSimulations.nodes).toHaveLength(1);
  const [{ state, shipments, tariffs }] = tariffSimulations.nodes;
  expect([state, shipments]).toEqual(['DONE', 40]);
  expect(Number(tariffs[0].comparison.after)).toBeGreaterThan(Number(tariffs[0].comparison.before));
  const history = await json('tariff', 'history', CONNECTION, '--company', COMPANY);
  expect(history.revisions.map(({ number, state: held }: Json) => [number, held])).toEqual([
    [2, 'IN_FORCE'],
    [1, 'REPLACED'],
  ]);
});

test('`demo --month` writes BRT’s invoice to a file, each time the same, and adds nothing', async () => {
  const file = join(folder, 'october.csv');
  expect(await json('demo', '--month', file)).toEqual({ companyId: COMPANY, invoice: file });
  const invoice = await readFile(file, 'utf8');
  await json('demo', '--month', file);
  expect(await readFile(file, 'utf8')).toBe(invoice);
  const about = [
    '--company',
    COMPANY,
    '--connection',
    CONNECTION,
    '--number',
    '2026/1044',
    '--date',
    '2026-10-31',
    '--mapping',
    'PLAIN',
  ];
  const imported = await json('invoice', 'import', file, ...about, '--replace');
  expect(imported.carrierInvoice).toMatchObject({ lineCount: 42, checkedCount: 42 });
  expect(imported.carrierInvoice.totals.reduce((sum: number, { count }: Json) => sum + count, 0)).toBe(5);
  const { shipments } = await ask('{ shipments { totalCount } }');
  expect(shipments.totalCount).toBe(85);
});
