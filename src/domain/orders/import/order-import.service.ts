import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { type Issue, invalid, requireNone } from '../../../platform/fault.ts';
import { checkInput } from '../../../platform/input.ts';
import { inTurns } from '../../../platform/limits/turns.ts';
import type { Work } from '../../../platform/limits/work.ts';
import { columnName, type Table, textOf } from '../../../platform/tables/sent-table.ts';
import { MAX_BATCH } from '../../common/batch.rules.ts';
import { type Imported, importRows } from '../../common/tables/import-rows.service.ts';
import { LOCALES, type Locale } from '../../common/tables/locales.catalog.ts';
import { findColumns, headersOf, type MappedSheet } from '../../common/tables/mapped-table.rules.ts';
import type { RowProblem } from '../../common/tables/row-problem.rules.ts';
import { readSentTable } from '../../common/tables/sent-file.service.ts';
import type { OrderInput } from '../orders.input.ts';
import { checkOrders, upsertOrders } from '../orders.service.ts';
import { CellReader } from './order-cells.rules.ts';
import { ORDER_COLUMNS, type OrderField } from './order-columns.catalog.ts';
import type { ImportOrdersInput } from './order-import.input.ts';
import { type OrderMapping, orderMapping } from './order-mapping.format.rules.ts';
import { ORDER_MAPPINGS, type OrderMappingName } from './order-mappings.catalog.ts';
import { readOrders } from './order-rows.rules.ts';

/** Imports orders from a table: finds the mapping, reads the rows by it, and checks all of them before any is stored. */

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

/** A field, and the column that it is read from. */
export interface UsedColumn {
  readonly field: string;
  readonly column: string;
  readonly header: string;
  /** The first value below the header. */
  readonly example: string;
}

