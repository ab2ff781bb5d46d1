import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLEnumType, parse, validate } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ORDER_FIELDS } from '../../src/domain/shipping/orders/import/order-columns.catalog.ts';
import { CHARGE_KINDS, COLUMNS } from '../../src/domain/spend/invoices/reading/invoice-mapping.format.rules.ts';
import { WORDS, wordsIn } from '../../src/http/ops/import-words.ts';
import { useSharedWorld } from '../support/world.ts';
import { ROOT } from './guide-blocks.ts';

/** The page that imports files. `npm run check:pages` uses it in Chromium. */

const world = useSharedWorld();
const SCHEMA = buildSchema(readFileSync(`${ROOT}/schema/schema.graphql`, 'utf8'));

async function page(query = '', headers = {}): Promise<{ readonly response: Response; readonly html: string }> {
  const response = await fetch(`${world.app.url}/ops/import${query}`, { headers });
  return { response, html: await response.text() };
}

/** The text of a module of the page, as a browser loads it. */
async function scriptOf(name: string): Promise<string> {
  const { html } = await page();
  const [, folder = ''] = /src="(\/docs\/assets\/[^/]+)\/import\.js"/.exec(html) ?? [];
  const response = await fetch(`${world.app.url}${folder}/${name}`);
  expect(response.status).toBe(200);
  return response.text();
}

test('The import page needs no login, shows nothing of a company, and loads from this service alone', async () => {
  const { response, html } = await page();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(html).not.toMatch(/<script(?![^>]* src="\/)|<style|\sstyle=|\son\w+="|undefined|\[object|NaN/);
});

test('The import page offers a template of each example, and of orders', async () => {
  const { html } = await page();
  const links = [...html.matchAll(/href="(\/templates\/[^"]+)"/g)].map(([, link = '']) => link);
  expect(links.toSorted()).toEqual(
    ['brt-like', 'dhl-like', 'gls-like', 'orders', 'pallet-network'].map(name => `/templates/${name}.xlsx`),
  );
  for (const link of links) {
    const { status, headers } = await fetch(world.app.url + link);
    expect([status, headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/^attachment; /)]);
  }
});

/** The module of the page that sends requests, with a key that is given instead of typed. */
async function questions(apiKey: string) {
  const script = await scriptOf('import-graph.js');
  const module = script.replace(/^import .*$/m, `const apiKey = () => ${JSON.stringify(apiKey)};`);
  return (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
    readonly DOCUMENTS: Readonly<Record<string, string>>;
    readonly ask: (name: string, variables: object) => Promise<unknown>;
    readonly askAll: (name: string, variables: object) => Promise<unknown>;
  };
}

/** Has the modules of the page ask this service. */
function reachService(): void {
  const { fetch: send } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => send(world.app.url + path, init));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
}

/** The module of the page that has its words, in the page of a language. */
async function wordsOf(language: 'en' | 'it') {
  const { html } = await page(`?lang=${language}`);
  const [, words = ''] = /data-words="([^"]*)"/.exec(html) ?? [];
  const text = words.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const form = `{ dataset: { words: ${JSON.stringify(text)} } }`;
  const document = `const document = { documentElement: { lang: '${language}' }, querySelector: () => (${form}) };`;
  const script = document + (await scriptOf('import-words.js'));
  return (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
    readonly fieldName: (field: { readonly name: string; readonly label: string }) => string;
    readonly inWords: (message: string) => string;
  };
}

test('The import page has the language of its address, or else the one that the browser asks for', async () => {
  const languageOf = async (query: string, accepted?: string) => {
    const { response, html } = await page(query, accepted === undefined ? {} : { 'accept-language': accepted });
    expect(response.headers.get('vary')).toContain('accept-language');
    return /<html lang="(\w+)">/.exec(html)?.[1];
  };
  expect(await languageOf('')).toBe('en');
  expect(await languageOf('', 'it-IT,it;q=0.9,en;q=0.8')).toBe('it');
  expect(await languageOf('', 'fr-FR,fr;q=0.9')).toBe('en');
  expect(await languageOf('?lang=en', 'it-IT')).toBe('en');
  expect(await languageOf('?lang=it', 'en-GB')).toBe('it');
  expect(await languageOf('?lang=xx"><script>', 'it-IT')).toBe('it');
});

