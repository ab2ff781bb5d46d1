import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { readTable } from '../../src/platform/tables/read-table.ts';
import type { Cell } from '../../src/platform/tables/sent-table.ts';
import { workbook } from '../support/workbook.ts';
import { accessibilityFaults, watch } from './chromium.ts';

// The fourth part of `npm run check:pages`: imports orders, a price list and an invoice on the page of imports, as a
// person does who has only a browser.

interface Given {
  readonly url: string;
  readonly apiKey: string;
  readonly screenshots: string | undefined;
}

const SCREENS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const COLOURS = ['light', 'dark'] as const;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A header that nobody knows, a good row, and one with two mistakes. */
const ORDERS = [
  'Rif;Destinatario;Indirizzo;CAP;Città;Kg;Misure',
  'PAGE-1;Anna Rossi;Via Libertà 12;90139;Palermo;2,5;40x30x20',
  'PAGE-2;Luca Verdi;Corso Italia 7;9999;Milano;due;30x20x10',
].join('\n');
const INVOICE = 'Lettera;Partenza;Nolo netto\nPAGE-X1;03/11/2026;14,35\nPAGE-X2;04/11/2026;5,10';

export async function checkImport(browser: Browser, given: Given): Promise<void> {
  const steps: Record<string, (page: Page, given: Given) => Promise<void>> = {
    'Orders are read by columns that are chosen, corrected in a file with their problems, imported and priced': orders,
    'A price list goes from a template to a draft and to the tariff in force': tariff,
    'An invoice goes from its columns to a file with claims': invoice,
    'Files that are too large, no tables or bombs are rejected within two seconds': hostile,
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
) {
  const context = await browser.newContext({ viewport: viewport ?? null, colorScheme });
  const page = await context.newPage();
  const found = watch(page, url);
  await page.goto(`${url}/ops/import`);
  await page.locator('#import-key').fill(apiKey);
  await page.locator('.key-form[data-state="works"]').waitFor();
  await page.locator('select[name="connection"] option').nth(1).waitFor({ state: 'attached' });
  return { page, found, close: () => context.close() };
}

const choose = (page: Page, name: string, content: string | Uint8Array, mimeType = 'text/csv') =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const readAs = (page: Page, header: string, label: string) =>
  page.getByLabel(`What ${header} is read as`, { exact: true }).selectOption({ label });

async function orders(page: Page): Promise<void> {
  await page.locator('select[name="warehouse"]').selectOption({ index: 1 });
  await choose(page, 'ordini.csv', ORDERS);
  await page.getByText('must have a column with the number of the order').waitFor();
  await readAs(page, 'Rif', 'Numero ordine');
  await page.getByText('2 orders are wrong').waitFor();
  await readAs(page, 'Kg', 'Peso collo');
  await page.locator('mark', { hasText: 'due' }).waitFor();
  await page.locator('mark', { hasText: '9999' }).waitFor();
  const downloading = page.waitForEvent('download');
  await press(page, 'Download the rows with their problems');
  const rows = await rowsOf(await (await downloading).path());
  assert.match(String(rows[2]?.[0]), /Kg: must be a number; CAP: must/);
  const corrected = rows.map(cells => cells.map(cell => ({ '9999': '20122', due: '1,5' })[String(cell)] ?? cell));
  // The columns are as they were chosen for the first file.
  await choose(page, 'corrected.xlsx', workbook({ Ordini: corrected }), XLSX);
  await page.getByText('All rows are good.').waitFor();
  await press(page, 'Import the orders');
  await page.getByRole('heading', { name: '5. Imported' }).waitFor();
  await press(page, 'Show prices of the newest orders');
  const row = page.locator('[aria-label="Prices"] tr', { hasText: 'PAGE-2' });
  await row.waitFor();
  assert.match(await row.innerText(), /\d+\.\d\d/);
}

async function rowsOf(path: string): Promise<Cell[][]> {
  const { sheets } = await readTable({ companyId: 'check' as never }, await readFile(path));
  return [...(sheets[0]?.rows() ?? [])].map(({ cells }) => [...cells]);
}

async function tariff(page: Page): Promise<void> {
  await page.getByText('A price list', { exact: true }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'BRT-like' }).click();
  const template = await readFile(await (await downloading).path());
  await page.locator('select[name="connection"]').selectOption({ index: 1 });
  await choose(page, 'brt.xlsx', template, XLSX);
  await page.getByText('The workbook is a tariff.').waitFor();
  await press(page, 'Keep it as a draft');
  await press(page, 'Publish it now');
  await page.getByText('Quotes use it from now on.').waitFor();
}

async function invoice(page: Page, { url, apiKey }: Given): Promise<void> {
  await page.getByText('An invoice of a carrier', { exact: true }).click();
  await page.locator('select[name="connection"]').selectOption({ index: 1 });
  await page.locator('input[name="number"]').fill(`PAGE ${Date.now()}`);
  await page.locator('input[name="date"]').fill('2026-11-30');
  await choose(page, 'fattura.csv', INVOICE);
  await page.getByText('must have a column that finds shipments').waitFor();
  await readAs(page, 'Lettera', 'Tracking number');
  await readAs(page, 'Partenza', 'Day of shipment');
  await readAs(page, 'Nolo netto', 'Amount: base');
  await page.getByText('19.45 EUR').waitFor();
  await press(page, 'Import and check it');
  await page.getByRole('heading', { name: '5. Claims' }).waitFor();
  const downloading = page.waitForEvent('download');
  await press(page, 'Download the claims for the carrier');
  const csv = await readFile(await (await downloading).path(), 'utf8');
  assert.match(csv, /^\uFEFFfattura;/);
  assert.match(csv, /PAGE-X1/);
  const ask = async (query: string) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return (await response.json()) as { data: { carrierInvoices: { nodes: { id: string }[] } } };
  };
  const { data } = await ask('{ carrierInvoices(first: 1) { nodes { id } } }');
  const [newest] = data.carrierInvoices.nodes;
  await ask(`mutation { deleteCarrierInvoice(input: { id: "${newest?.id}" }) { userErrors { message } } }`);
  await press(page, 'Download the claims for the carrier');
  await page.getByText('The record no longer exists. Import the file again.').waitFor();
}

async function hostile(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    const large = join(folder, 'large.csv');
    const handle = await open(large, 'w');
    await handle.truncate(200 * 1024 * 1024);
    await handle.close();
    await rejected(page, () => page.locator('input[type="file"]').setInputFiles(large), 'It has 209.7 MB');
    await rejected(page, () => choose(page, 'picture.png', Buffer.from('iVBORw0KGgoAAAAN', 'base64')), 'is not');
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

async function looksRight(
  browser: Browser,
  given: Given,
  screen: (typeof SCREENS)[number],
  colours: 'light' | 'dark',
): Promise<void> {
  const { page, found, close } = await openPage(browser, given, screen, colours);
  await choose(page, 'ordini.csv', ORDERS.replace('Rif', 'Numero ordine').replace('Kg', 'Peso'));
  await page.locator('mark').first().waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= screen.width, `/ops/import is ${width} px wide at ${screen.width} px`);
  found.push(...(await accessibilityFaults(page)));
  assert.deepEqual(found, []);
  if (given.screenshots !== undefined) {
    await page.screenshot({ path: join(given.screenshots, `import-${screen.width}-${colours}.png`), fullPage: true });
  }
  await close();
}