/** The columns of a table as a mapping reads them. */
export interface MappedOrders {
  readonly mapping: OrderMapping;
  readonly sheet: string | null;
  readonly headerRow: number;
  readonly used: readonly UsedColumn[];
  /** Columns that are not read. */
  readonly ignored: readonly { readonly column: string; readonly header: string; readonly example: string }[];
  readonly orders: () => ReturnType<typeof readOrders>;
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

/** @throws Fault `validation_failed` if the table has not the columns of an order */
export function mapOrders(file: OrderFile, path: Path = []): MappedOrders {
  const given = file.mapping ?? detectedMapping(file.table);
  const mapping = {
    ...given,
    ...(file.locale && LOCALES[file.locale]),
    ...(file.sheet !== undefined && { sheet: file.sheet }),
  };
  const found = findColumns(
    file.table.sheets,
    mapping.columns as Parameters<typeof findColumns<OrderField>>[1],
    mapping,
  );
  if (found === undefined || !found.columns.has('orderNumber')) {
    const header = found?.header.names.filter(name => name !== '').join(', ') ?? '';
    const message = `must have a column with the number of the order, such as "Numero ordine" or orderNumber${header === '' ? '' : `; it has ${header}`}. A mapping says which it is`;
    throw invalid([{ path: [...path, ...(found ? [found.header.row] : [])], code: 'required', message }]);
  }
  const cells = new CellReader(found, mapping);
  const columns = columnsOf(found, cells.otherColumns);
  const wrong = [...missing(found), ...duplicates(found), ...wrongKeys(found), ...unknown(found, columns.ignored)];
  requireNone(wrong.map(issue => ({ ...issue, path: [...path, ...issue.path] })));
  const warehouseId = file.warehouseId === undefined ? {} : { warehouseId: String(file.warehouseId) };
  const values = { ...mapping.values, ...warehouseId };
  return {
    mapping,
    sheet: found.sheet.name,
    headerRow: found.header.row,
    ...columns,
    orders: () => readOrders(found, cells, values),
  };
}

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

function missing({ header, columns }: MappedSheet<OrderField>): Issue[] {
  if (columns.has('recipient.fullAddress')) return [];
  return ADDRESS.filter(field => !columns.has(field)).map((field): Issue => {
    const names = ORDER_COLUMNS[field].names.filter(name => typeof name === 'string').slice(0, 3);
    return {
      path: [header.row],
      code: 'required',
      message: `must have a column for ${field}, such as ${names.join(', ')}`,
    };
  });
}

function duplicates({ header, columns }: MappedSheet<OrderField>): Issue[] {
  return [...columns.values()].flatMap(found =>
    header.duplicatesOf(found).map((at): Issue => {
      const message = `must have another name: ${header.label(at)} is the name of two columns`;
      return { path: [header.row, columnName(at)], code: 'duplicate', message };
    }),
  );
}

/** A key of metadata stands behind a point, and once. */
function wrongKeys({ header }: MappedSheet<OrderField>): Issue[] {
  return header.names.flatMap((name, at): Issue[] => {
    const path = [header.row, columnName(at)];
    if (name === 'metadata.')
      return [{ path, code: 'required', message: `must name a key, such as metadata.channel, and is ${name}` }];
    const isAgain = name.startsWith('metadata.') && header.names.indexOf(name) < at;
    return isAgain ? [{ path, code: 'duplicate', message: `must have another name: ${name} is there twice` }] : [];
  });
}

/**
 * Columns that are not read are an error in a file of a program, which has the names of the fields: a mistyped name would
 * lose its field. A person's table has other columns too.
 */
function unknown({ header, columns }: MappedSheet<OrderField>, ignored: MappedOrders['ignored']): Issue[] {
  const isOfProgram = [...columns].every(([field, { at }]) => at.every(i => header.names[i] === field));
  if (!isOfProgram) return [];
  return ignored.map(({ column, header: name }): Issue => {
    const message = `must be the name of a field or of a key such as metadata.channel, and is ${name}`;
    return { path: [header.row, column], code: 'unknown_field', message };
  });
}

function columnsOf(found: MappedSheet<OrderField>, others: readonly number[]): Pick<MappedOrders, 'used' | 'ignored'> {
  const { header, columns } = found;
  const [first] = found.rows();
  const shown = (at: number) => ({
    column: columnName(at),
    header: header.label(at),
    example: textOf(first?.cells[at]),
  });
  const used = [...columns].flatMap(([field, { at }]) => at.map(i => ({ field, ...shown(i) })));
  const read = new Set([...[...columns.values()].flatMap(({ at }) => at), ...others]);
  const more = others.map(at => ({
    field: /^metadata\./.test(header.label(at)) ? header.label(at) : 'codAmount',
    ...shown(at),
  }));
  const ignored = header.names.flatMap((name, at) => (name === '' || read.has(at) ? [] : [shown(at)]));
  return { used: [...used, ...more], ignored };
}

/** The limit of one request, which has some seconds. The command line imports more. */
export const MAX_SENT = 5_000;
const MAX_PROBLEMS = 1_000;

type SentOrders = Imported & { readonly mapping: MappedOrders; readonly problems: readonly RowProblem[] };

/**
 * Imports the orders of a file that a client sent.
 *
 * @param onCount receives the number of orders before any is checked
 * @throws Fault `validation_failed` for a file that cannot be read
 */
export async function importSentOrders(
  tenant: Tenant,
  work: Work,
  file: ImportOrdersInput['file'],
  options: Omit<ImportOrdersInput, 'file'>,
  onCount: (orders: number) => void,
): Promise<Omit<SentOrders, 'isOnlyChecked' | 'read' | 'nextRow'> & { readonly onlyChecked: boolean }> {
  const { mapping: name, ownMapping, locale, sheet, warehouseId, dryRun, acceptGoodRows } = options;
  const own = ownMapping == null ? undefined : readOrderMapping(ownMapping, ['ownMapping']);
  const chosen = own ?? (name == null ? undefined : orderMappingNamed(name));
  const table = await readSentTable({ companyId: tenant.companyId, work }, file, ['file']);
  const mapping = mapOrders(
    {
      table,
      ...(chosen && { mapping: chosen }),
      ...(locale && { locale }),
      ...(sheet != null && { sheet }),
      ...(warehouseId != null && { warehouseId }),
    },
    ['file'],
  );
  let count = 0;
  for await (const _ of inTurns(tenant.companyId, mapping.orders())) {
    if (++count <= MAX_SENT) continue;
    const message = `must have at most ${MAX_SENT} orders: divide it, or import it on the command line`;
    throw invalid([{ path: ['file'], code: 'too_many', message }]);
  }
  onCount(count);
  const problems: RowProblem[] = [];
  const onProblem = (problem: RowProblem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const { created, updated, unchanged, rejected, isOnlyChecked } = await importRows({
    dryRun,
    acceptGoodRows,
    onProblem,
    batchSize: MAX_BATCH,
    rows: () => inTurns(tenant.companyId, mapping.orders()),
    check: inputs => checkOrders(tenant, inputs as OrderInput[]),
    send: inputs => upsertOrders(tenant, inputs as OrderInput[]),
  });
  return { created, updated, unchanged, rejected, onlyChecked: isOnlyChecked, mapping, problems };
}
