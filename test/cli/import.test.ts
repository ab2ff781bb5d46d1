import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../jobs/webhooks.ts';
import { ask, connectCarrier, RECIPIENT as recipient } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import type { Caller } from '../support/world.ts';
import { rowsOf, useImportFiles } from './import-files.ts';
import { answerOf, type Json, useProcesses } from './processes.ts';

const processes = useProcesses();
const given = useImportFiles();
const { fileOf, run, world } = given;

const all = { created: 0, updated: 0, unchanged: 0, rejected: 0, nextRow: null };

async function orders(caller: Caller): Promise<Json[]> {
  const { edges } = await ask<Json>(
    caller,
    `{ orders(first: 10) { edges { node { orderNumber marketplace codAmount
      recipient { address city province countryCode } parcels { weight quantity } } } } }`,
  );
  return edges.map(({ node }: Json) => node).toReversed();
}

const numbersOf = async (caller: Caller) => (await orders(caller)).map(({ orderNumber }) => orderNumber);

describe.concurrent('A CSV', () => {
  const HEADER = ['orderNumber', 'marketplace', 'recipient.address', 'recipient.postalCode', 'recipient.city'];
  const MORE = ['recipient.province', 'codAmount', 'parcels'];
  const cases = [
    { name: 'divided by semicolons, with decimal commas', delimiter: ';', codAmount: '10,50' },
    { name: 'divided by tabs', delimiter: '\t', codAmount: '10.50' },
    { name: 'divided by commas', delimiter: ',', codAmount: '10.50' },
  ];
  test.each(cases)(
    '$name, is stored, and changes nothing when it is imported again',
    async ({ delimiter, codAmount }) => {
      const caller = await world.company();
      const parcels = '"[{""weight"": ""1.250"", ""quantity"": 2}, {""weight"": 3}]"';
      const lines = [
        [...HEADER, ...MORE, ''],
        ['C-1', ' Amazon ', '"Via Roma, 1; ""B"""', '20121', 'Milano', 'MI', codAmount, parcels],
        [],
        ['C-2', '', '"Via\u0007Roma"', '184', '', '', '', ''],
        ['C-3', '', 'Via Roma 3', '00184', 'Roma', '', '', ''],
      ];
      const file = await fileOf(`\uFEFF${lines.map(cells => cells.join(delimiter)).join('\r\n')}\r\n`);
      const refused = await run('orders', file, caller);
      expect({ code: refused.code, answer: JSON.parse(refused.stdout) }).toEqual({
        code: 1,
        answer: { ...all, ...rowsOf(2, { wrong: 1 }), rejected: 1, onlyChecked: true },
      });
      expect(refused.stderr).toContain('Nothing was imported: 2 of 3 records are good');
      expect(refused.stderr.match(/^row \d+, column [A-Z] "[^"]+", "[^"]*"/gm)).toEqual([
        'row 4, column C "recipient.address", "Via\\u0007Roma"',
        'row 4, column E "recipient.city", ""',
        'row 4, column D "recipient.postalCode", "184"',
      ]);
      expect(await orders(caller)).toEqual([]);
      const first = await run('orders', file, caller, '--accept-good-rows');
      expect({ code: first.code, answer: JSON.parse(first.stdout) }).toEqual({
        code: 1,
        answer: { ...all, ...rowsOf(2, { wrong: 1 }), created: 2, rejected: 1 },
      });
      expect(await orders(caller)).toEqual([
        {
          orderNumber: 'C-1',
          marketplace: 'Amazon',
          codAmount: '10.50',
          recipient: { address: 'Via Roma, 1; "B"', city: 'Milano', province: 'MI', countryCode: 'IT' },
          parcels: [
            { weight: '1.25', quantity: 2 },
            { weight: '3', quantity: 1 },
          ],
        },
        expect.objectContaining({ orderNumber: 'C-3', marketplace: null, codAmount: null, parcels: [] }),
      ]);
      const again = await run('orders', file, caller, '--batch', '1', '--accept-good-rows');
      expect(JSON.parse(again.stdout)).toEqual({ ...all, ...rowsOf(2, { wrong: 1 }), unchanged: 2, rejected: 1 });
    },
  );
});

