import { builder } from '../../../../graphql/builder.ts';
import { BATCH_ITEM, MUTATION } from '../../../../graphql/costs.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { inputType } from '../../../../graphql/input-type.ts';
import { mutation } from '../../../../graphql/mutation.ts';
import { query } from '../../../../graphql/query.ts';
import {
  LeftOutRowRef,
  ProblemFileRef,
  RowCountsRef,
  TableMappingRef,
  TableProblemRef,
} from '../../../common/tables/table-mapping.graphql.ts';
import { importOrdersInput, orderTableInput } from './order-import.input.ts';
import { importSentOrders, MAX_SENT } from './order-import.service.ts';
import { ORDER_MAPPINGS } from './order-mappings.catalog.ts';
import { proposeSentOrders } from './order-table.service.ts';

enumType<string>(
  'OrderMapping',
  'A mapping of the columns of orders that is built into the service.',
  Object.fromEntries(Object.values(ORDER_MAPPINGS).map(({ name, about }) => [name, about])),
);

query('orderTable', {
  type: TableMappingRef,
  nullable: true,
  description:
    'How `importOrders` would read the columns of a table. The columns can be chosen anew, one by one, and `document` is the mapping of the choice.',
  authScopes: { scope: 'orders:write' },
  args: builder.args(t => ({
    input: t.field({ type: inputType(orderTableInput), required: true, description: 'The table.' }),
  })),
  complexity: MUTATION,
  resolve: (_root, { input }, { tenant, work }) => proposeSentOrders(tenant, work, input),
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
    orderIds: {
      type: ['ID'],
      description: 'Global ids of the stored orders, in the order of the file. Empty if nothing was stored.',
    },
    mapping: { type: TableMappingRef, description: 'How the table was read.' },
    rows: { type: RowCountsRef, description: 'The rows of the table below its header.' },
    leftOut: {
      type: [LeftOutRowRef],
      description: 'The rows that are not orders, such as totals and cancelled orders: at most 1,000.',
    },
    remarks: {
      type: ['String'],
      description: 'Sentences about defaults, payments that are not cash on delivery, and sheets that were not read.',
    },
    problems: { type: [TableProblemRef], description: 'The errors by row: at most 1,000.' },
    problemFile: {
      type: ProblemFileRef,
      description: 'The rows with their problems, to be corrected and imported again.',
    },
  },
  complexity: MUTATION,
  resolve: ({ file, ...options }, { tenant, work }) =>
    importSentOrders(tenant, work, file, options, orders => work.spend(BATCH_ITEM * orders)),
});
