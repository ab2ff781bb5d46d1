import type { Issue } from '../../../../platform/fault.ts';
import { type Cell, columnName, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { type MappedSheet, putField, rowFields } from '../../../common/tables/mapped-table.rules.ts';
import type { CellPlace, ImportedRow } from '../../../common/tables/row-problem.rules.ts';
import { misalignment } from '../../../common/tables/row-width.rules.ts';
import { LeftOutRows } from './left-out-rows.rules.ts';
import type { CellReader, ReadField } from './order-cells.rules.ts';
import type { OrderField } from './order-columns.catalog.ts';
import { parcelsInRows, parcelsOf, type RowParcel } from './order-parcels.rules.ts';

/**
 * Turns the rows of a table into orders. Rows that follow each other with the same order number are one order: its
 * parcels, or the items of a shop, which say nothing about parcels.
 */

const ORDER_WEIGHT: OrderField = 'order.totalWeight';

const CURRENCY: OrderField = 'order.currency';
/** Columns that say something about other columns, and are not fields of an order. */
const OF_TABLE: ReadonlySet<string> = new Set([ORDER_WEIGHT, CURRENCY]);
/** Fields of an order in EUR. */
const AMOUNTS = ['codAmount', 'insuranceAmount', 'goodsValue'] as const;

/** A row with its fields, and the column of each. */
interface OrderRow {
  readonly row: Row;
  readonly number: string;
  readonly fields: ReadonlyMap<string, ReadField>;
  readonly parcel: RowParcel | undefined;
  readonly issues: readonly Issue[];
  /** Why its cells do not stand below their names. */
  readonly misaligned?: ReturnType<typeof misalignment>;
  readonly otherPayment: string | undefined;
}

export function* readOrders(found: MappedSheet<OrderField>, cells: CellReader): Generator<ImportedRow> {
  const firstRows = new Map<string, number>();
  const leftOut = new LeftOutRows(found);
  const finish = (rows: OrderRow[]): ImportedRow => {
    const [first] = rows as [OrderRow];
    // A cell beside the header of a workbook has moved no other.
    const isAligned = rows.every(({ misaligned }) => misaligned === undefined || misaligned.at !== undefined);
    const order = isAligned ? joined(found, rows, cells.values) : misalignedOrder(found, rows);
    const before = first.number === '' ? undefined : firstRows.get(first.number);
    if (before === undefined) {
      firstRows.set(first.number, first.row.row);
      return order;
    }
    const message = `must stand directly below the other rows of its order, which begins in row ${before}`;
    return { ...order, issues: [...order.issues, { path: ['orderNumber'], code: 'duplicate', message }] };
  };
  let open: OrderRow[] = [];
  for (const row of found.allRows()) {
    const reason = leftOut.reasonOf(row);
    if (reason !== undefined) {
      yield { row: row.row, value: null, issues: [], leftOut: reason, placeOf: () => rowPlace(found.sheet.name, row) };
      continue;
    }
    const read = rowOf(found, cells, row);
    if (open[0] !== undefined && (read.number === '' || read.number !== open[0].number)) {
      yield finish(open);
      open = [];
    }
    open.push(read);
  }
  if (open.length > 0) yield finish(open);
}

function rowOf({ sheet, header }: MappedSheet<OrderField>, cells: CellReader, row: Row): OrderRow {
  const { fields, parcel, issues, otherPayment } = cells.read(row);
  const number = fields.get('orderNumber')?.value;
  const misaligned = misalignment(header.names, row.cells, sheet.name === null);
  const read = { row, number: typeof number === 'string' ? number : '', fields, parcel, issues, otherPayment };
  return misaligned ? { ...read, misaligned } : read;
}

/** The issue of each row whose cells do not stand below their names, and its place. The paths are equal, so they are compared by identity. */
function misplaced({ sheet, header }: MappedSheet<OrderField>, rows: readonly OrderRow[]): Map<Issue, CellPlace> {
  return new Map(
    rows.flatMap(({ row, misaligned }): [Issue, CellPlace][] => {
      if (!misaligned) return [];
      const { at, code, message } = misaligned;
      const place = at === undefined ? rowPlace(sheet.name, row) : cellPlace(sheet.name, header.label(at), row, at);
      return [[{ path: [], code, message }, place]];
    }),
  );
}

/** An order with a row that cannot be read by the header: it has no value, since any of its cells may be another. */
function misalignedOrder(found: MappedSheet<OrderField>, rows: readonly OrderRow[]): ImportedRow {
  const [first] = rows as readonly [OrderRow];
  const wrong = misplaced(found, rows);
  const places = new Map([...wrong].map(([{ path }, place]) => [path, place]));
  const placeOf = (path: Issue['path']) => places.get(path) ?? rowPlace(found.sheet.name, first.row);
  return { row: first.row.row, rows: rows.length, value: null, issues: [...wrong.keys()], placeOf };
}

/** Combines rows into one order. A field that two rows state in different ways is an error. */
function joined(found: MappedSheet<OrderField>, rows: readonly OrderRow[], values: CellReader['values']): ImportedRow {
  const [first] = rows as readonly [OrderRow];
  const { sheet, header, columns } = found;
  const value = rowFields();
  const beside = misplaced(found, rows);
  // Paths of issues that have a place of their own, compared by identity.
  const ownPlaces = new Map([...beside].map(([{ path }, at]) => [path, at]));
  const issues: Issue[] = [...beside.keys()];
  const conflicts = new Set<string>();
  const places = new Map<string, { readonly row: Row; readonly at: number }>();
  const place = (path: Issue['path'], row: Row, at: number) => places.set(path.join('.'), { row, at });
  const parcels: object[] = [];
  const stated = new Map<string, string>();
  const [orderWeight] = rows.flatMap(({ fields }) => {
    const { value: weight, at } = fields.get(ORDER_WEIGHT) ?? {};
    // Shops write 0 if their products have no weight.
    return typeof weight === 'string' && Number(weight) !== 0 && at !== undefined ? [{ value: weight, at }] : [];
  });
  const ofRows = parcelsInRows(
    rows.map(({ parcel }) => parcel),
    orderWeight,
  );
  for (const [i, { row, fields, issues: ofRow }] of rows.entries()) {
    const base = parcels.length;
    for (const issue of ofRow) {
      const [name, ...below] = issue.path;
      // Without a parcel, the row has only a number, which counts items and no parcels.
      if (name === 'parcel' && ofRows[i] === undefined) continue;
      const path = name === 'parcel' ? ['parcels', base, ...below] : pathOf(issue.path.join('.'));
      issues.push({ ...issue, path });
    }
    for (const [name, { value: content, at }] of fields) {
      // A cell that could not be read has a place and no content.
      const text = JSON.stringify(content) ?? '';
      const known = stated.get(name);
      if (known === undefined) {
        stated.set(name, text);
        place(pathOf(name), row, at);
        if (content !== undefined && !OF_TABLE.has(name)) putField(value, pathOf(name), content);
      } else if (known !== text && !conflicts.has(`${row.row} ${at}`)) {
        const path = pathOf(name);
        // One cell may have several fields, and several rows may conflict with the first.
        conflicts.add(`${row.row} ${at}`);
        ownPlaces.set(path, cellPlace(sheet.name, header.label(at), row, at));
        const message = `must be the same in all rows of the order, which begins in row ${first.row.row}`;
        issues.push({ path, code: 'conflict', message });
      }
    }
    const parcel = ofRows[i];
    if (parcel === undefined) continue;
    for (const [field, at] of parcel.at) place(['parcels', base, field], row, at);
    place(['parcels', base], row, [...parcel.at.values()][0] ?? 0);
    parcels.push(...parcelsOf(parcel));
  }
  issues.push(...otherCurrency(value, stated.get(CURRENCY)));
  for (const [name, content] of Object.entries(values)) {
    if (!stated.has(name)) putField(value, pathOf(name), content);
  }
  // The issues of a row without a place then name the columns of the place.
  value.recipient ??= {};
  if (parcels.length > 0 && stated.has('parcels')) {
    const message = 'must be left out, since the parcels have columns of their own';
    issues.push({ path: ['parcels'], code: 'conflict', message });
  } else if (parcels.length > 0) value.parcels = parcels;
  /** A missing field of a parcel is in its empty cell, or in none. */
  const missingIn = (row: Row, field: string | number | undefined): CellPlace => {
    const [at] = columns.get(`parcel.${field}` as OrderField)?.at ?? [];
    return at === undefined ? rowPlace(sheet.name, row) : cellPlace(sheet.name, header.label(at), row, at);
  };
  const placeOf = (path: Issue['path']): CellPlace => {
    const issuePlace = ownPlaces.get(path);
    if (issuePlace) return issuePlace;
    for (let length = path.length; length > 0; length--) {
      const known = places.get(path.slice(0, length).join('.'));
      if (known && length === 2 && path[0] === 'parcels' && path.length > 2) return missingIn(known.row, path[2]);
      if (known) return cellPlace(sheet.name, header.label(known.at), known.row, known.at);
      // An empty cell whose field is required.
      const [at] = columns.get(path.slice(0, length).join('.') as OrderField)?.at ?? [];
      if (at !== undefined) return cellPlace(sheet.name, header.label(at), first.row, at);
    }
    return rowPlace(sheet.name, first.row);
  };
  const otherPayment = rows.find(row => row.otherPayment !== undefined)?.otherPayment;
  return {
    row: first.row.row,
    rows: rows.length,
    value,
    issues: value.codAmount === undefined ? issues : issues.filter(issue => !isMissingAmount(issue)),
    placeOf,
    ...(otherPayment !== undefined && { otherPayment }),
    assumed: assumedOf(found, stated, values, value.parcels !== undefined),
  };
}

/** The defaults of an order whose cells of a column are empty, each as the beginning of a sentence. */
function assumedOf(
  { header, columns }: MappedSheet<OrderField>,
  stated: ReadonlyMap<string, string>,
  values: CellReader['values'],
  hasParcels: boolean,
): string[] {
  const [country] = columns.get('recipient.countryCode')?.at ?? [];
  const [weight] = ['parcel.weight', 'parcel.grams', 'parcel.totalWeight', ORDER_WEIGHT].flatMap(
    field => columns.get(field as OrderField)?.at ?? [],
  );
  const isItaly = !stated.has('recipient.countryCode') && values['recipient.countryCode'] === undefined;
  return [
    ...(country !== undefined && isItaly ? [`Orders without ${header.label(country)} are in Italy`] : []),
    ...(weight !== undefined && !hasParcels && !stated.has('parcels')
      ? [`Orders without ${header.label(weight)} have the default parcel of the company`]
      : []),
  ];
}

/** Amounts of an order whose currency, as JSON, is not the euro. */
function otherCurrency(order: Readonly<Record<string, unknown>>, stated: string | undefined): Issue[] {
  const currency = stated ? String(JSON.parse(stated)) : '';
  if (currency === '' || EURO.test(currency)) return [];
  const message = `must be in EUR, and the currency of the order is ${currency}`;
  return AMOUNTS.filter(field => Number(order[field] ?? 0) !== 0).map(
    (field): Issue => ({ path: [field], code: 'not_allowed', message }),
  );
}

const EURO = /^(?:€|eur|euro|euros)$/i;

/** An amount that stands in another row of the order. */
function isMissingAmount({ path, code }: Issue): boolean {
  return path[0] === 'codAmount' && code === 'required';
}

function rowPlace(sheet: string | null, row: Row): CellPlace {
  return { sheet, ...row, column: null, header: null, value: null };
}

function cellPlace(sheet: string | null, header: string, { row, cells }: Row, at: number): CellPlace {
  return { sheet, row, column: columnName(at), header, value: textOf(cells[at] as Cell | undefined), cells };
}

/** A key of metadata is one name, also with points in it. The weight of an order is the weight of its parcel. */
function pathOf(field: string): string[] {
  if (field === ORDER_WEIGHT) return ['parcels', '0', 'weight'];
  const [, key] = /^metadata\.(.+)$/s.exec(field) ?? [];
  return key === undefined ? field.split('.') : ['metadata', key];
}
