// Orders on the page of imports: columns, problems beside the rows, the import, and prices.

import { ask } from './import-graph.js';
import { button, el, facts, problemTable, save, table } from './import-view.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const orderSteps = {
  map: ({ file, locale }, columns = null) => ask('orderTable', { file, locale, columns }),
  check,
};

async function check(given, { document: mapping, columns }, act) {
  const { file, warehouse } = given;
  const sent = { file, mapping, warehouse };
  const checked = await ask('importOrders', { ...sent, dryRun: true, goodRows: false });
  const { rejected, problems } = checked;
  const start = goodRows => () => act.run('Importing …', () => imported(sent, goodRows));
  if (rejected === 0)
    return [
      el('h2', {}, '4. Check'),
      el('p', { className: 'good' }, 'All rows are good.'),
      ...rowsOf(checked),
      button('Import the orders', start(false), 'main'),
    ];
  const download = () => act.run('Writing the file …', () => saveProblems(sent, given.name));
  return [
    el('h2', {}, '4. Check'),
    el(
      'p',
      { className: 'bad' },
      `${rejected} ${rejected === 1 ? 'order is' : 'orders are'} wrong. Correct the file and choose it again, or import the others.`,
    ),
    ...rowsOf(checked),
    problemTable(problems, columns),
    el(
      'p',
      { className: 'actions' },
      button('Download the rows with their problems', download),
      button('Import the good orders', start(true)),
    ),
  ];
}

/** How many rows there are, which of them are no orders, and what was taken for granted. */
function rowsOf({ rows, leftOut, remarks }) {
  const { total, read, leftOut: left, wrong } = rows;
  const reasons = leftOut.map(({ row, reason, cells }) => [String(row), reason, cells.filter(Boolean).join(' · ')]);
  return [
    el(
      'p',
      { className: 'row-counts' },
      `Rows of the file: ${total}. Read: ${read}. No orders: ${left}. With problems: ${wrong}.`,
    ),
    ...remarks.map(remark => el('p', {}, remark)),
    ...(left > 0 ? [table('Rows that are no orders', ['Row', 'Why', 'Cells'], reasons)] : []),
  ];
}

async function saveProblems(sent, name) {
  const { problemFile } = await ask('problemFile', sent);
  const bytes = Uint8Array.from(atob(problemFile.base64), letter => letter.charCodeAt(0));
  save(`${name.replace(/\.[^.]+$/, '')}-problems.xlsx`, [bytes], XLSX);
  return [
    el(
      'p',
      {},
      'The file has the rows as they were read, with the problems in its first column. Correct it, and choose it here.',
    ),
  ];
}

async function imported(sent, goodRows) {
  const answer = await ask('importOrders', { ...sent, dryRun: false, goodRows });
  const { created, updated, unchanged, rejected } = answer;
  const prices = el('div');
  const showPrices = async () => {
    const shown = await priced().catch(({ message }) => [el('p', { className: 'bad' }, message)]);
    prices.replaceChildren(...shown);
  };
  return [
    el('h2', {}, '5. Imported'),
    facts([
      ['New', created],
      ['Changed', updated],
      ['As before', unchanged],
      ['Wrong', rejected],
    ]),
    ...rowsOf(answer),
    button('Show prices of the newest orders', showPrices, 'main'),
    prices,
    await parcelForm(showPrices),
  ];
}

const lacks = ({ message }) => message.replace(/^.* can be quoted: /, '');

/** The cheapest price of each of the newest orders, or what it lacks. */
async function priced() {
  const { nodes } = await ask('newestOrders');
  const outcomes = await ask('quoteOrders', { ids: nodes.map(({ id }) => id) });
  const rows = nodes.map(({ orderNumber, recipient }, i) => {
    const { quote, errors } = outcomes[i];
    const [cheapest] = quote?.items ?? [];
    if (cheapest)
      return [orderNumber, recipient.city, cheapest.carrierName, cheapest.totalPrice, cheapest.totalPriceWithVat];
    return [orderNumber, recipient.city, quote?.message ?? errors.map(lacks).join(' '), '', ''];
  });
  return [table('Prices', ['Order', 'To', 'Cheapest', 'EUR', 'EUR with VAT'], rows)];
}

const SIDES = { weight: 'Weight, kg', length: 'Length, cm', width: 'Width, cm', height: 'Height, cm' };

/** The default parcel of the company: exports of shops have no weights, and many tables no sides. */
async function parcelForm(showPrices) {
  const known = await ask('defaultParcel').catch(() => null);
  const fields = Object.entries(SIDES).map(([name, label]) => {
    const input = el('input', { name, inputMode: 'decimal', value: known?.[name] ?? '' });
    return [name, input, el('label', {}, `${label} `, input)];
  });
  const said = el('p');
  const set = async () => {
    const typed = fields.map(([name, { value }]) => [name, value.trim().replace(',', '.')]);
    const parcel = Object.fromEntries(typed.filter(([, text]) => text !== ''));
    try {
      await ask('setDefaultParcel', { parcel });
      said.textContent = '';
      await showPrices();
    } catch ({ message }) {
      Object.assign(said, { className: 'bad', textContent: message });
    }
  };
  return el(
    'details',
    { open: known === null },
    el('summary', {}, 'Default parcel, for orders without a weight or without sides'),
    el('div', { className: 'options' }, ...fields.map(([, , label]) => label)),
    button('Save it and show prices', set),
    said,
  );
}
