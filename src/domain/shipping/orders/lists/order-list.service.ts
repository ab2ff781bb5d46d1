import { directionOf, keyRangeOf, scannedPageOf, totalOf } from '../../../../platform/database/lists/index-scan.ts';
import { MAX_COUNT } from '../../../../platform/database/lists/page.ts';
import type { ScannedList } from '../../../../platform/database/lists/scanned-lists.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { COUNTED_THROUGH, LOOKED_THROUGH, rangeSince } from '../../../common/list-plan.rules.ts';
import { keyOf, trackingKey } from '../../../common/number.rules.ts';
import { provinceSpellings } from '../../../common/places/italy.rules.ts';
import { postalCodeSpellings } from '../../../common/places/postal-codes.rules.ts';
import type { OrderRow } from '../orders.repository.ts';
import type { OrderFilter } from './order-filter.input.ts';
import { countScannedOrders, type OrderConditions, scannedOrders } from './order-list.repository.ts';
import { marketplacesOf, type OrderOrder, orderPlan } from './order-list.rules.ts';

/** The list of orders for a filter and an order. @throws Fault `validation_failed` if no index serves it */
export function orderList(tenant: Tenant, filter: OrderFilter, order: OrderOrder | null): ScannedList<OrderRow> {
  const { scan, direction, range, checked } = orderPlan(filter, order, new Date());
  const conditions = conditionsOf(filter);
  const ranges = scan === 'marketplace' ? Math.max(1, conditions.marketplaces?.length ?? 1) : 1;
  return {
    sortedBy: scan === 'created' || scan === 'updated' ? scan : null,
    read: async page => {
      const keyRange = keyRangeOf(direction, range, page);
      const window = checked.length === 0 ? page.limit : Math.max(page.limit, Math.ceil(LOOKED_THROUGH / ranges));
      const asked = { scan, keyRange, window, conditions };
      return scannedPageOf(await scannedOrders(tenant, asked, directionOf(direction, page), page.limit));
    },
    count: async () => {
      const window = Math.min(MAX_COUNT + 1, Math.ceil(COUNTED_THROUGH / ranges));
      const keyRange = keyRangeOf(direction, range, { after: null, before: null });
      return totalOf(await countScannedOrders(tenant, { scan, keyRange, window, conditions }), window, MAX_COUNT);
    },
  };
}

function conditionsOf(filter: OrderFilter): OrderConditions {
  const { text = null, marketplaceOrderNumber = null } = filter;
  const updated = rangeSince(filter.updatedAt, filter.updatedSince);
  return {
    orderNumber: filter.orderNumber ?? null,
    marketplaceOrderNumber,
    // The index is on the normalized number.
    marketplaceOrderNumberKey: keyOf(marketplaceOrderNumber),
    trackingKeys: filter.trackingNumbers ? [...new Set(filter.trackingNumbers.map(trackingKey))] : null,
    text,
    textKey: keyOf(text),
    marketplaces: marketplacesOf(filter),
    recipient: filter.recipient ?? null,
    provinces: filter.provinces?.flatMap(provinceSpellings) ?? null,
    postalCodes: filter.postalCodes?.flatMap(postalCodeSpellings) ?? null,
    updatedFrom: updated.from ?? null,
    updatedTo: updated.to ?? null,
    createdFrom: filter.createdAt?.from ?? null,
    createdTo: filter.createdAt?.to ?? null,
  };
}
