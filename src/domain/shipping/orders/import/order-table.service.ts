import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { type Issue, requireNone } from '../../../../platform/fault.ts';
import { checkInput } from '../../../../platform/input.ts';
import type { Work } from '../../../../platform/limits/work.ts';
import { columnName, type Table, textOf } from '../../../../platform/tables/sent-table.ts';
import { countryNamed } from '../../../common/places/country-names.rules.ts';
import { normalName } from '../../../common/tables/header-names.rules.ts';
import { hiddenUnread, noneRead, sheetsUnread } from '../../../common/tables/import-remarks.rules.ts';
import { LOCALES, type Locale } from '../../../common/tables/locales.catalog.ts';
import { findColumns, headersOf, likelyHeader, type MappedSheet } from '../../../common/tables/mapped-table.rules.ts';
import type { ReadRows } from '../../../common/tables/problem-file.service.ts';
import { PROBLEMS_COLUMN } from '../../../common/tables/row-problem.rules.ts';
import { readSentTable } from '../../../common/tables/sent-file.service.ts';
import {
  type ChosenColumn,
  type ShownColumn,
  type ShownMapping,
  shownColumns,
  unknownFields,
} from '../../../common/tables/shown-mapping.rules.ts';
import { CellReader } from './order-cells.rules.ts';
import { ORDER_COLUMNS, type OrderField } from './order-columns.catalog.ts';
import type { ImportOrdersInput, OrderTableInput } from './order-import.input.ts';
import { type OrderMapping, orderMapping } from './order-mapping.format.rules.ts';
import { ORDER_MAPPINGS, type OrderMappingName } from './order-mappings.catalog.ts';
import { readOrders } from './order-rows.rules.ts';
import { isOrderField, orderFieldsFor, withOrderColumns } from './shown-order-mapping.rules.ts';

/** Finds the mapping of a table of orders, and what its columns hold. */

export interface OrderFile {
  readonly table: Table;
  /** Without it, the export of a known shop or the known names. */
  readonly mapping?: OrderMapping;
  /** States how numbers and days are written, in place of the mapping. */
  readonly locale?: Locale;
  readonly sheet?: string;
  /** The warehouse of orders whose row names none. */
  readonly warehouseId?: number;
}

/** The columns of a table as a mapping reads them. */
export interface MappedOrders extends ShownMapping {
  readonly mapping: OrderMapping;
  readonly orders: () => ReturnType<typeof readOrders>;
  readonly read: ReadRows;
  /** Sentences about defaults, and about parts that were not read. */
  readonly remarks: readonly string[];
}

export type { OrderMapping } from './order-mapping.format.rules.ts';

type Path = readonly (string | number)[];

/** @throws Fault `validation_failed` */
export function readOrderMapping(value: unknown, path: Path = []): OrderMapping {
  const { data, issues } = checkInput(orderMapping, value);
  requireNone(issues.map((issue): Issue => ({ ...issue, path: [...path, ...issue.path] })));
  return data as OrderMapping;
}

export function orderMappingNamed(name: OrderMappingName): OrderMapping {
  const { signature: _, about: __, ...mapping } = ORDER_MAPPINGS[name];
  return mapping;
}

/** @throws Fault `validation_failed` if the table lacks the columns of an order */
export function mapOrders(file: OrderFile, path: Path = []): MappedOrders {
  const mapped = proposeOrders(file);
  const [last] = mapped.issues.slice(-1);
  requireNone(
    mapped.issues.map(issue => {
      const isLast = issue === last && mapped.columns.length > 0;
      const message = isLast ? `${issue.message}; ${noneRead(mapped.read.rows())}` : issue.message;
      return { ...issue, path: [...path, ...issue.path], message };
    }),
  );
  return mapped;
}

