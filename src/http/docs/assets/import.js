// The page of imports: a file is read, shown as it is understood, checked without storing anything, and imported.

import { checkedKey } from './api-key.js';
import { askAll, Rejected } from './import-graph.js';
import { invoiceSteps } from './import-invoice.js';
import { orderSteps } from './import-orders.js';
import { tariffSteps } from './import-tariff.js';
import { chosenColumns, columnTables, el, faultTable, p, show } from './import-view.js';
import { inWords, say, wordFor } from './import-words.js';

/** A request has 4 MiB, and Base64 takes a third more. */
const MAX_BYTES = 3_000_000;
const SLOW_AFTER_MS = 5_000;
const LANGUAGE_KEPT = 'shipping-integrations-language';

const form = document.querySelector('.import-form');
const [columns, check, result] = ['columns', 'check', 'result'].map(name => form.querySelector(`.import-${name}`));
const state = form.querySelector('.import-state');
const drop = form.querySelector('.drop');
const { kind, file: input, warehouse, connection, number, date, cod, mapping: named, locale } = form.elements;

let file;
/** The columns that a person has chosen, for the next file with the same columns, such as the corrected one. */
let remembered = [];
/** Only the last of several readings is shown. */
let run = 0;

/** What a kind of file needs, and how it is read, checked and imported. */
const STEPS = { orders: orderSteps, tariff: tariffSteps, invoice: invoiceSteps };

/** How shops and carriers spell their names. */
const SHOPS = {
  WOOCOMMERCE: 'WooCommerce',
  PRESTASHOP: 'PrestaShop',
  EBAY: 'eBay',
  EBAY_DE: 'eBay',
  BIGCOMMERCE: 'BigCommerce',
  FEDEX: 'FedEx',
  POSTE: 'Poste',
};

/** What the form says, for the steps of a kind. */
const given = () => ({
  file: { base64: file.base64 },
  name: file.name,
  connection: connection.value,
  number: number.value.trim(),
  date: date.value,
  codPayment: cod.value || null,
  mapping: named.value === '' ? null : { name: named.value },
  warehouse: warehouse.value || null,
  warehouseName: warehouse.selectedOptions[0]?.textContent,
  locale: locale.value === '' ? null : locale.value.toUpperCase(),
});

/** Why a file of this kind cannot be read yet, in one sentence. */
function missing() {
  const { state: key, text, scopes } = checkedKey();
  const { scope } = STEPS[kind.value];
  if (key === '') return say('noKey');
  if (key !== 'works') return text;
  if (!scopes.includes(scope)) return say('noScope', scope);
  if (kind.value === 'orders' || connection.value !== '') return undefined;
  if (!scopes.includes('carriers:read')) return say('noScope', 'carriers:read');
  return say(connection.length > 1 ? 'chooseConnection' : 'noConnection');
}

/** Carries one step out, and shows its faults in the place of its result. */
async function step(text, section, act) {
  const own = ++run;
  state.textContent = text;
  const slow = setTimeout(() => state.append(` ${say('slow')}`), SLOW_AFTER_MS);
  form.setAttribute('aria-busy', 'true');
  try {
    const shown = await act(() => own === run);
    if (own !== run || shown === undefined) return;
    show(section, ...shown);
    if (section !== result) return;
    // What was done is not offered again.
    for (const done of check.querySelectorAll('.once')) done.remove();
    result.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    if (own === run) show(section, el('h2', {}, say('notAccepted')), faultTable(error.faults));
  } finally {
    clearTimeout(slow);
    if (own === run) {
      state.textContent = '';
      form.removeAttribute('aria-busy');
    }
  }
}

function fits({ columns: ofFile }, chosen) {
  return chosen.length > 0 && chosen.every(({ header }) => ofFile.some(column => column.header === header));
}

/** Reads the file, shows its columns, and checks its rows if the columns are complete. */
async function read(chosen) {
  run++;
  show(check);
  show(result);
  if (file === undefined) return;
  const lacking = missing();
  state.textContent = lacking ?? '';
  if (lacking !== undefined) return show(columns);
  const steps = STEPS[kind.value];
  let mapping;
  if (steps.map === undefined) {
    show(columns);
    return checkRows();
  }
  await step(say('reading'), columns, async isCurrent => {
    let found = await steps.map(given(), chosen);
    if (chosen === undefined && fits(found, remembered)) found = await steps.map(given(), remembered);
    if (isCurrent()) mapping = found;
    return columnsOf(found);
  });
  if (mapping?.problems.length === 0) await checkRows(mapping);
}

