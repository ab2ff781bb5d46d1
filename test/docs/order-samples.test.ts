import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ORDER_MAPPINGS } from '../../src/domain/shipping/orders/import/order-mappings.catalog.ts';
import { askNodes, createWarehouse } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

// The programs of the guide that sends orders. PHP runs where it is installed.

const world = useSharedWorld();
const folder = fileURLToPath(new URL('../../src/http/docs/orders/', import.meta.url));

/** The command of each language that sends the orders of its last argument, and prints the result. */
const PROGRAMS = [
  {
    language: 'Node',
    command: process.execPath,
    args: [
      '--input-type=module',
      '-e',
      `import { sendOrders } from '${folder}send-orders.mjs'; console.log(JSON.stringify(await sendOrders(JSON.parse(process.argv[1]))));`,
    ],
  },
  {
    language: 'Python',
    command: 'python3',
    args: [
      '-c',
      `import json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, '${folder}')
from send_orders import send_orders
print(json.dumps(send_orders(json.loads(sys.argv[1]))))`,
    ],
  },
  {
    language: 'PHP',
    command: 'php',
    args: ['-r', `require '${folder}send-orders.php'; echo json_encode(sendOrders(json_decode($argv[1], true)));`],
  },
].filter(({ command }) => spawnSync(command, ['--version']).status === 0);

async function resultOf(caller: Caller, command: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH, API_URL: world.app.url, API_KEY: caller.apiKey };
  const { stdout } = await promisify(execFile)(command, args, { env });
  return JSON.parse(stdout);
}

const RECIPIENT = { companyName: 'Mario Rossi', address: 'Via Libertà 12', postalCode: '90139', city: 'Palermo' };
const ORDERS = [
  { orderNumber: 'SHOP-2001', recipient: { ...RECIPIENT, province: 'PA' }, parcels: [{ weight: 2.5, quantity: 1 }] },
  { orderNumber: 'SHOP-2002', recipient: { ...RECIPIENT, postalCode: '7' } },
];

test.each(PROGRAMS)(
  'The program in $language sends orders, and changes nothing when it sends them again',
  async ({ command, args }) => {
    const caller = await world.company();
    const send = () => resultOf(caller, command, [...args, JSON.stringify(ORDERS)]);
    const first = await send();
    expect(first).toMatchObject({
      created: 1,
      unchanged: 0,
      results: [{ outcome: 'CREATED' }, { outcome: 'REJECTED' }],
    });
    expect(first.results[1].errors[0].pointer).toBe('/orders/1/recipient/postalCode');
    expect(await send()).toMatchObject({ created: 0, unchanged: 1 });
  },
);

test('The program for Shopify accepts an order from its webhook, and rejects one that it did not sign', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const body = JSON.stringify({
    id: 450789469,
    name: '#1001',
    total_weight: 2500,
    shipping_address: {
      name: 'Mario Rossi',
      ...{ address1: 'Via Libertà 12', address2: null, zip: '90139', city: 'Palermo' },
      ...{ province_code: 'PA', country_code: 'IT' },
    },
  });
  // The guide names the first warehouse of a new demo.
  const source = readFileSync(`${folder}shopify.mjs`, 'utf8')
    .replace('warehouseId: 1', `warehouseId: ${warehouseId}`)
    .replace('./send-orders.mjs', `${folder}send-orders.mjs`);
  const program = `${source}\nconst [, signature, body] = process.argv;
console.log(JSON.stringify(await takeShopifyOrder('secret', signature, Buffer.from(body))));`;
  const take = (secret: string) => {
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    return resultOf(caller, process.execPath, ['--input-type=module', '-e', program, signature, body]);
  };
  await expect(take('another')).rejects.toThrow('not from Shopify');
  expect(await take('secret')).toMatchObject({ created: 1 });
  const [order] = await askNodes(
    caller,
    '{ orders { nodes { orderNumber marketplaceOrderNumber recipient { city province countryCode } parcels { weight } } } }',
  );
  expect(order).toEqual({
    orderNumber: '#1001',
    marketplaceOrderNumber: '#1001',
    recipient: { city: 'Palermo', province: 'PA', countryCode: 'IT' },
    parcels: [{ weight: '2.5' }],
  });
});

test('The import reads every column of the query for PrestaShop', () => {
  const [, list = ''] = /SELECT ([\s\S]*?)\nFROM/.exec(readFileSync(`${folder}prestashop.sql`, 'utf8')) ?? [];
  const columns = list.split(',').map(column => /(\w+)\s*$/.exec(column)?.[1]);
  const known = JSON.stringify(ORDER_MAPPINGS.PRESTASHOP);
  expect(columns.filter(column => !known.includes(`"${column}"`))).toEqual([]);
  expect(columns).toEqual(expect.arrayContaining([...ORDER_MAPPINGS.PRESTASHOP.signature]));
});
