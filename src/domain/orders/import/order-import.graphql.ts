import { builder } from '../../../graphql/builder.ts';
import { BATCH_ITEM, MUTATION } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { ErrorCodeEnum } from '../../../graphql/error-code.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { LOCALES } from '../../common/tables/locales.catalog.ts';
import type { RowProblem } from '../../common/tables/row-problem.rules.ts';
import { importOrdersInput } from './order-import.input.ts';
import { importSentOrders, MAX_SENT, type MappedOrders, type UsedColumn } from './order-import.service.ts';
import { ORDER_MAPPINGS, type OrderMappingName } from './order-mappings.catalog.ts';

enumType<OrderMappingName>('OrderMapping', {
  description: 'A mapping of the columns of orders that the service has.',
  values: Object.fromEntries(
    Object.values(ORDER_MAPPINGS).map(({ name, about }) => [name, { description: about }]),
  ) as Record<OrderMappingName, { description: string }>,
});

enumType('TableLocale', {
  description: 'How numbers and days are written in a table.',
  values: Object.fromEntries(
    Object.entries(LOCALES).map(([name, { decimals, dates }]) => [
      name,
      {
        description: `${decimals === 'comma' ? '1.234,56' : '1,234.56'} and ${dates === 'day_first' ? '31/12/2026' : '12/31/2026'}.`,
      },
    ]),
  ) as Record<keyof typeof LOCALES, { description: string }>,
});

const ProblemRef = builder.objectRef<RowProblem>('TableProblem').implement({
  description: 'One thing wrong with a row of a table.',
  fields: t => ({
    sheet: t.exposeString('sheet', { nullable: true, description: 'The sheet. Null for a text.' }),
    row: t.exposeInt('row', { description: 'The row, as a spreadsheet counts it, from 1.' }),
    column: t.exposeString('column', { nullable: true, description: 'The column, such as `B`. Null for the row.' }),
    header: t.exposeString('header', { nullable: true, description: 'The name of the column.' }),
    value: t.exposeString('value', { nullable: true, description: 'The value of the cell, shortened.' }),
    pointer: t.exposeString('pointer', { description: 'RFC 6901 pointer into the order, such as `/recipient/city`.' }),
    code: t.expose('code', { type: ErrorCodeEnum, description: 'What is wrong, for programs.' }),
    message: t.exposeString('message', { description: 'What is wrong, in words that follow the name of the cell.' }),
  }),
});

const ColumnRef = builder.objectRef<Omit<UsedColumn, 'field'> & { readonly field?: string }>('TableColumn').implement({
  description: 'A column of a table.',
  fields: t => ({
    field: t.string({
      nullable: true,
      description: 'The field that it is read as. Null if it is not read.',
      resolve: ({ field }) => field,
    }),
    column: t.exposeString('column', { description: 'The column, such as `B`.' }),
    header: t.exposeString('header', { description: 'Its name.' }),
    example: t.exposeString('example', { description: 'The first value below the header.' }),
  }),
});

const MappingRef = builder.objectRef<MappedOrders>('OrderTableMapping').implement({
  description: 'How the columns of a table of orders are read.',
  fields: t => ({
    name: t.string({ description: 'Name of the mapping.', resolve: ({ mapping }) => mapping.name }),
    document: t.field({
      type: 'JSON',
      description: 'The mapping, which can be changed and sent as `ownMapping`.',
      resolve: ({ mapping }) => mapping,
    }),
    sheet: t.exposeString('sheet', { nullable: true, description: 'The sheet that is read. Null for a text.' }),
    headerRow: t.exposeInt('headerRow', { description: 'The row of the header.' }),
    columns: t.field({
      type: [ColumnRef],
      description: 'All columns, those that are read first.',
      resolve: ({ used, ignored }) => [...used, ...ignored],
    }),
  }),
});

mutation('importOrders', {
  description: `Creates or updates orders from a table of at most ${MAX_SENT} orders: an \`.xlsx\`, a CSV or the export of a shop. All rows are checked first, and nothing is stored if one is wrong, unless \`acceptGoodRows\`.`,
  scope: 'orders:write',
  fields: importOrdersInput,
  payload: {
    created: { type: 'Int', description: 'How many orders were new.' },
    updated: { type: 'Int', description: 'How many changed.' },
    unchanged: { type: 'Int', description: 'How many existed already and did not change.' },
    rejected: { type: 'Int', description: 'How many are wrong.' },
    onlyChecked: {
      type: 'Boolean',
      description: 'Whether nothing was stored, because of `dryRun` or because an order is wrong.',
    },
    mapping: { type: MappingRef, description: 'How the table was read.' },
    problems: { type: [ProblemRef], description: 'What is wrong, by row: at most 1,000 problems.' },
  },
  complexity: MUTATION,
  resolve: ({ file, ...options }, { tenant, work }) =>
    importSentOrders(tenant, work, file, options, orders => work.spend(BATCH_ITEM * orders)),
});
