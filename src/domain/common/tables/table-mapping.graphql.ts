import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { ErrorCodeEnum } from '../../../graphql/error-code.ts';
import type { LeftOutRow } from './import-remarks.rules.ts';
import type { RowCounts } from './import-rows.service.ts';
import { LOCALES } from './locales.catalog.ts';
import type { ProblemFile } from './problem-file.service.ts';
import { cellsOf, type RowProblem } from './row-problem.rules.ts';
import { headerProblems, type MappingField, type ShownColumn, type ShownMapping } from './shown-mapping.rules.ts';

/** Tables that clients send: the reading of their columns, and the problems of their rows. */

enumType<string>(
  'TableLocale',
  'How numbers and days are written in a table.',
  Object.fromEntries(
    Object.entries(LOCALES).map(([name, { decimals, dates }]) => [
      name,
      `${decimals === 'comma' ? '1.234,56' : '1,234.56'} and ${dates === 'day_first' ? '31/12/2026' : '12/31/2026'}.`,
    ]),
  ),
);

export const TableProblemRef = builder.objectRef<RowProblem>('TableProblem').implement({
  description: 'One thing wrong with a row of a table.',
  fields: t => ({
    sheet: t.exposeString('sheet', { nullable: true, description: 'The sheet. Null for a text.' }),
    row: t.exposeInt('row', { description: 'The row, as a spreadsheet counts it, from 1.' }),
    column: t.exposeString('column', { nullable: true, description: 'The column, such as `B`. Null for the row.' }),
    header: t.exposeString('header', { nullable: true, description: 'The name of the column.' }),
    value: t.exposeString('value', { nullable: true, description: 'The value of the cell, shortened.' }),
    cells: t.stringList({ description: 'All cells of the row, shortened. Empty for a header.', resolve: cellsOf }),
    pointer: t.exposeString('pointer', {
      description: 'RFC 6901 pointer into what the row is read as, such as `/recipient/city`. Empty for a header.',
    }),
    code: t.expose('code', { type: ErrorCodeEnum, description: 'What is wrong, for programs.' }),
    message: t.exposeString('message', { description: 'What is wrong, in words that follow the name of the cell.' }),
  }),
});

export const RowCountsRef = builder.objectRef<RowCounts>('TableRowCounts').implement({
  description: 'How many rows a table has below its header. Each is read, left out or wrong.',
  fields: t => ({
    total: t.exposeInt('total', { description: 'All rows that are not empty.' }),
    read: t.exposeInt('read', { description: 'Rows that were read, and are good.' }),
    leftOut: t.exposeInt('leftOut', { description: 'Rows that are nothing to import, such as totals.' }),
    wrong: t.exposeInt('wrong', { description: 'Rows with problems, or of a record with a problem.' }),
  }),
});

export const LeftOutRowRef = builder.objectRef<LeftOutRow>('TableLeftOutRow').implement({
  description: 'A row that is nothing to import.',
  fields: t => ({
    sheet: t.exposeString('sheet', { nullable: true, description: 'The sheet. Null for a text.' }),
    row: t.exposeInt('row', { description: 'The row, as a spreadsheet counts it, from 1.' }),
    reason: t.exposeString('reason', { description: 'Why, in words about the row, such as `it is a total`.' }),
    cells: t.stringList({ description: 'Its cells, shortened.', resolve: cellsOf }),
  }),
});

const ColumnRef = builder.objectRef<ShownColumn>('TableColumn').implement({
  description: 'A column of a table.',
  fields: t => ({
    field: t.nullable('String', 'The field that it is read as. Null if it is not read.', ({ field }) => field),
    ...t.columns('String', { column: 'The column, such as `B`.', header: 'Its name.' }),
    examples: t.exposeStringList('examples', { description: 'The first values below the header, three at most.' }),
  }),
});

const FieldRef = builder.objectRef<MappingField>('TableField').implement({
  description: 'What a column of a table can be read as.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name in a mapping.' }),
    label: t.exposeString('label', { description: 'A name for people.' }),
    description: t.exposeString('description', { description: 'What the column holds.' }),
  }),
});

export const TableMappingRef = builder.objectRef<ShownMapping>('TableMapping').implement({
  description: 'How the columns of a table are read.',
  fields: t => ({
    name: t.string({ description: 'Name of the mapping.', resolve: ({ mapping }) => mapping.name }),
    document: t.value(
      'JSON',
      'The mapping with the columns of the table. It can be changed, and sent as `mapping: { document: … }`.',
      ({ mapping }) => mapping,
    ),
    sheet: t.exposeString('sheet', { nullable: true, description: 'The sheet that is read. Null for a text.' }),
    headerRow: t.exposeInt('headerRow', { description: 'The row of the header.' }),
    columns: t.field({
      type: [ColumnRef],
      description: 'All columns, those that are read first. A column of several fields is there for each.',
      resolve: ({ columns }) => columns,
    }),
    fields: t.value([FieldRef], 'What columns can be read as.', ({ fields }) => fields),
    problems: t.field({
      type: [TableProblemRef],
      description: 'What keeps the table from being read, such as a column that is required. Empty if nothing does.',
      resolve: headerProblems,
    }),
  }),
});

export const ProblemFileRef = builder.objectRef<ProblemFile>('TableProblemFile').implement({
  description: 'The rows of a table as they were read, with the problems of each row in a first column.',
  fields: t => ({
    base64: t.string({
      description: 'An `.xlsx` in Base64. Imports do not read its first column.',
      resolve: async file => (await file.workbook()).toString('base64'),
    }),
  }),
});
