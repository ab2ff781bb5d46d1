import type { Sheet } from '../../../../platform/tables/sent-table.ts';
import { findColumns, likelyHeader, type MappedSheet } from '../../../common/tables/mapped-table.rules.ts';
import {
  type ChosenColumn,
  chosenColumn,
  type MappingField,
  type ReadAs,
  type ShownMapping,
  shownColumns,
} from '../../../common/tables/shown-mapping.rules.ts';
import {
  CHARGE_KINDS,
  type ChargeColumn,
  COLUMNS,
  type ColumnName,
  type InvoiceMapping,
  type MappedColumn,
  pairsOf,
} from './invoice-mapping.format.rules.ts';
import { InvoiceReader } from './invoice-reader.rules.ts';
import { withHeader } from './invoice-sheets.rules.ts';

/** The fields that columns of an invoice can be chosen for, and the mapping of such a choice. */

const AMOUNTS = 'charges.';
const [CHARGE_NAME, CHARGE_CODE, CHARGE_AMOUNT] = [`${AMOUNTS}name`, `${AMOUNTS}code`, `${AMOUNTS}amount`];
/** Discounts on the base price, and amounts whose names are in other columns. */
const [DISCOUNT, PAIR] = [`${AMOUNTS}discount`, `${AMOUNTS}pair`];

const FIELDS = {
  [CHARGE_NAME]: ['Name of the charge', 'The name of the charge of the row.'],
  [CHARGE_CODE]: ['Code of the charge', 'A code of the charge, such as its class.'],
  [CHARGE_AMOUNT]: ['Amount of the charge', 'The amount of the row, EUR before VAT.'],
  [DISCOUNT]: ['Discount', 'What is taken off the amount of the base price, EUR before VAT.'],
  [PAIR]: ['Amount with its name', 'An amount, its name or its code, each in a column of its own.'],
} as const;

function fieldNamed(name: string): MappingField {
  const [label = '', description = ''] = FIELDS[name as keyof typeof FIELDS] ?? [];
  return { name, label, description };
}

/** The subject of a column with amounts. */
type Meaning = Omit<ChargeColumn, 'column' | 'less'>;

function columnsOf({ charges }: InvoiceMapping): ChargeColumn[] {
  return 'name' in charges ? [] : charges.flatMap(one => ('pairs' in one ? [] : [one]));
}

/** The name of the field of a column with amounts, such as `charges.base` or `charges.surcharges+fuel`. */
function amountField({ kinds = [], lines = [] }: Meaning): string {
  return AMOUNTS + [...kinds, ...lines].join('+');
}

/** The meanings of columns with amounts, by their fields: each kind, and the combinations that the mapping has. */
function amountsOf(mapping: InvoiceMapping): ReadonlyMap<string, Meaning> {
  const combined = columnsOf(mapping).map(({ column: _, less: _less, ...meaning }) => meaning);
  const all = [...CHARGE_KINDS.map((kind): Meaning => ({ kinds: [kind] })), ...combined];
  return new Map(all.map(meaning => [amountField(meaning), meaning]));
}

export function invoiceFieldsOf(mapping: InvoiceMapping): MappingField[] {
  const facts = Object.entries(COLUMNS).map(([name, description]) => ({
    name,
    label: description.replace(/[,.:].*$/s, ''),
    description,
  }));
  if ('name' in mapping.charges) return [...facts, ...[CHARGE_NAME, CHARGE_CODE, CHARGE_AMOUNT].map(fieldNamed)];
  const amounts = [...amountsOf(mapping)].map(([name, { kinds = [], lines = [] }]) => {
    const covered = [...kinds, ...lines].join(', ').replaceAll('_', ' ');
    return { name, label: `Amount: ${covered}`, description: `The amount for ${covered}, EUR before VAT.` };
  });
  return [...facts, ...amounts, fieldNamed(DISCOUNT), ...(pairsOf(mapping).length > 0 ? [fieldNamed(PAIR)] : [])];
}

