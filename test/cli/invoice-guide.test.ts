import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { connectCarrier, feedShipments } from '../support/platform-side.ts';
import { inProcess } from './in-process.ts';
import { useTariffCommands } from './tariff-files.ts';

const given = useTariffCommands();
const guide = await readFile(new URL('../../src/docs/invoices.md', import.meta.url), 'utf8');

/** The block of the guide that begins so. */
function block(beginning: string): string {
  const blocks = [...guide.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, inner = '']) => inner);
  return blocks.find(one => one.startsWith(beginning)) ?? '';
}

test('The worked example of the guide has the result that is printed there', async () => {
  const { caller, warehouseId } = given;
  const connection = await connectCarrier(caller, 'SDA');
  await importTariff(caller, connection, JSON.parse(block('{ "format": 2')));
  const parcel = { warehouseId, weight: '4', volume: '8000' };
  const to = (postalCode: string, city: string, province: string) => ({
    address: 'Via Roma 1',
    postalCode,
    city,
    province,
  });
  await feedShipments(
    caller,
    connection,
    {
      trackingNumber: 'SDA001',
      ...parcel,
      shippedAt: '2026-11-03T09:00:00Z',
      recipient: to('20121', 'Milano', 'MI'),
    },
    {
      trackingNumber: 'SDA002',
      ...parcel,
      shippedAt: '2026-11-03T09:00:00Z',
      recipient: to('20121', 'Milano', 'MI'),
    },
    { trackingNumber: 'SDA003', ...parcel, shippedAt: '2026-10-28T09:00:00Z', recipient: to('00185', 'Roma', 'RM') },
    {
      trackingNumber: 'SDA004',
      ...parcel,
      shippedAt: '2026-11-04T09:00:00Z',
      recipient: to('90139', 'Palermo', 'PA'),
    },
  );
  const file = await given.fileOf('sda-november.csv', block('tracking_number;'));
  const run = (...args: string[]) => inProcess(['invoice', ...args], given.settings);
  const head = [
    '--company',
    caller.companyId,
    '--connection',
    String(connection),
    '--number',
    '2026/118',
    '--date',
    '2026-11-30',
  ];
  const { stdout, stderr } = await run('import', file, ...head);
  const [, id = ''] = /^carrierInvoice\.databaseId +(\d+)$/m.exec(stdout) ?? [];
  expect(stderr).toBe('');
  const printed = stdout.replaceAll(/ +/g, ' ').split('\n');
  expect(printed).toEqual(expect.arrayContaining(block('lineCount').trimEnd().replaceAll(/ +/g, ' ').split('\n')));
  const claims = await run('claims', id, '--company', caller.companyId);
  const cells = claims.stdout
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(';'));
  expect(cells.map(cell => [cell[3], cell[6], cell[10]])).toEqual([
    ['SDA002', 'WEIGHT_BAND', '1,87'],
    ['SDA003', 'FUEL_MONTH', '0,12'],
    ['SDA004', 'SURCHARGE_NOT_DUE', '4,50'],
    ['SDA004', 'DUPLICATE', '8,03'],
    ['SDA999', 'UNKNOWN_SHIPMENT', '6,71'],
  ]);
});
