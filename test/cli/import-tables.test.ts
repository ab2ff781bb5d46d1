import { expect, test } from 'vitest';
import { ask, connectCarrier } from '../support/platform-side.ts';
import { type SheetCell, workbook } from '../support/workbook.ts';
import { rowsOf, useImportFiles } from './import-files.ts';
import type { Json } from './processes.ts';

// Tables of shipments and events as people have them: rows that are not records, units, days, and damaged numbers.

const given = useImportFiles();
const { fileOf, run, world } = given;
const TRACKED = `query ($number: String!) { trackingByNumber(trackingNumber: $number) {
  weight recipient { postalCode countryCode } expectedDeliveryAt timeline { nodes { occurredAt } } } }`;

test('A table of shipments and events is read as orders are, and rows of totals are not records', async () => {
  const caller = await world.company();
  const carrier = await connectCarrier(caller);
  const place = ['recipient.address', 'recipient.postalCode', 'recipient.city', 'recipient.countryCode'];
  const header = ['trackingNumber', 'carrierCompanyId', 'weight', 'expectedDeliveryAt', ...place, 'parcelCount'];
  const day = { xml: '<c s="1"><v>46145</v></c>' };
  const rows: SheetCell[][] = [
    header,
    ['S-1', carrier, '500 g', '21/11/2026', 'Via Roma 1', 184, 'Roma', 'Italia', 1],
    ['S-2', carrier, 1.5, day, 'Ring 1', 1010, 'Wien', 'Österreich', '2,0'],
    ['S-3', carrier, '1.234', null, 'Via Roma 1', 184, 'Roma', null, 1],
    ['Totale generale', null, 3.234, null, null, null, null, null, 4],
    [null, null, null, null, null, null, null, null, 4],
    [8_401_234_567, carrier, 1, null, 'Via Roma 1', 184, 'Roma', null, 1],
  ];
  const bytes = workbook({ Spedizioni: rows, Ottobre: rows, Vecchie: rows }, { hidden: ['Vecchie'] });
  const file = await fileOf(bytes, 'xlsx');
  const refused = await run('shipments', file, caller);
  expect(refused.stderr).toMatch(/row 4, column C "weight", "1.234": must be unambiguous: it can be 1234 or 1.234/);
  expect(JSON.parse(refused.stdout)).toMatchObject({ ...rowsOf(3, { wrong: 1, leftOut: 2 }), rejected: 1 });
  const sent = await run('shipments', file, caller, '--locale', 'en-GB');
  expect(JSON.parse(sent.stdout)).toMatchObject({ ...rowsOf(4, { leftOut: 2 }), created: 4 });
  for (const line of [
    'sheet Spedizioni, row 5 is not a record: it is a total.',
    'sheet Spedizioni, row 6 is not a record: it is the sum of the rows above.',
    'Only the sheet Spedizioni was read, and not Ottobre.',
    'Hidden sheets were not read: Vecchie.',
    'trackingNumber has numbers in place of texts: a number that began with zeros has lost them',
  ])
    expect(sent.stderr).toContain(line);
  const first = await ask<Json>(caller, TRACKED, { number: 'S-1' });
  expect(first).toMatchObject({ weight: '0.5', recipient: { postalCode: '00184', countryCode: 'IT' } });
  const second = await ask<Json>(caller, TRACKED, { number: 'S-2' });
  expect(second).toMatchObject({ weight: '1.5', recipient: { postalCode: '1010', countryCode: 'AT' } });
  expect([first, second].map(({ expectedDeliveryAt: at }) => new Date(at).toISOString())).toEqual([
    '2026-11-21T22:59:59.999Z',
    '2026-05-03T21:59:59.999Z',
  ]);

  const events = [
    'trackingNumber\toccurredAt\tstatusCode\tdescription',
    'S-1\t21/11/2026 09:30\tin_transit\tPartita "Torino',
    'S-1\t2026-11-21 10:30:00\tin_transit\t3/5 colli"',
    'S-2\t25/10/2026 02:30\tin_transit\t',
    'Totale\t\t\t3',
  ];
  const told = await run('events', await fileOf(events.join('\n'), 'txt'), caller, '--accept-good-rows');
  expect(JSON.parse(told.stdout)).toMatchObject({ ...rowsOf(2, { wrong: 1, leftOut: 1 }), created: 2 });
  expect(told.stderr).toContain('row 5 is not a record: it is a total.');
  expect(told.stderr).toContain('Times without an offset are read as times in Italy.');
  expect(told.stderr).toMatch(/row 4, column B .* unambiguous: it is 2026-10-25T00:30:00.000Z or 2026-10-25T01:30/);
  const tracked = await ask<Json>(caller, TRACKED, { number: 'S-1' });
  expect(tracked.timeline.nodes.map(({ occurredAt }: Json) => new Date(occurredAt).toISOString()).toSorted()).toEqual([
    '2026-11-21T08:30:00.000Z',
    '2026-11-21T09:30:00.000Z',
  ]);
});

