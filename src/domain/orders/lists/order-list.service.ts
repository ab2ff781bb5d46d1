import {
  type Count,
  directionOf,
  type PositionPage,
  stretchOf,
  totalOf,
  type WalkedPage,
  walkedPageOf,
} from '../../../platform/database/index-walk.ts';
import { MAX_COUNT } from '../../../platform/database/page.ts';
import type { Tenant } from '../../../platform/database/tenancy.ts';
import { LOOKED_THROUGH } from '../../list-plan.rules.ts';
import { keyOf, trackingKey } from '../../number.rules.ts';
import { provinceSpellings } from '../../places/italy.rules.ts';
import type { OrderRow } from '../orders.repository.ts';
import type { OrderFilter } from './order-filter.input.ts';
import { countWalkedOrders, type OrderConditions, walkedOrders } from './order-list.repository.ts';
import { type OrderOrder, orderPlan } from './order-list.rules.ts';

/** Lists of orders as their filters and orders ask for them. */
export interface OrderList {
  /** What the list is sorted by before the ids, for its cursors; null where by ids alone. */
  readonly sortedBy: string | null;
  readonly read: (page: PositionPage) => Promise<WalkedPage<OrderRow>>;
  readonly count: () => Promise<Count>;
}

/** @throws Fault `validation_failed` for what no index serves */
export function orderList(tenant: Tenant, filter: OrderFilter, order: OrderOrder | null): OrderList {
  const { walk, direction, range, checked } = orderPlan(filter, order, new Date());
  const conditions = conditionsOf(filter);
  return {
    sortedBy: walk === 'created' || walk === 'updated' ? walk : null,
    read: async page => {
      const stretch = stretchOf(direction, range, page);
      const window = checked.length === 0 ? page.limit : Math.max(page.limit, LOOKED_THROUGH);
      const asked = { walk, stretch, window, conditions };
      return walkedPageOf(await walkedOrders(tenant, asked, directionOf(direction, page), page.limit));
    },
    count: async () => {
      const window = MAX_COUNT + 1;
      const stretch = stretchOf(direction, range, { after: null, before: null });
      return totalOf(await countWalkedOrders(tenant, { walk, stretch, window, conditions }), window, MAX_COUNT);
    },
  };
}

function conditionsOf(filter: OrderFilter): OrderConditions {
  const { text = null, marketplaceOrderNumber = null } = filter;
  return {
    orderNumber: filter.orderNumber ?? null,
    marketplaceOrderNumber,
    // The index is on the normalized number.
    marketplaceOrderNumberKey: keyOf(marketplaceOrderNumber),
    trackingKeys: filter.trackingNumbers ? [...new Set(filter.trackingNumbers.map(trackingKey))] : null,
    text,
    textKey: keyOf(text),
    marketplace: filter.marketplace ?? null,
    recipient: filter.recipient ?? null,
    provinces: filter.provinces?.flatMap(provinceSpellings) ?? null,
    postalCodes: filter.postalCodes ?? null,
    updatedSince: filter.updatedSince ?? null,
    createdFrom: filter.created?.from ?? null,
    createdTo: filter.created?.to ?? null,
  };
}