/** Reads the header of a table; the issues name missing and duplicate columns. */
function proposeOrders(file: OrderFile): MappedOrders {
  const given = file.mapping ?? detectedMapping(file.table);
  const mapping = {
    ...given,
    ...(file.locale && LOCALES[file.locale]),
    ...(file.sheet !== undefined && { sheet: file.sheet }),
  };
  const { sheets } = file.table;
  const known = findColumns(sheets, mapping.columns as Parameters<typeof findColumns<OrderField>>[1], mapping);
  const found = known ?? likelyHeader<OrderField>(sheets, mapping);
  if (found === undefined) {
    const empty: Issue = { path: [], code: 'required', message: 'must have a header and orders: the file has no rows' };
    return { ...NO_ROWS, mapping, fields: orderFieldsFor([]), issues: [empty] };
  }
  const warehouseId = file.warehouseId === undefined ? {} : { warehouseId: String(file.warehouseId) };
  const cells = new CellReader(found, { ...mapping, values: { ...mapping.values, ...warehouseId } });
  const read = [...found.columns].flatMap(([field, { at }]) => at.map(i => ({ field, at: i })));
  const columns = shownColumns(found.header, found.rows(), [...read, ...cells.otherColumns]);
  const ignored = columns.filter(({ field }) => field === undefined);
  const wrong = [
    ...missing(found, mapping),
    ...(mapping.repeated ? [] : duplicates(found)),
    ...wrongKeys(found),
    ...unreadCountries(found, mapping, ignored),
    ...unknown(found, ignored),
  ];
  return {
    mapping: withOrderColumns(mapping, chosenOf(columns)) as OrderMapping,
    sheet: found.sheet.name,
    headerRow: found.header.row,
    columns,
    fields: orderFieldsFor(columns),
    issues: found.columns.has('orderNumber') ? wrong : [withoutNumber(found, known !== undefined)],
    orders: () => readOrders(found, cells),
    read: { sheet: found.sheet.name, header: found.header.names, rows: () => found.allRows() },
    remarks: [...otherSheets(file.table, found, mapping), ...defaultsOf(found, mapping, cells.cash)],
  };
}

const NO_ROWS = {
  sheet: null,
  headerRow: 1,
  columns: [],
  *orders() {},
  read: { sheet: null, header: [], rows: () => [] },
  remarks: [],
};

const WEIGHTS = ['parcels', 'parcel.weight', 'parcel.grams', 'parcel.totalWeight', 'order.totalWeight'] as const;

/** The defaults that count because no column states their value. */
function defaultsOf(
  { header, columns }: MappedSheet<OrderField>,
  { values, cashOnDelivery: cash, name }: OrderMapping,
  reader: CellReader['cash'],
): string[] {
  const isItaly = !columns.has('recipient.countryCode') && values['recipient.countryCode'] === undefined;
  const isOwn = name === ('STANDARD' satisfies OrderMappingName);
  const [total] = reader?.amount?.at ?? [];
  const isUnpaid = cash !== undefined && reader === undefined && !isOwn && !columns.has('codAmount');
  return [
    ...(isItaly ? ['No column has the country: the orders are in Italy.'] : []),
    ...(WEIGHTS.some(field => columns.has(field))
      ? []
      : ['No column has a weight: the default parcel of the company counts.']),
    ...(isOwn && total !== undefined && !columns.has('codAmount')
      ? [`The cash on delivery of an order is its ${header.label(total)}.`]
      : []),
    ...(isUnpaid ? ['No column has the payment: no order has cash on delivery.'] : []),
  ];
}

/** Visible sheets with the columns of orders, of which one is read. */
function otherSheets(
  { sheets, hiddenSheets }: Table,
  found: MappedSheet<OrderField>,
  { columns, skip }: OrderMapping,
): string[] {
  const isOfOrders = (sheet: Table['sheets'][number]) => {
    const other = findColumns([sheet], columns as Parameters<typeof findColumns<OrderField>>[1], { skip });
    if (other === undefined || !other.columns.has('orderNumber')) return false;
    const [first] = other.rows();
    return first !== undefined && ADDRESS.some(field => other.columns.has(field));
  };
  const others = sheets.filter(sheet => sheet !== found.sheet && isOfOrders(sheet)).map(({ name }) => name);
  return [...sheetsUnread(found.sheet.name, others), ...hiddenUnread(hiddenSheets)];
}

