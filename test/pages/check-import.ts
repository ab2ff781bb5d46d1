import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { WORDS } from '../../src/http/ops/import-words.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import type { Cell } from '../../src/platform/tables/sent-table.ts';
import { workbook } from '../support/workbook.ts';
import { accessibilityFaults, watch } from './chromium.ts';
import { ORDER_FILES, OWN_TABLE } from './import-files.ts';

// The fourth part of `npm run check:pages`: imports orders, a price list and an invoice on the page of imports, as a
// person does who has only a browser.

interface Given {
  readonly url: string;
  readonly apiKey: string;
  readonly screenshots: string | undefined;
  /** How the demo was set, for the command line. */
  readonly env: Readonly<Record<string, string>>;
}

const SCREENS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const COLOURS = ['light', 'dark'] as const;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export async function checkImport(browser: Browser, given: Given): Promise<void> {
  const steps: Record<string, (page: Page, given: Given) => Promise<void>> = {
    'A key that is missing, wrong or lacks a right is one plain sentence and at most one request': keys,
    'The exports of seven shops are imported and priced, with counts that add up': shops,
    'Orders are read by columns that are chosen, corrected in a file with their problems, imported and priced': orders,
    // The invoice of the demo is made of the tariff that the price list replaces.
    'An invoice of the demo is read by its own columns, replaces itself after a question, and has its claims': invoice,
    'A price list shows its differences, and replaces the tariff in force after a question': tariff,
    'Files that are too large, empty, no tables or bombs are rejected within two seconds': hostile,
    'The page is Italian by choice, keeps the choice, and has no English words then': italian,
  };
  for (const [name, step] of Object.entries(steps)) {
    const { page, found, close } = await openPage(browser, given, SCREENS[0], 'light');
    await step(page, given);
    assert.deepEqual(found, []);
    await close();
    process.stdout.write(`ok  ${name}\n`);
  }
  for (const screen of SCREENS) for (const colours of COLOURS) await looksRight(browser, given, screen, colours);
  process.stdout.write('ok  The page of imports fits both screens in both colours, with columns and problems\n');
}

async function openPage(
  browser: Browser,
  { url, apiKey }: Given,
  viewport: (typeof SCREENS)[number] | undefined,
  colorScheme: 'light' | 'dark',
  locale = 'en-GB',
) {
  const context = await browser.newContext({ viewport: viewport ?? null, colorScheme, locale });
  const page = await context.newPage();
  const found = watch(page, url);
  await page.goto(`${url}/ops/import`);
  await useKey(page, apiKey);
  return { page, found, close: () => context.close() };
}

async function useKey(page: Page, apiKey: string): Promise<void> {
  await page.locator('#import-key').fill(apiKey);
  await page.locator('.key-form[data-state="works"]').waitFor();
  await page.locator('select[name="connection"] option').nth(1).waitFor({ state: 'attached' });
}

const choose = (page: Page, name: string, content: string | Uint8Array, mimeType = 'text/csv') =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name: new RegExp(`${name}$`) }).waitFor();
const readAs = (page: Page, header: string, label: string) =>
  page.getByLabel(`What ${header} is read as`, { exact: true }).selectOption({ label });
const prices = (page: Page) => page.locator('[aria-label="Prices"] tbody tr');

