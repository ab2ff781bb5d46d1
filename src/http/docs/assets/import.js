// The page of imports: a file is read, shown as it is understood, checked without storing anything, and imported.

import { apiKey } from './api-key.js';
import { ask, Rejected } from './import-graph.js';
import { invoiceSteps } from './import-invoice.js';
import { orderSteps } from './import-orders.js';
import { tariffSteps } from './import-tariff.js';
import { chosenColumns, columnTables, el, faultTable, show } from './import-view.js';

/** A request has 4 MiB, and Base64 takes a third more. */
const MAX_BYTES = 3_000_000;

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

/** What the form says, for the steps of a kind. */
const given = () => ({
  file: { base64: file.base64 },
  name: file.name,
  connection: connection.value,
  number: number.value.trim(),
  date: date.value,
  codPayment: cod.value === '' ? null : cod.value,
  mapping: named.value === '' ? null : { name: named.value },
  warehouse: warehouse.value === '' ? null : Number(warehouse.value),
  locale: locale.value === '' ? null : locale.value.toUpperCase(),
});

function missing() {
  if (file === undefined) return 'Choose a file.';
  if (kind.value !== 'orders' && connection.value === '')
    return connection.length > 1
      ? 'Choose the carrier connection.'
      : 'The company has no carrier connection yet: see Carriers in the guide.';
  if (kind.value === 'invoice' && number.value.trim() === '') return 'Type the number of the invoice.';
  if (kind.value === 'invoice' && date.value === '') return 'Type the date of the invoice.';
  return undefined;
}

/** Carries one step out, and shows its faults in the place of its result. */
async function step(text, section, act) {
  const own = ++run;
  state.textContent = text;
  form.setAttribute('aria-busy', 'true');
  try {
    const shown = await act(() => own === run);
    if (own === run && shown !== undefined) show(section, ...shown);
    if (own === run && section === result) result.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    if (own === run) show(section, el('h2', {}, 'The file is not accepted'), faultTable(error.faults));
  } finally {
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
  show(check);
  show(result);
  const lacking = missing();
  if (lacking !== undefined) {
    show(columns);
    state.textContent = file === undefined ? '' : lacking;
    return;
  }
  const steps = STEPS[kind.value];
  let mapping;
  await step('Reading the file …', columns, async isCurrent => {
    if (steps.map === undefined) return [];
    let found = await steps.map(given(), chosen);
    if (chosen === undefined && fits(found, remembered)) found = await steps.map(given(), remembered);
    if (isCurrent()) mapping = found;
    return columnsOf(found);
  });
  if (steps.map !== undefined && (mapping === undefined || mapping.problems.length > 0)) return;
  await checkRows(mapping);
}

function columnsOf(mapping) {
  const { name, sheet, headerRow, problems } = mapping;
  const where = `${sheet === null ? '' : `sheet ${sheet}, `}header in row ${headerRow}`;
  return [
    el('h2', {}, '3. Columns'),
    el('p', {}, `Read as ${name}, ${where}. Change what a column is read as, if it is wrong.`),
    ...(problems.length > 0 ? [faultTable(problems)] : []),
    ...columnTables(mapping, () => {
      remembered = chosenColumns(columns);
      read(remembered);
    }),
  ];
}

async function checkRows(mapping) {
  const steps = STEPS[kind.value];
  const act = {
    /** Imports for good, and shows what came of it. */
    run: (text, work) => step(text, result, work),
    again: () => read(mapping === undefined ? undefined : chosenColumns(columns)),
  };
  await step('Checking the rows …', check, () => steps.check(given(), mapping, act));
}

async function take(chosenFile) {
  if (chosenFile === undefined) return;
  form.querySelector('.drop-text').textContent = chosenFile.name;
  file = undefined;
  if (chosenFile.size > MAX_BYTES) {
    show(columns);
    show(check, el('h2', {}, 'The file is too large'), el('p', { className: 'bad' }, tooLarge(chosenFile)));
    show(result);
    return;
  }
  file = { name: chosenFile.name, base64: await base64Of(chosenFile) };
  await read();
}

function tooLarge({ size }) {
  return `It has ${(size / 1_000_000).toFixed(1)} MB, and a request takes 3 MB. The command line imports larger files: see the guide.`;
}

function base64Of(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Fills the drop-downs with what the company has. */
async function fillOptions() {
  if (apiKey() === '') return;
  const nodesOf = name =>
    ask(name).then(
      ({ nodes }) => nodes,
      () => [],
    );
  const [warehouses, connections, mappings] = await Promise.all([
    nodesOf('warehouses'),
    nodesOf('connections'),
    ask('invoiceMappings').then(
      ({ enumValues }) => enumValues,
      () => [],
    ),
  ]);
  const options = (select, first, entries) =>
    select.replaceChildren(
      ...[['', first], ...entries].map(([value, textContent]) => el('option', { value, textContent })),
    );
  options(
    warehouse,
    warehouses.length === 0 ? 'none yet' : 'as the rows say',
    warehouses.map(({ databaseId, name, city }) => [databaseId, `${name}, ${city}`]),
  );
  options(
    connection,
    connections.length === 0 ? 'none yet' : 'choose one',
    connections.map(({ id, label, carrierName }) => [id, `${carrierName}: ${label}`]),
  );
  options(
    named,
    'whom most of them fit',
    mappings.map(({ name }) => [name, name]),
  );
  if (warehouses.length === 1) warehouse.selectedIndex = 1;
  if (connections.length === 1) connection.selectedIndex = 1;
  if (file !== undefined) await read();
}

function showKind() {
  for (const part of form.querySelectorAll('[data-for]'))
    part.hidden = !part.dataset.for.split(' ').includes(kind.value);
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
for (const field of [warehouse, connection, number, date, cod, locale]) field.addEventListener('change', () => read());
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
document.addEventListener('api-key', fillOptions);
showKind();
fillOptions();