/** A mapping with the columns that were chosen, in place of all names that would do. It is not checked yet. */
export function withInvoiceColumns(mapping: InvoiceMapping, chosen: readonly ChosenColumn[]): InvoiceMapping {
  const facts = (Object.keys(COLUMNS) as ColumnName[]).flatMap(name => {
    const column = chosenColumn(chosen, name, mapping.columns[name]);
    return column === undefined ? [] : [[name, column] as const];
  });
  const columns = Object.fromEntries(facts) as InvoiceMapping['columns'];
  const { charges } = mapping;
  const headersOf = (field: string) => chosen.filter(one => one.field === field).map(({ header }) => header);
  if ('name' in charges) {
    const [name = charges.name, amount = charges.amount] = [CHARGE_NAME, CHARGE_AMOUNT].map(field =>
      chosenColumn(chosen, field, undefined),
    );
    const { codes: _, ...rows } = charges;
    const codes = headersOf(CHARGE_CODE);
    return { ...mapping, columns, charges: { ...rows, name, amount, ...(codes.length > 0 && { codes }) } };
  }
  const meanings = amountsOf(mapping);
  // Each column is an amount of its own, also where several are for one kind.
  const amounts = chosen.flatMap(({ header, field }) => {
    const meaning = meanings.get(field);
    return meaning ? [{ column: header, ...meaning }] : [];
  });
  const less = headersOf(DISCOUNT);
  const base = amounts.findIndex(({ kinds }) => kinds?.includes('base'));
  const pairs = headersOf(PAIR).length > 0 ? pairsOf(mapping) : [];
  const discounted = amounts.map((one, at) => (at === base && less.length > 0 ? { ...one, less } : one));
  return { ...mapping, columns, charges: [...discounted, ...pairs] };
}

/** The sheet, the header and the columns of an invoice. */
export function invoiceColumns(sheets: readonly Sheet[], mapping: InvoiceMapping): MappedSheet<string> | undefined {
  return findColumns<string>(sheets, { ...mapping.columns, ...chargeColumns(mapping) }, mapping);
}

/** The columns of charges, each by its field and a number that no other column has. */
function chargeColumns(mapping: InvoiceMapping): Record<string, MappedColumn> {
  const { charges } = mapping;
  if ('name' in charges) {
    const codes = (charges.codes ?? []).map((code, i) => [`${CHARGE_CODE} ${i}`, code]);
    return { [CHARGE_NAME]: charges.name, [CHARGE_AMOUNT]: charges.amount, ...Object.fromEntries(codes) };
  }
  const ofPairs = pairsOf(mapping).flatMap(({ pairs, sum }) => [
    ...pairs.flatMap(({ name, code, amount, less = [] }) => [name, ...(code ? [code] : []), amount, ...less]),
    ...(sum ? [sum] : []),
  ]);
  const named = [
    ...columnsOf(mapping).map(({ column, less: _, ...meaning }) => [amountField(meaning), column] as const),
    ...columnsOf(mapping).flatMap(({ less = [] }) => less.map(column => [DISCOUNT, column] as const)),
    ...ofPairs.map(column => [PAIR, column] as const),
  ];
  return Object.fromEntries(named.map(([field, column], i) => [`${field} ${i}`, column]));
}

/** Reads the header of an invoice; the issues name missing and duplicate columns. */
export function proposeInvoice(sent: readonly Sheet[], mapping: InvoiceMapping): ShownMapping {
  const sheets = withHeader(sent, mapping);
  const found = invoiceColumns(sheets, mapping) ?? likelyHeader<string>(sheets, mapping);
  const reader = new InvoiceReader(mapping, () => found?.rows() ?? []);
  reader.add({ row: found?.header.row ?? 1, cells: found?.header.names ?? [] });
  const read = [...(found?.columns ?? [])].flatMap(([name, { at }]): ReadAs[] =>
    at.map(i => ({ field: name.replace(/ \d+$/, ''), at: i })),
  );
  const columns = found ? shownColumns(found.header, found.rows(), read) : [];
  const chosen = columns.flatMap(({ field, header }) => (field === undefined ? [] : [{ field, header }]));
  return {
    mapping: withInvoiceColumns(mapping, chosen),
    sheet: found?.sheet.name ?? null,
    headerRow: found?.header.row ?? 1,
    columns,
    fields: invoiceFieldsOf(mapping),
    issues: reader.issues,
  };
}
