// An invoice of a carrier on the page of imports: columns, what is wrong with its lines, and the claims.

import { ask } from './import-graph.js';
import { button, el, facts, save, table } from './import-view.js';

const CHECK_EVERY_MS = 1_000;

export const invoiceSteps = {
  map: ({ file, connection, mapping, locale }, columns = null) =>
    ask('invoiceTable', { file, connection, mapping, locale, columns }),
  check,
};

async function check({ file, connection, number, date, codPayment }, { document: mapping }, act) {
  const sent = { file, connection, number, date, codPayment, mapping };
  const { lineCount, billed, rows } = await ask('importInvoice', { ...sent, dryRun: true, replace: false });
  const replace = el('input', { type: 'checkbox' });
  const start = () => act.run('Importing …', () => imported({ ...sent, replace: replace.checked }));
  return [
    el('h2', {}, '4. Check'),
    facts([
      ['Rows of the file', rows.total],
      ['Rows that are read', rows.read],
      ['Lines', lineCount],
      ['Billed before VAT', `${billed} EUR`],
    ]),
    ...leftOut(rows),
    el('p', {}, 'Is that the amount of the invoice? If not, a column is read as something else.'),
    el('p', {}, el('label', {}, replace, ' Replace the invoice of the connection that has this number')),
    button('Import and check it', start, 'main'),
  ];
}

/** The rows that are no lines, with the reason. */
function leftOut({ leftOut: others }) {
  if (others.length === 0) return [];
  const cells = others.map(({ reason, count, row }) => [String(count), String(row), reason]);
  return [table('Rows that are no lines', ['Rows that are no lines', 'The first', 'Each is none because'], cells)];
}

async function imported(sent) {
  const { carrierInvoice } = await ask('importInvoice', { ...sent, dryRun: false });
  const { id } = carrierInvoice;
  let invoice = await ask('invoice', { id });
  while (invoice.state !== 'CHECKED') {
    await new Promise(resolve => setTimeout(resolve, CHECK_EVERY_MS));
    invoice = await ask('invoice', { id });
  }
  return claimsOf(invoice);
}

function claimsOf({ id, number, lineCount, billed, overbilled, underbilled, notChecked, totals, findings }) {
  const found = findings.nodes.map(one => [
    one.line.number ?? '',
    one.code,
    one.billed,
    one.due,
    one.amount,
    one.explanation || one.reason,
  ]);
  const wrong = el('p', { className: 'bad' });
  const download = async () => {
    wrong.textContent = '';
    await saveClaims(id, number).catch(({ message }) => wrong.append(message));
  };
  return [
    el('h2', {}, '5. Claims'),
    facts([
      ['Lines', lineCount],
      ['Billed', `${billed} EUR`],
      ['Billed too much', `${overbilled} EUR`],
      ['Billed too little', `${underbilled} EUR`],
      ['Not checked', notChecked === null ? 'unknown' : `${notChecked} EUR`],
    ]),
    table(
      'Findings by code',
      ['Code', 'How many', 'EUR'],
      totals.map(({ code, count, amount }) => [code, String(count), amount]),
    ),
    table('Findings', ['Shipment', 'Code', 'Billed', 'Due', 'Difference', 'Why'], found),
    el('p', {}, findings.totalCount > found.length ? `The first ${found.length} of ${findings.totalCount}.` : ''),
    button('Download the claims for the carrier', download, 'main'),
    wrong,
  ];
}

async function saveClaims(id, number) {
  const parts = ['\uFEFF'];
  for (let after = null; ; ) {
    const part = await ask('claims', { id, after });
    parts.push(part.csv);
    after = part.endCursor;
    if (after === null) break;
  }
  save(`claims-${number.replace(/[^\w-]+/g, '-')}.csv`, parts, 'text/csv');
}
