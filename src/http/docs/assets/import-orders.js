// Orders on the page of imports: columns, problems beside the rows, the import, and prices.

import { ask, askAll, Rejected } from './import-graph.js';
import { button, el, facts, faultText, p, problemTable, save, table } from './import-view.js';
import { inWords, LANGUAGE, say } from './import-words.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** As many as are quoted by one request. */
const AT_ONCE = 50;

export const orderSteps = {
  scope: 'orders:write',
  map: ({ file, locale }, columns = null) => ask('orderTable', { file, locale, columns }),
  check,
};

async function check(given, { document: mapping, columns }, act) {
  const { file, warehouse } = given;
  const sent = { file, mapping, warehouse };
  const checked = await ask('importOrders', { ...sent, dryRun: true, goodRows: false });
  const { rejected, problems, rows } = checked;
  const start = goodRows => () => act.run(say('importing'), () => imported(sent, goodRows));
  const first = [el('h2', {}, say('check')), ...rowsOf(checked)];
  if (rows.read + rows.wrong === 0) return [...first, p(say(rows.total === 0 ? 'noRows' : 'noOrders'), 'bad')];
  const granted = [originOf(given, columns), ...checked.remarks.map(inWords)];
  const parcel = hasParcels(columns) ? undefined : await knownParcel();
  if (parcel !== undefined) granted.push(parcel === null ? say('noParcel') : say('parcelIs', sizeOf(parcel)));
  const items = granted.map(text => el('li', {}, text));
  first.push(el('h3', {}, say('granted')), el('ul', {}, ...items));
  const correct = async () => {
    const saved = await knownParcel();
    if (saved !== null) items.at(-1).textContent = say('parcelIs', sizeOf(saved));
  };
  if (parcel === null) first.push(parcelForm(null, say('onlySaveParcel'), correct));
  if (rejected === 0)
    return [...first, p(say('allGood'), 'good'), button(say('importOrders'), start(false), 'main once')];
  return [
    ...first,
    p(say('ordersWrong', rejected), 'bad'),
    problemTable(problems, columns),
    p(say('problemsFile')),
    el(
      'p',
      { className: 'actions' },
      button(say('downloadProblems'), () => act.run(say('writing'), () => saveProblems(sent, given.name))),
      ...(rows.read > 0 ? [button(say('importGood'), start(true), 'once')] : []),
    ),
  ];
}

/** Whether the columns have a weight and sides. */
function hasParcels(columns) {
  const names = columns.map(({ field }) => field);
  const has = of => names.some(name => name === 'parcels' || of.test(name));
  return has(/weight|grams/i) && has(/length|size/);
}

function sizeOf({ weight, ...sides }) {
  const lengths = SIDES.map(name => sides[name]).filter(side => side !== null);
  return [`${weight} kg`, ...(lengths.length > 0 ? [`${lengths.join(' × ')} cm`] : [])].join(', ');
}

/** Where the orders are shipped from. */
function originOf({ warehouse, warehouseName }, columns) {
  if (warehouse === null) return say('noWarehouse');
  return say(
    columns.some(({ field }) => field === 'warehouseId') ? 'warehouseOfOthers' : 'warehouseOfAll',
    warehouseName,
  );
}

/** How many rows there are, and which of them are no orders. */
function rowsOf({ rows, leftOut }) {
  const { total, read, leftOut: left, wrong } = rows;
  const cells = leftOut.map(one => [String(one.row), inWords(one.reason), one.cells.filter(Boolean).join(' · ')]);
  return [
    facts([
      [say('rowsTotal'), total],
      [say('rowsRead'), read],
      [say('rowsLeftOut'), left],
      [say('rowsWrong'), wrong],
    ]),
    ...(left > 0
      ? [
          el('h3', {}, say('rowsLeftOut')),
          table(
            say('rowsLeftOut'),
            ['row', 'why', 'cells'].map(name => say(name)),
            cells,
          ),
        ]
      : []),
  ];
}

async function saveProblems(sent, name) {
  const { problemFile } = await ask('problemFile', sent);
  const bytes = Uint8Array.from(atob(problemFile.base64), letter => letter.charCodeAt(0));
  save(`${name.replace(/\.[^.]+$/, '')}-${say('problems').toLowerCase()}.xlsx`, [bytes], XLSX);
}

