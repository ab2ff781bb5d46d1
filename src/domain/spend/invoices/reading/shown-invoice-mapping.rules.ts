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
  COLUMNS,
  type ColumnName,
  type InvoiceMapping,
  type MappedColumn,
} from './invoice-mapping.format.rules.ts';
import { InvoiceReader } from './invoice-reader.rules.ts';

/** The fields that columns of an invoice can be chosen for, and the mapping of such a choice. */

const AMOUNTS = 'charges.';
const [CHARGE_NAME, CHARGE_AMOUNT] = [`${AMOUNTS}name`, `${AMOUNTS}amount`];

/** The subject of a column with amounts. */
type Meaning = Omit<Exclude<InvoiceMapping['charges'], { readonly name: MappedColumn }>[number], 'column'>;

/** The name of the field of a column with amounts, such as `charges.base` or `charges.surcharges+fuel`. */
function amountField({ kinds = [], lines = [] }: Meaning): string {
  return AMOUNTS + [...kinds, ...lines].join('+');
}

/** The meanings of columns with amounts, by their fields: each kind, and the combinations that the mapping has. */
function amountsOf({ charges }: InvoiceMapping): ReadonlyMap<string, Meaning> {
  const own = 'name' in charges ? [] : charges.map(({ column: _, ...meaning }) => meaning);
  const all = [...CHARGE_KINDS.map((kind): Meaning => ({ kinds: [kind] })), ...own];
  return new Map(all.map(meaning => [amountField(meaning), meaning]));
}

export function invoiceFieldsOf(mapping: InvoiceMapping): MappingField[] {
  const facts = Object.entries(COLUMNS).map(([name, description]) => ({
    name,
    label: description.replace(/[,.:].*$/s, ''),
    description,
  }));
  if ('name' in mapping.charges)
    return [
      ...facts,
      { name: CHARGE_NAME, label: 'Name of the charge', description: 'The name or the code of the charge of the row.' },
      { name: CHARGE_AMOUNT, label: 'Amount of the charge', description: 'The amount of the row, EUR before VAT.' },
    ];
  const amounts = [...amountsOf(mapping)].map(([name, { kinds = [], lines = [] }]) => {
    const covered = [...kinds, ...lines].join(', ').replaceAll('_', ' ');
    return { name, label: `Amount: ${covered}`, description: `The amount for ${covered}, EUR before VAT.` };
  });
  return [...facts, ...amounts];
}

/** A mapping with the columns that were chosen, in place of all names that would do. It is not checked yet. */
export function withInvoiceColumns(mapping: InvoiceMapping, chosen: readonly ChosenColumn[]): InvoiceMapping {
  const facts = (Object.keys(COLUMNS) as ColumnName[]).flatMap(name => {
    const column = chosenColumn(chosen, name, mapping.columns[name]);
    return column === undefined ? [] : [[name, column] as const];
  });
  const columns = Object.fromEntries(facts) as InvoiceMapping['columns'];
  const { charges } = mapping;
  if ('name' in charges) {
    const [name = charges.name, amount = charges.amount] = [CHARGE_NAME, CHARGE_AMOUNT].map(field =>
      chosenColumn(chosen, field, undefined),
    );
    return { ...mapping, columns, charges: { ...charges, name, amount } };
  }
  const meanings = amountsOf(mapping);
  // Each column is an amount of its own, also where several are for one kind.
  const amounts = chosen.flatMap(({ header, field }) => {
    const meaning = meanings.get(field);
    return meaning ? [{ column: header, ...meaning }] : [];
  });
  return { ...mapping, columns, charges: amounts };
}

/** The sheet, the header and the columns of an invoice. */
export function invoiceColumns(sheets: readonly Sheet[], mapping: InvoiceMapping): MappedSheet<string> | undefined {
  return findColumns<string>(sheets, { ...mapping.columns, ...amountColumns(mapping) }, mapping);
}

/** The columns with amounts, by names that no other column of a mapping has. */
function amountColumns({ charges }: InvoiceMapping): Record<string, MappedColumn> {
  if ('name' in charges) return { [CHARGE_NAME]: charges.name, [CHARGE_AMOUNT]: charges.amount };
  return Object.fromEntries(charges.map(({ column }, i) => [`${AMOUNTS}${i}`, column]));
}

/** Reads the header of an invoice; the issues name missing and duplicate columns. */
export function proposeInvoice(sheets: readonly Sheet[], mapping: InvoiceMapping): ShownMapping {
  const found = invoiceColumns(sheets, mapping) ?? likelyHeader<string>(sheets, mapping);
  const reader = new InvoiceReader(mapping, () => found?.rows() ?? []);
  reader.add({ row: found?.header.row ?? 1, cells: found?.header.names ?? [] });
  const { charges } = mapping;
  const fieldOf = (name: string): string => {
    const charge = 'name' in charges ? undefined : charges[Number(name.slice(AMOUNTS.length))];
    return name.startsWith(AMOUNTS) && charge ? amountField(charge) : name;
  };
  const read = [...(found?.columns ?? [])].flatMap(([name, { at }]): ReadAs[] =>
    at.map(i => ({ field: fieldOf(name), at: i })),
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
