import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/graphql-client.ts';
import { ask, connectCarrier } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { useSharedWorld } from '../support/world.ts';

/** Files that are meant to exhaust the service, by every way in which GraphQL takes a table. */

const world = useSharedWorld();

const [ERRORS, FILE] = ['userErrors { code pointer message }', '$connection: ID!, $file: TableFileInput!'];
const WAYS: Readonly<Record<string, string>> = {
  orderTable: 'query ($file: TableFileInput!) { orderTable(input: { file: $file }) { name } }',
  importOrders: `mutation ($file: TableFileInput!) { importOrders(input: { file: $file }) { created ${ERRORS} } }`,
  carrierInvoiceTable: `query (${FILE}) { carrierInvoiceTable(carrierConnectionId: $connection, input: { file: $file }) { name } }`,
  importCarrierInvoice: `mutation (${FILE}) { importCarrierInvoice(input: { carrierConnectionId: $connection, number: "1", date: "2026-11-30", source: { file: $file } }) { lineCount ${ERRORS} } }`,
  importTariffWorkbook: `mutation (${FILE}) { importTariffWorkbook(input: { carrierConnectionId: $connection, file: $file }) { tariffRevision { id } ${ERRORS} } }`,
};

const MB = 1024 * 1024;
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const HOSTILE: Readonly<Record<string, () => Uint8Array>> = {
  'a zip bomb': () => workbook({ Righe: ' '.repeat(200 * MB) }),
  'a bomb of shared texts': () =>
    workbook(
      { Righe: [['a']] },
      { parts: { 'xl/sharedStrings.xml': `<sst>${'<si><t>a</t></si>'.repeat(9_000_000)}</sst>` } },
    ),
  'a million rows': () => Buffer.from(`a;b;c\n${'a\n'.repeat(1_000_000)}`),
  'a million rows of a workbook': () => workbook({ Righe: sheet('<row><c><v>1</v></c></row>'.repeat(1_000_000)) }),
  'entities that expand': () => workbook({ Righe: `<!DOCTYPE a [<!ENTITY b "&c;&c;">]>${sheet('')}` }),
  'broken XML': () => workbook({ Righe: '<worksheet><sheetData><row>' }),
  'elements in elements': () => workbook({ Righe: '<a>'.repeat(100_000) }),
  'a broken ZIP file': () => Buffer.from(`PK\x03\x04${'x'.repeat(1_000)}`),
  'a quote that is left open': () => Buffer.from(`"${'x'.repeat(2 * MB)}`),
};

/** A hostile request is rejected long before this time, also on a busy machine. */
const PATIENCE_MS = 9_000;

describe.each(Object.entries(HOSTILE))('A file with %s', (_name, make) => {
  test('is rejected by every operation that takes a file, while others are served', async () => {
    const caller = await world.company();
    const connection = await connectCarrier(caller);
    const base64 = Buffer.from(make()).toString('base64');
    for (const [way, query] of Object.entries(WAYS)) {
      const startMs = performance.now();
      const [answer] = await Promise.all([
        caller.graphql(query, { connection, file: { base64 } }),
        ask(await world.company(), '{ orders(first: 1) { nodes { id } } }'),
      ]);
      expect({ way, code: failureOf(answer)?.code }).toEqual({ way, code: 'validation_failed' });
      expect(performance.now() - startMs).toBeLessThan(PATIENCE_MS);
    }
  }, 120_000);
});

test('A formula is never calculated, and has the value that was saved with it', async () => {
  const caller = await world.company();
  const row = [
    { xml: '<c t="str"><f>HYPERLINK("http://127.0.0.1/")</f><v>G-1</v></c>' },
    'Via Roma 1',
    '10121',
    'Torino',
  ];
  const unsaved = [{ xml: "<c><f>cmd|'/c calc'!A0</f></c>" }, 'Via Roma 1', '10121', 'Torino'];
  const file = (cells: typeof row) => ({
    base64: Buffer.from(workbook({ Righe: [['Numero ordine', 'Indirizzo', 'CAP', 'Città'], cells] })).toString(
      'base64',
    ),
  });
  const send = (cells: typeof row) =>
    ask<{ created: number; problems: object[] }>(
      caller,
      `mutation ($file: TableFileInput!) { importOrders(input: { file: $file }) { created problems { message } ${ERRORS} } }`,
      { file: file(cells) },
    );
  expect(await send(row)).toEqual({ created: 1, problems: [] });
  expect(await send(unsaved)).toMatchObject({
    created: 0,
    problems: [{ message: expect.stringContaining('spreadsheet error') }],
  });
});

test('A body of 200 MB is rejected before it is read', async () => {
  const { apiKey } = await world.company();
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: Buffer.alloc(200 * MB, ' '),
  }).catch(() => undefined);
  // The service closes the connection, and a client that still writes may see that alone.
  expect([413, undefined]).toContain(response?.status);
});