function chosenOf(columns: readonly ShownColumn[]): ChosenColumn[] {
  return columns.flatMap(({ field, header }) => (field === undefined ? [] : [{ field, header }]));
}

/** @param isKnown whether the header has any column of the mapping, and is not only likely one */
function withoutNumber(found: MappedSheet<OrderField>, isKnown: boolean): Issue {
  const header = found.header.names
    .filter(name => name !== '')
    .join(', ')
    .slice(0, MAX_HEADER);
  const message = `must have a column with the number of the order, such as "Numero ordine" or orderNumber${header === '' ? '' : `; it has ${header}`}. A mapping says which it is`;
  return { path: isKnown ? [found.header.row] : [], code: 'required', message };
}

const MAX_HEADER = 1_000;

/** The mapping of the shop whose export it is, or the known names. */
function detectedMapping({ sheets }: Table): OrderMapping {
  const names = Object.keys(ORDER_MAPPINGS) as OrderMappingName[];
  for (const sheet of sheets) {
    for (const header of headersOf(sheet)) {
      const name = names.find(one => {
        const { signature } = ORDER_MAPPINGS[one];
        return signature.length > 0 && signature.every(column => header.find(column) !== undefined);
      });
      if (name !== undefined) return orderMappingNamed(name);
    }
  }
  return orderMappingNamed('STANDARD');
}

const ADDRESS = ['recipient.address', 'recipient.postalCode', 'recipient.city'] as const;

function missing({ header, columns }: MappedSheet<OrderField>, mapping: OrderMapping): Issue[] {
  if (columns.has('recipient.fullAddress')) return [];
  // Not every country has postal codes, so where rows name countries, each row is looked at.
  const isNeeded = (field: (typeof ADDRESS)[number]) =>
    !columns.has(field) && !(field === 'recipient.postalCode' && columns.has('recipient.countryCode'));
  return ADDRESS.filter(isNeeded).map((field): Issue => {
    const known = [mapping.columns[field] ?? ORDER_COLUMNS[field].names].flat();
    const names = known.map(name => (typeof name === 'string' ? name : name.all[0])).slice(0, 3);
    return {
      path: [header.row],
      code: 'required',
      message: `must have a column for ${field}, such as ${names.join(', ')}`,
    };
  });
}

function duplicates({ header, columns }: MappedSheet<OrderField>): Issue[] {
  // Several fields may have one column.
  const doubled = new Set([...columns.values()].flatMap(found => header.duplicatesOf(found)));
  return [...doubled].map((at): Issue => {
    const message = `must have another name: ${header.label(at)} is the name of two columns`;
    return { path: [header.row, columnName(at)], code: 'duplicate', message };
  });
}

/** Names of countries that are not where an order goes to. */
const OTHER_COUNTRY = /orig|made|prod|bill|invoice|fattur|rechnung|factur/i;
/** Names of columns below which a short text is the code of a country, and not of a province. */
const COUNTRY_NAME = /countr|nazion|paese|stato|land|pays|pa[ií]s/i;

