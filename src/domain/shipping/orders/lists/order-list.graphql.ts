import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { inputType } from '../../../../graphql/input-type.ts';
import { connectionOf, PAGE_ARGS, pageByPosition, pageCost } from '../../../../graphql/lists.ts';
import { query } from '../../../../graphql/query.ts';
import { OrderRef } from '../orders.graphql.ts';
import { orderFilter } from './order-filter.input.ts';
import type { OrderOrder } from './order-list.rules.ts';
import { orderList } from './order-list.service.ts';

const OrderOrderRef = enumType<OrderOrder>(
  'OrderOrder',
  'In which order orders are listed. Those that have the same time come by their ids.',
  {
    created_desc: 'The newest first.',
    created_asc: 'The oldest first.',
    updated_desc: 'The last changed first.',
    updated_asc: 'The earliest change first, to update a copy.',
  },
);

const OrderConnection = connectionOf(OrderRef);

query('orders', {
  type: OrderConnection,
  description:
    "The company's orders, 50 a page unless `first` (at most 250) says otherwise. A page can have fewer, or none, although `hasNextPage` is true, since a request examines a limited number of records. Continue from `endCursor`.",
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    ...PAGE_ARGS,
    filter: t.field({ type: inputType(orderFilter), description: 'Which orders.' }),
    orderBy: t.field({
      type: OrderOrderRef,
      description:
        'By default the newest first, and with `updatedAt` the last changed first. Beside `text`, `orderNumber`, `marketplaceOrderNumber` or `trackingNumbers`, only `CREATED_DESC` and `CREATED_ASC` are allowed.',
    }),
  })),
  complexity: pageCost,
  resolve: (_root, args, { tenant }) => {
    const { sortedBy, count, read } = orderList(tenant, args.filter ?? {}, args.orderBy ?? null);
    return pageByPosition(args, sortedBy, count, read);
  },
});