async function graph(given: Given, query: string): Promise<unknown> {
  const headers = { 'x-api-key': given.apiKey, 'content-type': 'application/json' };
  const response = await fetch(`${given.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return ((await response.json()) as { data: unknown }).data;
}

async function keys(page: Page, given: Given): Promise<void> {
  const asked: string[] = [];
  page.on('request', request => {
    if (/graphql|health/.test(request.url())) asked.push(request.url());
  });
  const says = async (key: string, state: string, requests: number) => {
    await page.locator('#import-key').fill(key);
    await page.locator('.import-state', { hasText: state }).waitFor();
    assert.equal(asked.length, requests, asked.join());
    asked.length = 0;
  };
  // A rejected request is written to the console by the browser itself.
  page.removeAllListeners('console');
  await page.locator('#import-key').fill('');
  await page.locator('.key-form[data-state=""]').waitFor();
  await choose(page, 'ordini.csv', OWN_TABLE);
  await says('', 'Type your key first.', 0);
  await says('sk_test_wrong', 'This key is not valid. Copy it again, or ask for a new one.', 1);
  const scopes = '[HEALTH_READ, WAREHOUSES_READ, CARRIERS_READ]';
  const { createApiKey } = (await graph(
    given,
    `mutation { createApiKey(input: { label: "reads", scopes: ${scopes} }) { apiKey } }`,
  )) as { createApiKey: { apiKey: string } };
  // The drop-downs are filled by one request more.
  await says(createApiKey.apiKey, 'it lacks the right orders:write', 2);
}

async function shops(page: Page): Promise<void> {
  await page
    .locator('select[name="warehouse"] option:checked', { hasText: 'Magazzino centrale' })
    .waitFor({ state: 'attached' });
  for (const { name, content, says, rows, orders: numbers } of ORDER_FILES) {
    await choose(page, name, content);
    await page.getByText(says).waitFor();
    await page.locator('.import-check .facts').waitFor();
    const counts = await page.locator('.import-check .facts dd').allInnerTexts();
    assert.deepEqual(counts.map(Number), rows, name);
    assert.equal(rows[0], rows[1] + rows[2] + rows[3], name);
    await page.getByText('No column names a warehouse: all orders are shipped from Magazzino centrale').waitFor();
    const weight = page.locator('.import-check details input[name="weight"]');
    if (await weight.isVisible()) {
      for (const side of ['weight', 'length', 'width', 'height'])
        await page.locator(`.import-check input[name="${side}"]`).fill('10');
      await press(page, 'Save it');
      await page.getByText('It is saved.').waitFor();
    }
    await press(page, rows[3] > 0 ? 'Import the good orders' : 'Import the orders');
    await heading(page, 'Imported');
    assert.equal(await page.locator('.import-check .once').count(), 0, name);
    await press(page, 'Show the prices of these orders');
    await page.getByText(`Orders with a price: ${numbers.length} of ${numbers.length}.`).waitFor();
    assert.deepEqual(await prices(page).locator('td:first-child').allInnerTexts(), numbers, name);
    assert.match(await page.locator('.total').innerText(), /cheapest: [1-9]\d*\.\d\d EUR, [1-9]\d*\.\d\d EUR with VAT/);
  }
}

async function orders(page: Page): Promise<void> {
  await choose(page, 'ordini.csv', OWN_TABLE);
  await page.getByText('No column has the number of the order.').waitFor();
  await readAs(page, 'Rif', 'Order number');
  await page.getByText('Orders with problems: 2').waitFor();
  await readAs(page, 'Kg', 'Weight of each parcel, kg');
  await page.locator('mark', { hasText: 'due' }).waitFor();
  await page.locator('mark', { hasText: '9999' }).waitFor();
  await page.getByText('it is a total').waitFor();
  const downloading = page.waitForEvent('download');
  await press(page, 'Download the rows with their problems');
  const rows = await rowsOf(await (await downloading).path());
  assert.match(String(rows[2]?.[0]), /Kg: must be a number; CAP: must/);
  const corrected = rows.map(cells => cells.map(cell => ({ '9999': '20122', due: '1,5' })[String(cell)] ?? cell));
  // The columns are as they were chosen for the first file.
  await choose(page, 'corrected.xlsx', workbook({ Ordini: corrected }), XLSX);
  await page.getByText('All orders are good.').waitFor();
  await press(page, 'Import the orders');
  await heading(page, 'Imported');
  await press(page, 'Show the prices of these orders');
  await prices(page).nth(1).waitFor();
  assert.match((await prices(page).allInnerTexts()).join('\n'), /PAGE-1.*\d+\.\d\d.*\n.*PAGE-2.*\d+\.\d\d/s);
}

async function rowsOf(path: string): Promise<Cell[][]> {
  const { sheets } = await readTable({ companyId: 'check' as never }, await readFile(path));
  return [...(sheets[0]?.rows() ?? [])].map(({ cells }) => [...cells]);
}

async function tariff(page: Page): Promise<void> {
  await page.getByText('A price list', { exact: true }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'BRT' }).click();
  const template = await readFile(await (await downloading).path());
  await choose(page, 'brt.xlsx', template, XLSX);
  await page.getByText('Choose the carrier.').waitFor();
  await page.locator('select[name="connection"]').selectOption({ index: 1 });
  await page.getByText('The workbook is a tariff.').waitFor();
  assert.ok((await page.locator('[aria-label="Differences"] tbody tr').count()) > 50);
  await press(page, 'Publish it now');
  await page.getByRole('dialog').getByText('in force').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press(page, 'Keep it as a draft');
  await page.getByText('Quotes do not use it yet.').waitFor();
  await press(page, 'Publish it now');
  await press(page, 'Replace it');
  await page.getByText('Quotes use it from now on.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Keep it as a draft' }).count(), 0);
  await choose(page, 'again.xlsx', template, XLSX);
  await page.getByText('there is nothing to publish').waitFor();
}

async function invoice(page: Page, given: Given): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  const file = join(folder, 'october.csv');
  try {
    const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [cli, 'demo', '--month', file], { cwd: folder, env: given.env });
    await page.getByText('An invoice of a carrier', { exact: true }).click();
    await page.locator('select[name="connection"]').selectOption({ index: 1 });
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByText('The columns have the names of the guide.').waitFor();
    await page.getByText('Fill in the number and the date of the invoice above.').waitFor();
    await page.locator('select[name="mapping"]').selectOption('BRT');
    await page.getByText('The columns have the names of BRT.').waitFor();
    await page.locator('select[name="mapping"]').selectOption('');
    await page.locator('input[name="number"]').fill('2026/1044');
    await page.locator('input[name="date"]').fill('2026-10-31');
    await page.getByText('469.17 EUR').waitFor();
    await press(page, 'Import and check it');
    await page.getByText('Replace the invoice 2026/1044?').waitFor();
    await press(page, 'Replace it');
    await heading(page, 'Claims');
    const kinds = await page.locator('[aria-label="Findings by kind"] td:first-child').allInnerTexts();
    assert.deepEqual(kinds, ['Unknown shipment', 'Billed twice', 'Amount of a surcharge', 'Weight band', 'Fuel']);
    const downloading = page.waitForEvent('download');
    await press(page, 'Download the claims for the carrier');
    const csv = await readFile(await (await downloading).path(), 'utf8');
    assert.match(csv, /^\uFEFFfattura;/);
    assert.match(csv, /084007026199999/);
    const { carrierInvoices } = (await graph(given, '{ carrierInvoices(first: 1) { nodes { id } } }')) as {
      carrierInvoices: { nodes: { id: string }[] };
    };
    const [newest] = carrierInvoices.nodes;
    await graph(given, `mutation { deleteCarrierInvoice(input: { id: "${newest?.id}" }) { userErrors { message } } }`);
    await press(page, 'Download the claims for the carrier');
    await page.getByText('The record no longer exists. Import the file again.').waitFor();
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function hostile(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    const large = join(folder, 'large.csv');
    const handle = await open(large, 'w');
    await handle.truncate(200 * 1024 * 1024);
    await handle.close();
    await rejected(page, () => page.locator('input[type="file"]').setInputFiles(large), 'The file has 209.7 MB');
    await rejected(page, () => choose(page, 'empty.csv', ''), 'The file is empty');
    await rejected(page, () => choose(page, 'picture.png', Buffer.from('iVBORw0KGgoAAAAN', 'base64')), 'is a picture');
    await rejected(page, () => choose(page, 'list.pdf', '%PDF-1.7\n1 0 obj'), 'is a PDF');
    await rejected(page, () => choose(page, 'old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')), 'old workbook');
    await rejected(
      page,
      () => choose(page, 'header.csv', 'Numero ordine;Indirizzo;CAP;Città\n'),
      'no rows below the header',
    );
    const bomb = workbook(
      { Ordini: [['Numero ordine']] },
      { parts: { 'xl/worksheets/sheet1.xml': ' '.repeat(200 * 1024 * 1024) } },
    );
    await rejected(page, () => choose(page, 'bomb.xlsx', bomb, XLSX), 'unpacks to too much');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function rejected(page: Page, send: () => Promise<void>, message: string): Promise<void> {
  const startMs = performance.now();
  await send();
  await page.locator('.bad, td', { hasText: message }).first().waitFor();
  const ms = performance.now() - startMs;
  assert.ok(ms < 2_000, `"${message}" took ${Math.round(ms)} ms`);
}

async function italian(page: Page, { url }: Given): Promise<void> {
  await page.getByRole('link', { name: 'Italiano' }).click();
  await page.getByRole('heading', { name: 'Importa un file' }).waitFor();
  // The key is kept with the tab, and the language with the browser.
  await page.goto(`${url}/ops/import`);
  await page.getByRole('heading', { name: 'Importa un file' }).waitFor();
  await page.locator('.key-form[data-state="works"]').waitFor();
  await choose(page, 'ordini.csv', OWN_TABLE.replace('Rif', 'Numero ordine').replace('Kg', 'Peso'));
  await page.locator('mark').first().waitFor();
  const text = await page.locator('body').innerText();
  const english = Object.values(WORDS).filter(([one, other]) => one !== other && one.length > 5 && !one.includes('{'));
  const found = english.filter(([one, other]) => text.includes(one) && !other.includes(one)).map(([one]) => one);
  assert.deepEqual(found, []);
  assert.doesNotMatch(text, /\b(must|recipient|parcels?|orders?|is|are)\b/i);
}

async function looksRight(
  browser: Browser,
  given: Given,
  screen: (typeof SCREENS)[number],
  colours: 'light' | 'dark',
): Promise<void> {
  const { page, found, close } = await openPage(browser, given, screen, colours, 'it-IT');
  await choose(page, 'ordini.csv', OWN_TABLE.replace('Rif', 'Numero ordine').replace('Kg', 'Peso'));
  await page.locator('mark').first().waitFor();
  await press(page, 'Importa gli ordini buoni');
  await press(page, 'Mostra i prezzi di questi ordini');
  await page.locator('.total').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= screen.width, `/ops/import is ${width} px wide at ${screen.width} px`);
  found.push(...(await accessibilityFaults(page)));
  assert.deepEqual(found, []);
  if (given.screenshots !== undefined) {
    await page.screenshot({ path: join(given.screenshots, `import-${screen.width}-${colours}.png`), fullPage: true });
  }
  await close();
}