test('Shipments and events in NDJSON follow orders, and move shipments as records that are sent do', async () => {
  const caller = await world.company();
  const carrierCompanyId = await connectCarrier(caller);
  const lines = (records: object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');
  const shipment = { carrierCompanyId, trackingNumber: '084 001', recipient, weight: 2.5, labels: ['084002'] };
  const related = {
    ...shipment,
    trackingNumber: '084003',
    labels: [],
    relatedShipments: [{ trackingNumber: '084001', type: 'parent' }],
  };
  const events = ['trackingNumber,occurredAt,statusCode,location', '084002,2026-11-21T09:30:00Z,in_transit,Milano'];

  const shipments = await fileOf(lines([shipment, related]), 'ndjson');
  expect(answerOf(await run('shipments', shipments, caller))).toEqual({ ...all, ...rowsOf(2), created: 2 });
  const told = await fileOf(events.join('\n'), 'txt');
  expect(answerOf(await run('events', told, caller, '--format', 'csv'))).toEqual({ ...all, ...rowsOf(1), created: 1 });
  expect(answerOf(await run('events', told, caller, '--format', 'csv'))).toEqual({
    ...all,
    ...rowsOf(1),
    unchanged: 1,
  });
  const tracked = await ask<Json>(
    caller,
    '{ trackingByNumber(trackingNumber: "084001") { statusCode weight timeline { nodes { location } } relatedShipments { nodes { type } } } }',
  );
  expect(tracked).toMatchObject({ statusCode: 'in_transit', weight: '2.5' });
  expect(tracked.timeline.nodes.at(-1)).toEqual({ location: 'Milano' });
});

test('Cells of a workbook are rejected if shipments and events cannot have the values that they show', async () => {
  const caller = await world.company();
  const carrierCompanyId = await connectCarrier(caller);
  const [lost, broken, unsaved] = ['<c><v>1234567890123456789</v></c>', '<c t="e"><v>#N/A</v></c>', '<c><f>A1</f></c>'];
  const shipments = [
    ['trackingNumber', 'carrierCompanyId', 'weight', 'metadata.channel'],
    [{ xml: lost }, carrierCompanyId, 1, ''],
    ['084001', carrierCompanyId, { xml: broken }, { xml: unsaved }],
  ];
  const events = [
    ['trackingNumber', 'occurredAt', 'statusCode', 'location', 'description'],
    ['084001', '2026-11-21T09:30:00Z', 'in_transit', { xml: broken }, { xml: unsaved }],
  ];
  const problems: string[][] = [];
  for (const [kind, rows] of Object.entries({ shipments, events })) {
    const { code, stderr } = await run(kind, await fileOf(Buffer.from(workbook({ Foglio: rows })), 'xlsx'), caller);
    expect(code).toBe(1);
    const found = stderr.matchAll(/row (\d), column ([A-Z]) .*: must be (a value|saved as text)/g);
    problems.push([...found].map(([, ...place]) => place.join(' ')));
  }
  expect(problems).toEqual([
    ['2 A saved as text', '3 C a value', '3 D a value'],
    ['2 D a value', '2 E a value'],
  ]);
});

describe('Rejected rows', () => {
  const ROWS = [
    JSON.stringify({ orderNumber: 'R-1', recipient }),
    '{"orderNumber": ',
    '',
    '["R-4"]',
    JSON.stringify({ orderNumber: 'R-5', recipient: { ...recipient, postalCode: '2012' }, colour: 'red' }),
    JSON.stringify({ orderNumber: 'R-6', recipient: { ...recipient, postalCode: '2012' }, codAmount: '-1' }),
    JSON.stringify({ orderNumber: 'R-7', recipient, warehouseId: 999_999_999 }),
    JSON.stringify({ orderNumber: 'R-8', recipient }),
  ];
  const REJECTIONS = [
    { row: 2, pointer: '', code: 'malformed_json' },
    { row: 4, pointer: '', code: 'wrong_type' },
    { row: 5, pointer: '/colour', code: 'unknown_field' },
    { row: 5, pointer: '/recipient/postalCode', code: 'invalid_postal_code' },
    { row: 6, pointer: '/codAmount', code: 'out_of_range' },
    { row: 6, pointer: '/recipient/postalCode', code: 'invalid_postal_code' },
    { row: 7, pointer: '/warehouseId', code: 'warehouse_not_found' },
  ];

  test('are reported with row, pointer, code and message, and do not stop other rows', async () => {
    const caller = await world.company();
    const file = await fileOf(ROWS.join('\n'), 'jsonl');
    const [ndjson, csv] = [join(given.folder, 'report.ndjson'), join(given.folder, 'report.csv')];
    const { code, stdout, stderr } = await run(
      'orders',
      file,
      caller,
      '--report',
      ndjson,
      '--batch',
      '3',
      '--accept-good-rows',
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ ...all, ...rowsOf(2, { wrong: 5 }), created: 2, rejected: 5 });
    expect(await numbersOf(caller)).toEqual(['R-1', 'R-8']);
    const report: Json[] = (await readFile(ndjson, 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const order = (a: Json, b: Json) => a.row - b.row || a.pointer.localeCompare(b.pointer);
    expect(report.toSorted(order)).toEqual(REJECTIONS.map(one => ({ ...one, message: expect.stringMatching(/^\w/) })));

    // In parts: the second adds to what the first wrote.
    await run(
      'orders',
      await fileOf(ROWS.slice(0, 5).join('\n'), 'ndjson'),
      caller,
      '--accept-good-rows',
      '--report',
      csv,
    );
    await run('orders', file, caller, '--accept-good-rows', '--report', csv, '--from-row', '6');
    const lines = (await readFile(csv, 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toBe('row,pointer,code,message,sheet,column,header,value');
    expect(lines.slice(1).map(line => Number(line.split(',')[0]))).toEqual([2, 4, 5, 5, 6, 6, 7]);
    expect(lines[1]).toBe('2,,malformed_json,must be one JSON object,,,,');
  });
});

test.each(['null', '5', '"R-2"', '[]'])(
  'A line of NDJSON that is %s is rejected, and no other line is stored',
  async line => {
    const caller = await world.company();
    const file = await fileOf(`${JSON.stringify({ orderNumber: 'R-1', recipient })}\n${line}\n`, 'ndjson');
    const { code, stderr } = await run('orders', file, caller);
    expect([code, stderr]).toEqual([
      1,
      'row 2 must be an object (wrong_type)\nNothing was imported: 1 of 2 records are good. Correct the others, or give --accept-good-rows.\n',
    ]);
    expect(await numbersOf(caller)).toEqual([]);
  },
);

describe('A file cannot be imported if it', () => {
  const ROW = 'A,Via Roma 1,20121,Milano\n';
  const HEADER = 'orderNumber,recipient.address,recipient.postalCode,recipient.city\n';
  const cases: { name: string; content?: string | Buffer; says: string[] }[] = [
    { name: 'is missing', says: ['does not exist'] },
    { name: 'is empty', content: '', says: ['the file has no rows'] },
    {
      name: 'has a wrong header',
      content: 'colour,orderNumber,orderNumber,recipient.address,recipient.city\nred,A,A,Via Roma 1,Milano\n',
      says: [
        'row 1, column A: is colour, which is neither a field nor a key',
        'row 1, column C: ',
        'orderNumber is the name of two columns',
        'recipient.postalCode, such as recipient.postalCode, CAP',
      ],
    },
    {
      name: 'has more columns than there are',
      content: `${'c,'.repeat(50_000)}c\n`,
      says: ['has a row of 50001 cells'],
    },
    {
      name: 'has quotes that are not doubled',
      content: 'orderNumber,parcels\nA,[{"weight":2}]\n',
      says: ['Quote', '"[{""weight"":2}]"'],
    },
    { name: 'is no text', content: Buffer.from('PK\x03\x04\0\0\xff', 'latin1'), says: ['is not a workbook'] },
    {
      name: 'leaves a quote open',
      content: `${HEADER}${ROW}B,"Via\n${ROW.repeat(60_000)}`,
      says: ['quote'],
    },
  ];
  test.concurrent.each(cases)('$name', async ({ content, says }) => {
    const caller = await world.company();
    const file = content === undefined ? join(given.folder, 'none.csv') : await fileOf(content);
    const { code, stdout, stderr } = await run('orders', file, caller);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const part of says) expect(stderr).toContain(part);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(await numbersOf(caller)).toEqual([]);
  });
});

test('Ctrl-C ends an import after the current batch, and the import continues from the row that was printed', async () => {
  const caller = await world.company();
  const rows = ['S-1', 'S-2', 'S-3', 'S-4', 'S-5'].map(orderNumber => JSON.stringify({ orderNumber, recipient }));
  const args = ['--json', 'import', 'orders', '-', '--company', caller.companyId];
  const program = processes.startCli(
    [...args, '--format', 'ndjson', '--accept-good-rows', '--batch', '2'],
    given.settings,
    {
      input: 'open',
    },
  );
  program.write(`${rows.join('\n')}\n`);
  await eventually(() => numbersOf(caller), ['S-1', 'S-2', 'S-3', 'S-4']);
  program.kill('SIGINT');
  const { code, stdout, stderr } = await program.ended();
  expect({ code, answer: JSON.parse(stdout) }).toEqual({
    code: 130,
    answer: { ...all, ...rowsOf(4), created: 4, nextRow: 5 },
  });
  expect(stderr).toContain('--from-row 5');
  const rest = await run('orders', await fileOf(rows.join('\n'), 'ndjson'), caller, '--from-row', '5');
  expect(answerOf(rest)).toEqual({ ...all, ...rowsOf(1), created: 1 });
});

test.each(['shipments', 'events'])('A row of %s with fewer or more cells than the header is rejected', async what => {
  const caller = await world.company();
  const refused = await run(what, await fileOf('x\n1\n'), caller);
  const header = [...refused.stderr.matchAll(/lacks ([\w.]+)/g)].map(([, name]) => name);
  const cells = header.map(() => '1');
  const file = await fileOf([header, cells.slice(1), [...cells, '5']].map(row => row.join(',')).join('\n'));
  const { stdout, stderr } = await run(what, file, caller, '--accept-good-rows');
  expect(JSON.parse(stdout)).toMatchObject({ rejected: 2, ...rowsOf(0, { wrong: 2 }) });
  expect(stderr).toMatch(/row 2 has \d+ cells?, and the header has \d+.*\nrow 3 has \d+ cells, and the header has/);
});