function columnsOf(mapping) {
  const { name, sheet, headerRow, problems } = mapping;
  const shown = SHOPS[name] ?? (kind.value === 'orders' ? name[0] + name.slice(1).toLowerCase() : name);
  const known = wordFor('known', name);
  const of = known === name ? say(kind.value === 'orders' ? 'exportOf' : 'columnsAs', shown) : known;
  return [
    el('h2', {}, say('columns')),
    p(
      `${of} ${sheet === null ? say('headerIn', headerRow) : say('headerInSheet', headerRow, sheet)} ${say('changeColumns')}`,
    ),
    ...(problems.length > 0 ? [el('div', {}, ...problems.map(problemOfHeader))] : []),
    ...columnTables(mapping, () => {
      remembered = chosenColumns(columns);
      read(remembered);
    }),
  ];
}

function problemOfHeader({ column, header, message }) {
  return p(column === null ? inWords(message) : `${header ?? column}: ${inWords(message)}`, 'bad');
}

async function checkRows(mapping) {
  const steps = STEPS[kind.value];
  if (kind.value === 'invoice' && (number.value.trim() === '' || date.value === ''))
    return show(check, el('h2', {}, say('check')), p(say('numberAndDate'), 'bad'));
  /** Imports for good, and shows what came of it. */
  const act = { run: (text, work) => step(text, result, work) };
  await step(say('checking'), check, () => steps.check(given(), mapping, act));
}

async function take(chosenFile) {
  if (chosenFile === undefined) return;
  const { name, size } = chosenFile;
  form.querySelector('.drop-text').textContent = name;
  file = undefined;
  const wrong = size === 0 ? say('emptyFile') : size > MAX_BYTES ? say('tooLarge', (size / 1_000_000).toFixed(1)) : '';
  if (wrong !== '') {
    run++;
    for (const section of [columns, result]) show(section);
    state.textContent = '';
    show(check, el('h2', {}, say('notAccepted')), p(wrong, 'bad'));
    return;
  }
  file = { name, base64: await base64Of(chosenFile) };
  await read();
}

function base64Of(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

function fill(select, entries) {
  select.replaceChildren(...entries.map(([value, textContent]) => el('option', { value, textContent })));
}

/** Fills the drop-downs with what the company has, once its key works. */
async function useKey() {
  const { state: key, scopes } = checkedKey();
  if (key === 'works') {
    const can = { warehouses: scopes.includes('warehouses:read'), carriers: scopes.includes('carriers:read') };
    const found = await askAll('choices', can).catch(() => ({}));
    const warehouses = found.warehouses?.nodes ?? [];
    const connections = found.carrierConnections?.nodes ?? [];
    // The principal warehouse is the first, so that it is chosen.
    const first = warehouses.toSorted((one, other) => Number(other.isPrincipal) - Number(one.isPrincipal));
    fill(
      warehouse,
      first.length === 0 ? [['', say('noneYet')]] : first.map(one => [one.databaseId, `${one.name}, ${one.city}`]),
    );
    fill(connection, [
      ['', say(connections.length === 0 ? 'noneYet' : 'chooseOne')],
      ...connections.map(one => [one.id, `${one.carrierName}: ${one.label}`]),
    ]);
    if (connections.length === 1) connection.selectedIndex = 1;
    const names = found.__type?.enumValues ?? [];
    fill(named, [['', say('mostFit')], ...names.map(({ name }) => [name, wordFor('columnsOf', name)])]);
  }
  await read();
}

function showKind() {
  for (const part of form.querySelectorAll('[data-for]'))
    part.hidden = !part.dataset.for.split(' ').includes(kind.value);
}

/** The language that was chosen last is used from then on. */
function rememberLanguage() {
  const chosen = new URLSearchParams(location.search).get('lang');
  const kept = localStorage.getItem(LANGUAGE_KEPT);
  if (chosen !== null) localStorage.setItem(LANGUAGE_KEPT, document.documentElement.lang);
  else if (kept !== null && kept !== document.documentElement.lang) location.replace(`?lang=${kept}`);
}

for (const choice of kind) {
  choice.addEventListener('change', () => {
    showKind();
    remembered = [];
    read();
  });
}
named.addEventListener('change', () => {
  remembered = [];
  read();
});
const again = () => read(remembered.length > 0 ? remembered : undefined);
for (const field of [warehouse, connection, number, date, cod, locale]) field.addEventListener('change', again);
input.addEventListener('change', () => take(input.files[0]));
drop.addEventListener('dragover', event => {
  event.preventDefault();
  drop.classList.add('over');
});
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', event => {
  event.preventDefault();
  drop.classList.remove('over');
  take(event.dataTransfer.files[0]);
});
form.addEventListener('submit', event => event.preventDefault());
document.addEventListener('key-checked', useKey);
rememberLanguage();
showKind();
useKey();