/** Columns that have only countries, and one abroad, while none is read as the country: the orders are not in Italy. */
function unreadCountries(
  { header, columns, rows }: MappedSheet<OrderField>,
  { values }: OrderMapping,
  ignored: readonly ShownColumn[],
): Issue[] {
  if (columns.has('recipient.countryCode') || values['recipient.countryCode'] !== undefined) return [];
  const unread = new Set(ignored.map(({ header: name }) => name).filter(name => !OTHER_COUNTRY.test(name)));
  const abroad = new Map<number, string>(
    header.names.flatMap((name, at) => (unread.has(name) ? [[at, ''] as const] : [])),
  );
  for (const { cells } of rows()) {
    if (abroad.size === 0) break;
    for (const [at, known] of abroad) {
      const text = textOf(cells[at]);
      if (text === '') continue;
      const isShort = text.length <= 3 && !COUNTRY_NAME.test(header.names[at] ?? '');
      const code = isShort || text.length > LONGEST_COUNTRY ? undefined : countryNamed(text);
      if (code === undefined) abroad.delete(at);
      else if (known === '' && code !== 'IT') abroad.set(at, text);
    }
  }
  return [...abroad].flatMap(([at, text]): Issue[] => {
    const message = `must be read as recipient.countryCode, since it has countries such as ${text}: name it Country, or choose it in a mapping`;
    return text === '' ? [] : [{ path: [header.row, columnName(at)], code: 'required', message }];
  });
}

const LONGEST_COUNTRY = 100;

/** A key of metadata stands behind a point, and once. */
function wrongKeys({ header }: MappedSheet<OrderField>): Issue[] {
  return header.names.flatMap((name, at): Issue[] => {
    const path = [header.row, columnName(at)];
    if (name === 'metadata.')
      return [{ path, code: 'required', message: 'lacks a key behind the point, such as metadata.channel' }];
    const isAgain = name.startsWith('metadata.') && header.names.indexOf(name) < at;
    return isAgain ? [{ path, code: 'duplicate', message: `must have another name: ${name} is there twice` }] : [];
  });
}

/**
 * Columns that are not read are an error in a file of a program, which has the names of the fields: a mistyped name would
 * lose its field. A person's table has other columns too.
 */
function unknown({ header, columns }: MappedSheet<OrderField>, ignored: readonly ShownColumn[]): Issue[] {
  const isOfProgram = [...columns].every(([field, { at }]) => at.every(i => header.names[i] === field));
  if (!isOfProgram) return [];
  const others = ignored.filter(({ header: name }) => normalName(name) !== normalName(PROBLEMS_COLUMN));
  return others.map(({ column, header: name }): Issue => {
    const message = `is ${name}, which is neither a field nor a key such as metadata.channel`;
    return { path: [header.row, column], code: 'unknown_field', message };
  });
}

type TableOptions = Pick<ImportOrdersInput, 'mapping' | 'locale' | 'sheet'> &
  Partial<Pick<ImportOrdersInput, 'warehouseId'>>;

/** @throws Fault `validation_failed` for a file that cannot be read, or a wrong mapping */
export async function readSentOrders(
  tenant: Tenant,
  work: Work,
  file: ImportOrdersInput['file'],
  { mapping: chosen, locale, sheet, warehouseId }: TableOptions,
): Promise<OrderFile> {
  const { name, document } = chosen ?? {};
  const sentMapping = document == null ? undefined : readOrderMapping(document, ['mapping', 'document']);
  const mapping = sentMapping ?? (name == null ? undefined : orderMappingNamed(name));
  const table = await readSentTable({ companyId: tenant.companyId, work }, file, ['file']);
  return {
    table,
    ...(mapping && { mapping }),
    ...(locale && { locale }),
    ...(sheet != null && { sheet }),
    ...(warehouseId != null && { warehouseId }),
  };
}

/**
 * Reads the header of a file that a client sent.
 *
 * @param input its `columns` are read in place of the columns of the mapping
 * @throws Fault `validation_failed` for a file that cannot be read, or a wrong mapping
 */
export async function proposeSentOrders(tenant: Tenant, work: Work, input: OrderTableInput): Promise<ShownMapping> {
  const { file, columns, ...options } = input;
  const sent = await readSentOrders(tenant, work, file, options);
  const proposed = proposeOrders(sent);
  if (columns == null) return proposed;
  requireNone(unknownFields(columns, isOrderField).map(issue => ({ ...issue, path: ['columns', ...issue.path] })));
  return proposeOrders({ ...sent, mapping: { ...(withOrderColumns(proposed.mapping, columns) as OrderMapping) } });
}