test('A number that a spreadsheet has damaged is a problem that shows what it may have been', async () => {
  const caller = await world.company();
  const carrier = await connectCarrier(caller);
  const numbers: SheetCell[] = ['8,40001E+11', '1E+11', '03-mag', { xml: '<c s="1"><v>46145</v></c>' }, 1e17];
  const rows = [['trackingNumber', 'carrierCompanyId'], ...numbers.map(number => [number, carrier])];
  const { stdout, stderr } = await run('shipments', await fileOf(workbook({ A: rows }), 'xlsx'), caller);
  expect(JSON.parse(stdout)).toMatchObject({ ...rowsOf(0, { wrong: 5 }), rejected: 5 });
  expect(
    [...stderr.matchAll(/column A "trackingNumber", "([^"]*)": must be saved as text/g)].map(([, is]) => is),
  ).toEqual(['8,40001E+11', '1E+11', '03-mag', '2026-05-03', '100000000000000000']);
  expect(stderr).toContain('the date 03-mag of a number such as 3-5 or 3/5');
});

test('A file that is not a table, or has another header, is rejected with its kind and the number of its rows', async () => {
  const caller = await world.company();
  const html = '<html><table><tr><td>trackingNumber</td></tr></table></html>';
  const header = 'Tracking;Quando\n1;2\n3;4\n';
  const cases = [
    { what: 'events', content: html, extension: 'xls', says: 'is a web page (HTML), whatever its name says' },
    { what: 'shipments', content: '%PDF-1.7', extension: 'pdf', says: 'is a PDF' },
    { what: 'orders', content: Buffer.from('\x89PNG\r\n', 'latin1'), extension: 'png', says: 'is a picture' },
    { what: 'events', content: '', extension: 'csv', says: 'has no rows' },
    { what: 'events', content: header, extension: 'txt', says: 'none of its 2 rows was read' },
    { what: 'orders', content: header, extension: 'txt', says: 'none of its 2 rows was read' },
  ];
  for (const { what, content, extension, says } of cases) {
    const { code, stdout, stderr } = await run(what, await fileOf(content, extension), caller);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(says) });
  }
});

test("Amazon's .txt of orders and records of JSON need no format", async () => {
  const caller = await world.company();
  const amazon = [
    'order-id\torder-item-id\tproduct-name\trecipient-name\tship-address-1\tship-city\tship-postal-code\tship-country',
    '402-1\t1\t"Offerta\tAnna Rossi\tVia Roma 1\tTorino\t10121\tIT',
  ].join('\n');
  const record = { orderNumber: 'N-1', recipient: { address: 'Via Roma 1', postalCode: '10121', city: 'Torino' } };
  for (const content of [amazon, `${JSON.stringify(record)}\n`]) {
    const { stdout } = await run('orders', await fileOf(content, 'txt'), caller);
    expect(JSON.parse(stdout)).toMatchObject({ ...rowsOf(1), created: 1 });
  }
});
