import { expect, test } from 'vitest';
import { ask, byKeys, type Item, RECIPIENT } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { useImportFiles } from './import-files.ts';

// Metadata in files: a column of a CSV for each key, an object in NDJSON.

const { fileOf, run, world } = useImportFiles();

/** Imports a file with this ending. */
const imported = async (caller: Caller, name: string, lines: readonly string[], kind = 'orders') =>
  run(kind, await fileOf(lines.join('\n'), name.split('.').at(-1)), caller);

async function metadataOf(caller: Caller) {
  const { nodes } = await ask<{ nodes: Item[] }>(caller, '{ orders { nodes { orderNumber metadata { key value } } } }');
  return Object.fromEntries(
    nodes.map(({ orderNumber, metadata }) => [orderNumber, byKeys(metadata as Parameters<typeof byKeys>[0])]),
  );
}

const HEADER = 'orderNumber;recipient.address;recipient.postalCode;recipient.city';
const ADDRESS = 'Via Roma 1;10121;Torino';

test('A column of a CSV is a key of metadata, and an empty cell leaves its key as it is', async () => {
  const caller = await world.company();
  const header = `${HEADER};metadata.channel;metadata.cost-centre`;
  expect(await imported(caller, 'a.csv', [header, `A;${ADDRESS};b2b;0042`, `B;${ADDRESS};;`])).toMatchObject({
    code: 0,
  });
  expect(await metadataOf(caller)).toEqual({ A: { channel: 'b2b', 'cost-centre': '0042' }, B: {} });
  await imported(caller, 'b.csv', [header, `A;${ADDRESS};b2c;`]);
  expect(await metadataOf(caller)).toMatchObject({ A: { channel: 'b2c', 'cost-centre': '0042' } });
});

test('A line of NDJSON has an object of metadata, in which null removes a key', async () => {
  const caller = await world.company();
  const line = (metadata: object) => JSON.stringify({ orderNumber: 'A', recipient: RECIPIENT, metadata });
  await imported(caller, 'a.ndjson', [line({ channel: 'b2b', centre: '1' }), line({ channel: null })]);
  expect(await metadataOf(caller)).toEqual({ A: { centre: '1' } });
});

test('A header that names the field of metadata without a key, or a key twice, is rejected', async () => {
  const caller = await world.company();
  for (const columns of ['metadata', 'metadata.', 'metadata.a;metadata.a', 'metadatum.a']) {
    const { code, stderr } = await imported(caller, 'wrong.csv', [`${HEADER};${columns}`, `A;${ADDRESS};x;y`]);
    expect(code).toBe(1);
    expect(stderr).toContain(columns.split(';')[0]);
  }
});

test('A row with a malformed key of metadata is rejected by the name of the key', async () => {
  const caller = await world.company();
  const { code, stderr } = await imported(caller, 'key.csv', [`${HEADER};metadata.a b`, `A;${ADDRESS};x`]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/row 2, column E "metadata.a b", "x": .*\(invalid_key\)/);
});

const HOSTILE = [
  { columns: 'metadata.__proto__.x', wrong: ['__proto__.x'] },
  { columns: 'metadata.__proto__', wrong: ['__proto__'] },
  { columns: 'metadata.constructor.x', wrong: ['constructor.x'] },
  { columns: 'metadata.a;metadata.a.b', wrong: ['a.b'] },
];
test.each(HOSTILE)(
  'A key of metadata such as $columns is rejected with its row, and reaches nothing else',
  async ({ columns, wrong }) => {
    const caller = await world.company();
    const of = { orders: [HEADER, ADDRESS], shipments: ['trackingNumber;carrierCompanyId', '1'] } as const;
    for (const [kind, [header, rest]] of Object.entries(of)) {
      const cells = columns.split(';').map((_, at) => 'xy'[at]);
      const rows = [`${header};${columns}`, `A;${rest};${cells.join(';')}`];
      const { code, stderr } = await imported(caller, 'hostile.csv', rows, kind);
      const reached = [Object.getPrototypeOf({}), Object].map(holder => Reflect.get(holder, 'x'));
      for (const holder of [Object.getPrototypeOf({}), Object]) Reflect.deleteProperty(holder, 'x');
      expect(reached).toEqual([undefined, undefined]);
      expect(code).toBe(1);
      expect([...stderr.matchAll(/"metadata\.(\S+)", ".": .*\(invalid_key\)/g)].map(([, key]) => key)).toEqual(wrong);
    }
  },
);
