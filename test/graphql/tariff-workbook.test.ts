import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readTable } from '../../src/platform/tables/read-table.ts';
import type { Cell } from '../../src/platform/tables/sent-table.ts';
import { failureOf } from '../support/graphql-client.ts';
import { ask, connectCarrier } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** A tariff as a workbook: from a template to a draft, and to the tariff in force. */

const world = useSharedWorld();

const IMPORT = `mutation ($input: ImportTariffWorkbookInput!) { importTariffWorkbook(input: $input) {
  tariffRevision { databaseId name number }
  tariffDiff { from { number } to { databaseId } changes(first: 10) { totalCount nodes { text } } }
  userErrors { code pointer message } } }`;
const PUBLISH = `mutation ($input: PublishTariffInput!) { publishTariff(input: $input) {
  tariffRevision { number } userErrors { code pointer message } } }`;
const DRAFTS = 'query ($id: ID!) { tariffDrafts(carrierConnectionId: $id) { totalCount } }';

interface Imported {
  readonly tariffRevision: {
    readonly databaseId: number;
    readonly name: string;
    readonly number: number | null;
  } | null;
  readonly tariffDiff: {
    readonly from: { readonly number: number } | null;
    readonly to: { readonly databaseId: number } | null;
    readonly changes: { readonly totalCount: number; readonly nodes: readonly { readonly text: string }[] };
  };
}

type Sheets = Record<string, Cell[][]>;

/** The cells of a template, with another value in one of them. */
async function sheetsOf(name: string): Promise<Sheets> {
  const response = await fetch(`${world.app.url}/templates/${name}.xlsx`);
  expect(response.status).toBe(200);
  const owner = { companyId: 'test' as never };
  const { sheets } = await readTable(owner, new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    sheets.map(sheet => [sheet.name ?? '', [...sheet.rows()].map(({ cells }) => [...cells])] as const),
  );
}

/** Changes the cell of a column in a row of a sheet, and returns its letter. */
function change(sheets: Sheets, [sheet, row, header]: [string, number, string], value: Cell): number {
  const rows = sheets[sheet] ?? [];
  const at = (rows[0] ?? []).indexOf(header);
  expect(at).toBeGreaterThanOrEqual(0);
  (rows[row - 1] as Cell[])[at] = value;
  return at;
}

const base64 = (sheets: Sheets) => Buffer.from(workbook(sheets)).toString('base64');

async function connected(): Promise<{ caller: Caller; carrierConnectionId: number }> {
  const caller = await world.company();
  return { caller, carrierConnectionId: await connectCarrier(caller, 'BRT') };
}

test.each(['brt-like', 'gls-like', 'pallet-network'])(
  'The template %s has the example tariff, and becomes a draft that is published',
  async name => {
    const { caller, carrierConnectionId } = await connected();
    const file = { base64: base64(await sheetsOf(name)) };
    const example = JSON.parse(
      await readFile(new URL(`../../schema/examples/tariffs/${name}.json`, import.meta.url), 'utf8'),
    );
    const answer = await caller.graphql<{ importTariffWorkbook: Imported }>(IMPORT, {
      input: { carrierConnectionId, file },
    });
    expect(failureOf(answer)).toBeUndefined();
    const { tariffRevision, tariffDiff } = answer.data.importTariffWorkbook;
    expect(tariffRevision).toMatchObject({ name: example.name, number: null });
    expect(tariffDiff).toMatchObject({ from: null, to: { databaseId: tariffRevision?.databaseId } });
    expect(await ask(caller, PUBLISH, { input: { id: tariffRevision?.databaseId } })).toEqual({ number: 1 });
  },
);

test('A template that needs lists and indexes names the cells whose lists and indexes the carrier lacks', async () => {
  const { caller, carrierConnectionId } = await connected();
  const file = { base64: base64(await sheetsOf('dhl-like')) };
  const failure = failureOf(await caller.graphql(IMPORT, { input: { carrierConnectionId, file, dryRun: true } }));
  expect(failure?.errors).toMatchObject([
    { code: 'unknown_list', pointer: '/file/Surcharges/2/R' },
    { code: 'unknown_index', pointer: '/file/Fuel/2/H' },
    { code: 'unknown_index', pointer: '/file/Fuel/3/H' },
  ]);
});

test('A dry run shows the changes that a workbook would make, and keeps no draft', async () => {
  const { caller, carrierConnectionId } = await connected();
  const sheets = await sheetsOf('brt-like');
  const input = { carrierConnectionId, file: { base64: base64(sheets) } };
  const { tariffRevision } = await ask<Imported>(caller, IMPORT, { input });
  await ask(caller, PUBLISH, { input: { id: tariffRevision?.databaseId } });
  change(sheets, ['Tariff', 2, 'name'], 'BRT 2027');
  const [header = [], , , priced = []] = sheets.Prices ?? [];
  const at = priced.findIndex((cell, i) => i > 3 && typeof cell === 'number');
  change(sheets, ['Prices', 4, String(header[at])], Number(priced[at]) + 1);
  const dry = await ask<Imported>(caller, IMPORT, {
    input: { ...input, file: { base64: base64(sheets) }, dryRun: true },
  });
  expect(dry).toMatchObject({ tariffRevision: null, tariffDiff: { from: { number: 1 }, to: null } });
  expect(dry.tariffDiff.changes.nodes.length).toBeGreaterThan(0);
  expect(await ask(caller, DRAFTS, { id: carrierConnectionId })).toEqual({ totalCount: 0 });
});

test('The error for a wrong cell of a workbook names its sheet, row and column, and nothing is kept', async () => {
  const { caller, carrierConnectionId } = await connected();
  const sheets = await sheetsOf('brt-like');
  const header = sheets.Prices?.[0] ?? [];
  const at = header.length - 1;
  change(sheets, ['Prices', 4, String(header[at])], 'quattro');
  const failure = failureOf(
    await caller.graphql(IMPORT, { input: { carrierConnectionId, file: { base64: base64(sheets) } } }),
  );
  const letter = String.fromCharCode(65 + at);
  expect(failure?.errors).toMatchObject([{ pointer: `/file/Prices/4/${letter}` }]);
  expect(await ask(caller, DRAFTS, { id: carrierConnectionId })).toEqual({ totalCount: 0 });
});

test.each([
  { name: 'a table of orders', file: { text: 'Numero ordine;CAP\nG-1;10121' } },
  { name: 'a picture', file: { base64: 'iVBORw0KGgoAAAAN' } },
])('The file $name is rejected as a workbook of a tariff', async ({ file }) => {
  const { caller, carrierConnectionId } = await connected();
  const failure = failureOf(await caller.graphql(IMPORT, { input: { carrierConnectionId, file } }));
  expect(failure?.errors).toMatchObject([{ code: 'invalid_text', pointer: '/file' }]);
});

test('The table of orders has a template too, and unknown template names are rejected', async () => {
  const { Ordini = [] } = await sheetsOf('orders');
  expect(Ordini[0]).toEqual(expect.arrayContaining(['Numero ordine', 'CAP', 'Peso collo', 'Contrassegno']));
  for (const name of ['nobody', '..%2Fbrt-like'])
    expect((await fetch(`${world.app.url}/templates/${name}.xlsx`)).status).toBe(404);
});
