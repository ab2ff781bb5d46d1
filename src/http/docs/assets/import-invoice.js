// An invoice of a carrier on the page of imports: columns, what is wrong with its lines, and the claims.

import { ask } from './import-graph.js';
import { button, confirmed, el, facts, faultText, p, save, table } from './import-view.js';
import { inWords, LANGUAGE, say, wordFor } from './import-words.js';

const CHECK_EVERY_MS = 1_000;

export const invoiceSteps = {
  scope: 'carriers:manage',
  map: ({ file, connection, mapping, locale }, columns = null) =>
    ask('invoiceTable', { file, connection, mapping, locale, columns }),
  check,
};

async function check({ file, connection, number, date, codPayment }, { document: mapping }, act) {
  const sent = { file, connection, number, date, codPayment, mapping };
  const { lineCount, billed, rows, remarks } = await ask('importInvoice', { ...sent, dryRun: true, replace: true });
  const start = () => act.run(say('importing'), () => imported(sent));
  const left = rows.leftOut.map(({ reason, count, row }) => [String(count), String(row), inWords(reason)]);
  return [
    el('h2', {}, say('check')),
    facts([
      [say('rowsTotal'), rows.total],
      [say('rowsRead'), rows.read],
      [say('rowsLeftOutOfInvoice'), rows.total - rows.read],
      [say('lines'), lineCount],
      [say('billedNet'), `${billed} EUR`],
    ]),
    ...(left.length > 0
      ? [
          table(
            say('rowsLeftOutOfInvoice'),
            ['howManyRows', 'firstRow', 'why'].map(name => say(name)),
            left,
          ),
        ]
      : []),
    ...remarks.map(text => p(inWords(text))),
    p(say('isThatTheAmount')),
    button(say('importInvoice'), start, 'main once'),
  ];
}

async function imported(sent) {
  const stored = await storedOnce(sent);
  if (stored === undefined) return [el('h2', {}, say('claims')), p(say('isNotReplaced'))];
  const { id } = stored.carrierInvoice;
  const read = () => ask('invoice', { id, language: LANGUAGE });
  let invoice = await read();
  while (invoice.state !== 'CHECKED') {
    await new Promise(resolve => setTimeout(resolve, CHECK_EVERY_MS));
    invoice = await read();
  }
  return claimsOf(invoice);
}

/** Imports an invoice, and asks before it replaces another. */
async function storedOnce(sent) {
  try {
    return await ask('importInvoice', { ...sent, dryRun: false, replace: false });
  } catch (error) {
    if (!error.faults?.some(({ code }) => code === 'DUPLICATE')) throw error;
  }
  const isMeant = await confirmed(
    say('replaceInvoiceQuestion', sent.number),
    [p(say('replaceInvoiceDetails'))],
    say('replaceInvoice'),
  );
  return isMeant ? ask('importInvoice', { ...sent, dryRun: false, replace: true }) : undefined;
}

const nameOf = code => wordFor('finding', code);

function claimsOf({ id, number, lineCount, billed, overbilled, underbilled, notChecked, totals, findings }) {
  const found = findings.nodes.map(({ line, code, ...one }) => [
    line.number ?? '',
    nameOf(code),
    one.billed,
    one.due,
    one.amount,
    one.explanation,
  ]);
  const wrong = p('', 'bad');
  const download = async () => {
    wrong.textContent = '';
    await saveClaims(id, number).catch(({ faults, message }) =>
      wrong.append(faults?.map(faultText).join(' ') ?? message),
    );
  };
  const heads = ['shipment', 'finding', 'billed', 'due', 'difference', 'why'].map(name => say(name));
  return [
    el('h2', {}, say('claims')),
    facts([
      [say('lines'), lineCount],
      [say('billed'), `${billed} EUR`],
      [say('overbilled'), `${overbilled} EUR`],
      [say('underbilled'), `${underbilled} EUR`],
      [say('notChecked'), notChecked === null ? say('unknown') : `${notChecked} EUR`],
    ]),
    ...(found.length === 0
      ? [p(say('noFindings'), 'good')]
      : [
          table(
            say('findingsByKind'),
            ['finding', 'howMany', 'eur'].map(name => say(name)),
            totals.map(({ code, count, amount }) => [nameOf(code), String(count), amount]),
          ),
          table(say('findings'), heads, found),
          button(say('downloadClaims'), download, 'main'),
        ]),
    ...(findings.totalCount > found.length ? [p(say('firstOf', found.length, findings.totalCount))] : []),
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