test('The import page has every text that its modules use, and no other', async () => {
  const modules = ['', '-graph', '-words', '-view', '-orders', '-tariff', '-invoice'].map(part => `import${part}.js`);
  const scripts = (await Promise.all(modules.map(scriptOf))).join('\n');
  const source = scripts + readFileSync(`${ROOT}/src/http/ops/import-page.ts`, 'utf8');
  const known = Object.keys(WORDS).filter(name => !name.includes('.'));
  expect(known.filter(name => !source.includes(`'${name}'`))).toEqual([]);
  const said = [
    ...[...scripts.matchAll(/\bsay\(\s*'(\w+)'/g)].map(([, name = '']) => name),
    ...[...scripts.matchAll(/\[([^\][]*)\]\.map\(name => say\(name\)\)/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
    ),
  ];
  expect(said.length).toBeGreaterThan(100);
  expect(said.filter(name => !Object.hasOwn(WORDS, name))).toEqual([]);
});

test('The import page names every field, charge and finding in both languages', async () => {
  const fields = [...ORDER_FIELDS, ...Object.keys(COLUMNS), ...CHARGE_KINDS.map(kind => `charges.${kind}`)];
  for (const language of ['en', 'it'] as const) {
    const { fieldName } = await wordsOf(language);
    const unnamed = fields.filter(
      name => fieldName({ name, label: '?' }) === '?' || /charges\./.test(fieldName({ name, label: '' })),
    );
    expect(unnamed, language).toEqual([]);
    const words = Object.keys(wordsIn(language).words);
    expect(words).toEqual(expect.arrayContaining(CHARGE_KINDS.map(kind => `charge.${kind}`)));
    expect(words).toEqual(expect.arrayContaining(valuesOf('CarrierInvoiceFindingCode').map(code => `finding.${code}`)));
    expect(words).toEqual(expect.arrayContaining(valuesOf('CodPayment').map(payment => `cod.${payment}`)));
  }
});

const valuesOf = (name: string) => (SCHEMA.getType(name) as GraphQLEnumType).getValues().map(value => value.name);

/** Rows with the usual mistakes, a total, and a cancelled order. */
const FAULTS = [
  'Numero ordine;Destinatario;Indirizzo;CAP;Città;Provincia;Nazione;Peso;Misure;Colli;Contrassegno;Valuta;Tipo destinatario;Pagamento;Stato',
  'A1;Anna;Via Roma 1;9999;Torino;TO;;due;30x20;0;abc;;boh;;',
  'A2;;;10121;Torino;MI;Marte;-1;1x2x3;999999;1.234;;;;',
  'A3;Anna;Via Roma 1;10121;Torino;TO;IT;1;;;;;;;',
  'A3;Anna;Via Roma 2;10121;Torino;TO;IT;1;;;;;;;',
  'Totale;;;;;;;;;;100;;;;',
  'A4;Anna;Via;ABC;Paris;;FR;1;;;;;;;',
  '8,4E+11;Anna;Via;00100;Roma;RM;IT;99999999;;;#REF!;;;;',
  'A5;Anna',
  '03-mag;Anna;Via Roma 1;10121;Torino;TO;IT;1;1-feb;;sì;;;;',
  'A6;Anna;Via Roma 1;10121;Torino;TO;IT;1;;;10;CHF;;;',
  'A7;Anna;Via Roma 1;10121;Torino;TO;IT;1;;;;;;;annullato',
  'A3;Anna;Via Roma 1;10121;Torino;TO;IT;1;;;;;;;',
  `A8;${'x'.repeat(300)};Via Roma 1;10121;Torino;TO;IT;1;;;;;;;`,
].join('\n');

test('The import page names the usual mistakes of a file in Italian', async () => {
  const { inWords } = await wordsOf('it');
  const { ask } = await questions((await world.company()).apiKey);
  reachService();
  const said: string[] = [];
  const read = async (text: string) => {
    const file = { text };
    const { document: mapping, problems } = (await ask('orderTable', { file })) as {
      document: object;
      problems: Said[];
    };
    said.push(...problems.map(({ message }) => message));
    if (problems.length > 0) return;
    const answer = (await ask('importOrders', { file, mapping, dryRun: true, goodRows: false })) as Sent;
    said.push(
      ...answer.problems.map(({ message }) => message),
      ...answer.leftOut.map(({ reason }) => reason),
      ...answer.remarks,
    );
  };
  await read(FAULTS);
  await read('Rif;Dove\nA1;Via Roma 1');
  await read('Numero ordine;Nome\nA1;Via Roma 1');
  await read('Numero ordine;Indirizzo;CAP;Città\nA1;Via Roma 1;10121;Torino');
  await read('');
  expect(said.length).toBeGreaterThan(25);
  expect(said.filter(message => inWords(message) === message)).toEqual([]);
});

interface Said {
  readonly message: string;
}
interface Sent {
  readonly problems: readonly Said[];
  readonly leftOut: readonly { readonly reason: string }[];
  readonly remarks: readonly string[];
  readonly orderIds: readonly string[];
}

test('The import page prices the orders of its file, in the order of the file, and says what each lacks', async () => {
  const { apiKey } = await world.company();
  const { ask, askAll } = await questions(apiKey);
  reachService();
  const file = { text: 'Numero ordine;Indirizzo;CAP;Città\nZ-1;Via Roma 1;10121;Torino\nA-2;Via Po 2;20121;Milano' };
  const { document: mapping } = (await ask('orderTable', { file })) as { document: object };
  const sent = { file, mapping, dryRun: false, goodRows: false };
  const { orderIds } = (await ask('importOrders', sent)) as Sent;
  expect(((await ask('importOrders', sent)) as Sent).orderIds).toEqual(orderIds);
  expect(((await ask('importOrders', { ...sent, dryRun: true })) as Sent).orderIds).toEqual([]);
  const { nodes, quoteOrders } = (await askAll('prices', { ids: orderIds, language: 'IT' })) as {
    readonly nodes: readonly { readonly orderNumber: string }[];
    readonly quoteOrders: readonly { readonly errors: readonly Said[] }[];
  };
  expect(nodes.map(({ orderNumber }) => orderNumber)).toEqual(['Z-1', 'A-2']);
  expect(quoteOrders.map(({ errors }) => errors[0]?.message)).toEqual([
    expect.stringMatching(/cannot be quoted: .*warehouseId is missing/),
    expect.stringMatching(/cannot be quoted: .*warehouseId is missing/),
  ]);
});

test('The import page says so if the invoice with the requested claims no longer exists', async () => {
  const { apiKey } = await world.company();
  const { ask } = await questions(apiKey);
  reachService();
  for (const name of ['invoice', 'claims'])
    await expect(ask(name, { id: '1', language: 'IT' })).rejects.toThrow('gone');
});

test('The import page asks only for fields that the schema has', async () => {
  const { DOCUMENTS } = await questions('');
  const wrong = Object.entries(DOCUMENTS).flatMap(([name, text]) =>
    validate(SCHEMA, parse(text)).map(({ message }) => `${name}: ${message}`),
  );
  expect(wrong).toEqual([]);
  expect(Object.keys(DOCUMENTS).length).toBeGreaterThan(10);
});

test('The import page loads every module that it imports', async () => {
  const known = new Set<string>();
  const follow = async (name: string): Promise<void> => {
    if (known.has(name)) return;
    known.add(name);
    const script = await scriptOf(name);
    for (const [, next = ''] of script.matchAll(/from '\.\/([\w-]+\.js)'/g)) await follow(next);
  };
  await follow('import.js');
  expect([...known]).toContain('api-key.js');
});
