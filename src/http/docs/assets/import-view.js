// The parts of the page of imports, made of elements: texts of files and responses never become HTML.

const MOST_ROWS = 100;
/** Columns that are not read, and are shown nonetheless. */
const FEW = 8;

/** An element with its properties; children are elements and texts. */
export function el(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter(child => child !== undefined && child !== null));
  return element;
}

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
  const shown = rows.slice(0, most).map(cells => el('tr', {}, ...cells.map(cell => el('td', {}, cell ?? ''))));
  const region = el(
    'div',
    { className: 'table', tabIndex: 0 },
    el('table', {}, el('thead', {}, head), el('tbody', {}, ...shown)),
  );
  region.setAttribute('role', 'region');
  region.setAttribute('aria-label', label);
  if (rows.length <= most) return region;
  return el('div', {}, region, el('p', { textContent: `… and ${rows.length - most} more.` }));
}

export function facts(pairs) {
  return el(
    'dl',
    { className: 'facts' },
    ...pairs.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))]),
  );
}

/** Faults of a request: where they are in the file, and what is wrong. */
export function faultTable(faults) {
  const placed = faults.filter(({ row, sheet }) => row != null || sheet != null);
  const others = faults
    .filter(fault => !placed.includes(fault))
    .map(({ message }) => el('p', { className: 'bad' }, message));
  if (placed.length === 0) return el('div', {}, ...others);
  const hasSheets = placed.some(({ sheet }) => sheet != null);
  const rows = placed.map(({ sheet, row, column, message }) => [...(hasSheets ? [sheet] : []), row, column, message]);
  return el(
    'div',
    {},
    ...others,
    table('Problems', [...(hasSheets ? ['Sheet'] : []), 'Row', 'Column', 'Problem'], rows),
  );
}

/** Problems beside the rows that they are in. */
export function problemTable(problems, columns) {
  const read = columns.filter(
    ({ field }, at) => field !== null && columns.findIndex(({ column }) => column === columns[at].column) === at,
  );
  const byRow = Map.groupBy(problems, ({ sheet, row }) => `${sheet ?? ''} ${row}`);
  const rows = [...byRow.values()].map(ofRow => {
    const [{ row, cells }] = ofRow;
    const messages = ofRow.map(({ header, pointer, message }) =>
      el('li', {}, el('strong', {}, `${header ?? pointer.split('/').at(-1)} `), message),
    );
    const shown = read.map(({ column }) => {
      const text = cells[indexOf(column)] ?? '';
      const isWrong = ofRow.some(problem => problem.column === column);
      return isWrong ? el('mark', {}, text || '(empty)') : text;
    });
    return [String(row), el('ul', { className: 'problems' }, ...messages), ...shown];
  });
  return table('Rows with problems', ['Row', 'Problem', ...read.map(({ header }) => header)], rows);
}

/** `AB` is 27. */
function indexOf(column) {
  return [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The columns of a file, each with a drop-down of what it is read as. Those that are not read are folded away. */
export function columnTables({ columns, fields, problems }, onChange) {
  const rowOf = ({ column, header, examples, field }) => {
    const options = [{ name: '', label: 'not read' }, ...fields].map(({ name, label, description = '' }) =>
      el('option', { value: name, textContent: label, title: description, selected: name === (field ?? '') }),
    );
    const select = el('select', { onchange: onChange }, ...options);
    select.dataset.header = header;
    select.setAttribute('aria-label', `What ${header} is read as`);
    return [column, header, examples.filter(text => text !== '').join(' · '), select];
  };
  const inOrder = columns.toSorted((one, other) => indexOf(one.column) - indexOf(other.column));
  const [read, others] = [inOrder.filter(({ field }) => field !== null), inOrder.filter(({ field }) => field === null)];
  const tableOf = (label, some) =>
    table(label, ['Column', 'Header', 'First values', 'Read as'], some.map(rowOf), some.length);
  const isOpen = problems.length > 0 || others.length <= FEW;
  const folded = el(
    'details',
    { open: isOpen },
    el('summary', {}, `${others.length} that are not read`),
    tableOf('Columns that are not read', others),
  );
  return [...(read.length > 0 ? [tableOf('Columns', read)] : []), ...(others.length > 0 ? [folded] : [])];
}

/** The choice in the drop-downs. */
export function chosenColumns(section) {
  return [...section.querySelectorAll('select[data-header]')]
    .filter(({ value }) => value !== '')
    .map(({ value, dataset }) => ({ header: dataset.header, field: value }));
}

/** Has the browser save a file. */
export function save(name, parts, type) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