async function imported(sent, goodRows) {
  const answer = await ask('importOrders', { ...sent, dryRun: false, goodRows });
  const { created, updated, unchanged, rejected, orderIds } = answer;
  const prices = el('div', { ariaLive: 'polite' });
  const more = button(say('showPrices'), () => priced(orderIds, prices, more), 'main');
  const again = () => {
    prices.replaceChildren();
    return priced(orderIds, prices, more);
  };
  return [
    el('h2', {}, say('imported')),
    facts([
      [say('new'), created],
      [say('changed'), updated],
      [say('asBefore'), unchanged],
      ...(rejected > 0 ? [[say('notImported'), rejected]] : []),
    ]),
    ...(orderIds.length > 0 ? [prices, more, parcelForm(await knownParcel(), say('saveParcel'), again)] : []),
  ];
}

const cents = text => Math.round(Number(text) * 100);
const euros = sum => (sum / 100).toFixed(2);

/** Prices of the next orders of the file, below those that are shown, with the total of all. */
async function priced(ids, place, more) {
  const known = place.rows ?? [];
  if (place.childElementCount === 0) known.length = 0;
  more.disabled = true;
  try {
    const part = ids.slice(known.length, known.length + AT_ONCE);
    const { nodes, quoteOrders } = await askAll('prices', { ids: part, language: LANGUAGE });
    known.push(...nodes.map((order, i) => ({ order, ...quoteOrders[i] })));
    place.rows = known;
    place.replaceChildren(...pricesOf(known));
    more.textContent = say('morePrices');
    more.hidden = known.length >= ids.length;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    place.append(...error.faults.map(fault => p(faultText(fault), 'bad')));
  } finally {
    more.disabled = false;
  }
}

/** The cheapest price of each order, or what it lacks, and the total. */
function pricesOf(rows) {
  const found = rows.flatMap(({ quote }) => quote?.items?.[0] ?? []);
  const [net, gross] = ['totalPrice', 'totalPriceWithVat'].map(name =>
    euros(found.reduce((sum, one) => sum + cents(one[name]), 0)),
  );
  const cells = rows.map(({ order, quote, errors }) => {
    const place = [order?.orderNumber, order?.recipient.city];
    const [cheapest] = quote?.items ?? [];
    if (cheapest) return [...place, cheapest.carrierName, cheapest.totalPrice, cheapest.totalPriceWithVat];
    return [...place, el('span', { className: 'bad' }, quote?.message ?? errors.map(lacks).join(' ')), '–', '–'];
  });
  const heads = ['order', 'to', 'cheapest', 'priceNet', 'priceGross'].map(name => say(name));
  const total = say('total', found.length, rows.length, net, gross);
  return [el('h3', {}, say('prices')), p(total, 'total'), table(say('prices'), heads, cells, rows.length)];
}

/** What an order lacks, in sentences: the message names its place in the request, which nobody knows. */
function lacks({ message }) {
  const lacking = message.replace(/^.*? cannot be quoted: |\.$/gs, '').split('; ');
  return [...new Set(lacking.map(inWords))].join('; ');
}

const SIDES = ['length', 'width', 'height'];

/** The default parcel of the company; null if there is none, or the key may not read it. */
const knownParcel = () => ask('defaultParcel').catch(() => null);

/** Sets the default parcel: exports of shops have no weights, and many tables no sides. */
function parcelForm(known, text, saved) {
  const fields = ['weight', ...SIDES].map(name => {
    const input = el('input', { name, inputMode: 'decimal', value: known?.[name] ?? '' });
    return { name, input, label: el('label', {}, `${say(name)} `, input) };
  });
  const said = p('');
  const set = async () => {
    const typed = fields.map(({ name, input }) => [name, input.value.trim().replace(',', '.')]);
    said.textContent = '';
    try {
      await ask('setDefaultParcel', { parcel: Object.fromEntries(typed.filter(([, value]) => value !== '')) });
      Object.assign(said, { className: 'good', textContent: say('parcelSaved') });
      await saved();
    } catch (error) {
      Object.assign(said, { className: 'bad', textContent: error.faults?.map(faultText).join(' ') ?? error.message });
    }
  };
  return el(
    'details',
    { open: known === null },
    el('summary', {}, say('defaultParcel')),
    el('div', { className: 'options' }, ...fields.map(({ label }) => label)),
    button(text, set),
    said,
  );
}
