// The parts of the page of imports, made of elements: texts of files and responses never become HTML.

import { fieldName, inWords, say, wordFor } from './import-words.js';

const MOST_ROWS = 100;
/** Columns that are not read, and are shown nonetheless. */
const FEW = 8;

/** An element with its properties; children are elements and texts. */
export function el(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter(child => child !== undefined && child !== null));
  return element;
}

export const p = (text, className = '') => el('p', { className }, text);

export function button(text, act, className = '') {
  return el('button', { type: 'button', textContent: text, className, onclick: act });
}

/** Puts content into a section and shows it; without any, the section is hidden. */
export function show(section, ...children) {
  section.replaceChildren(...children);
  section.hidden = children.length === 0;
}

/** A table that scrolls on a small screen. A cell is a text or an element. */
export function table(label, heads, rows, most = MOST_ROWS) {
  const head = el('tr', {}, ...heads.map(text => el('th', { scope: 'col', textContent: text })));
  const cellOf = (cell, at) => {
    const shownCell = el('td', {}, cell ?? '');
    // On a small screen, it stands before the cell.
    shownCell.dataset.head = heads[at];
    return shownCell;
  };
  const shown = rows.slice(0, most).map(cells => el('tr', {}, ...cells.map(cellOf)));
  const body = el('table', {}, el('thead', {}, head), el('tbody', {}, ...shown));
  const region = el('div', { className: 'table', tabIndex: 0 }, body);
  region.setAttribute('role', 'region');
  region.setAttribute('aria-label', label);
  if (rows.length <= most) return region;
  return el('div', {}, region, p(say('andMore', rows.length - most)));
}

export function facts(pairs) {
  const entries = pairs.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))]);
  return el('dl', { className: 'facts' }, ...entries);
}

/** What is wrong with a request: what the page says of its code, or else the message. */
export function faultText({ code, field, message }) {
  const known = wordFor('fault', code);
  if (known !== code) return known;
  return field === undefined ? inWords(message) : `${wordFor('input', field)}: ${inWords(message)}`;
}

/** Faults of a request: where they are in the file, and what is wrong. */
export function faultTable(faults) {
  const isPlaced = ({ row, sheet }) => row != null || sheet != null;
  const placed = faults.filter(isPlaced);
  const others = faults.filter(fault => !isPlaced(fault)).map(fault => p(faultText(fault), 'bad'));
  if (placed.length === 0) return el('div', {}, ...others);
  const hasSheets = placed.some(({ sheet }) => sheet != null);
  const rows = placed.map(({ sheet, row, column, message }) => [
    ...(hasSheets ? [sheet] : []),
    row,
    column,
    inWords(message),
  ]);
  const heads = [...(hasSheets ? ['sheet'] : []), 'row', 'column', 'problem'].map(name => say(name));
  return el('div', {}, ...others, table(say('problems'), heads, rows));
}

/** Problems beside the rows that they are in. */
export function problemTable(problems, columns) {
  const read = columns.filter(
    ({ field }, at) => field !== null && columns.findIndex(({ column }) => column === columns[at].column) === at,
  );
  const byRow = Map.groupBy(problems, ({ sheet, row }) => `${sheet ?? ''} ${row}`);
  const rows = [...byRow.values()].map(ofRow => {
    const [{ row, cells }] = ofRow;
    const messages = ofRow.map(({ header, pointer, message }) => {
      const name = pointer.slice(1).replaceAll('/', '.');
      return el('li', {}, el('strong', {}, `${header ?? fieldName({ name, label: name })} `), inWords(message));
    });
    const shown = read.map(({ column }) => {
      const text = cells[indexOf(column)] ?? '';
      const isWrong = ofRow.some(problem => problem.column === column);
      return isWrong ? el('mark', {}, text || say('empty')) : text;
    });
    return [String(row), el('ul', { className: 'problems' }, ...messages), ...shown];
  });
  return table(say('wrongRows'), [say('row'), say('problem'), ...read.map(({ header }) => header)], rows);
}

/** `AB` is 27. */
function indexOf(column) {
  return [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The columns of a file, each with a drop-down of what it is read as. Those that are not read are folded away. */
export function columnTables({ columns, fields, problems }, onChange) {
  const rowOf = ({ column, header, examples, field }) => {
    const options = [{ name: '', label: say('notRead') }, ...fields].map(one =>
      el('option', { value: one.name, textContent: fieldName(one), selected: one.name === (field ?? '') }),
    );
    const select = el('select', { onchange: onChange }, ...options);
    select.dataset.header = header;
    select.setAttribute('aria-label', say('readAsOf', header));
    return [column, header, examples.filter(text => text !== '').join(' · '), select];
  };
  const inOrder = columns.toSorted((one, other) => indexOf(one.column) - indexOf(other.column));
  const [read, others] = [inOrder.filter(({ field }) => field !== null), inOrder.filter(({ field }) => field === null)];
  const heads = ['column', 'header', 'firstValues', 'readAs'].map(name => say(name));
  const tableOf = (label, some) => table(label, heads, some.map(rowOf), some.length);
  const folded = el(
    'details',
    { open: problems.length > 0 || others.length <= FEW },
    el('summary', {}, say('columnsNotRead', others.length)),
    tableOf(say('notRead'), others),
  );
  return [...(read.length > 0 ? [tableOf(say('columns'), read)] : []), ...(others.length > 0 ? [folded] : [])];
}

/** The choice in the drop-downs. */
export function chosenColumns(section) {
  return [...section.querySelectorAll('select[data-header]')]
    .filter(({ value }) => value !== '')
    .map(({ value, dataset }) => ({ header: dataset.header, field: value }));
}

/** Asks a question about what follows. @returns whether the answer is yes */
export function confirmed(question, details, yes) {
  const { promise, resolve } = Promise.withResolvers();
  const answer = text => button(text, () => dialog.close(text === yes ? 'yes' : ''), text === yes ? 'main' : '');
  const actions = el('p', { className: 'actions' }, answer(say('cancel')), answer(yes));
  const dialog = el('dialog', { className: 'question' }, el('h2', {}, question), ...details, actions);
  dialog.addEventListener('close', () => {
    dialog.remove();
    resolve(dialog.returnValue === 'yes');
  });
  document.querySelector('main').append(dialog);
  dialog.showModal();
  return promise;
}

/** Has the browser save a file. */
export function save(name, parts, type) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
