import type { OrderFields } from './orders.rules.ts';

/**
 * The order of a listed shipment. It is read with the shipment, whose row leads to it anyway: by a statement of its own
 * it took a tenth of a page. Its contents are long and seldom selected there, so they are not read with it.
 */

/** An order that may have been read without its contents. Times are milliseconds since 1970. */
export type OrderHead = { readonly [Field in keyof OrderFields]?: OrderFields[Field] | undefined } & {
  readonly id: number;
  readonly orderNumber: string;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** The columns of the order in the row of a shipment; all are null without an order. */
export interface OrderHeadColumns {
  readonly orderId: number | null;
  readonly orderNumber: string | null;
  readonly marketplaceOrderNumber: string | null;
  readonly orderMarketplace: string | null;
  readonly orderMarketplaceId: string | null;
  readonly orderWarehouseId: number | null;
  readonly orderCodAmount: string | null;
  readonly orderInsuranceAmount: string | null;
  readonly orderService: string | null;
  readonly orderGoodsValue: string | null;
  readonly orderCreatedAt: number | null;
  readonly orderUpdatedAt: number | null;
}

/** The order of a row. */
export function orderHead(row: OrderHeadColumns): OrderHead | null {
  const { orderId: id, orderNumber, orderCreatedAt: createdAt, orderUpdatedAt: updatedAt } = row;
  if (id === null || orderNumber === null || createdAt === null || updatedAt === null) return null;
  return {
    id,
    orderNumber,
    marketplace: row.orderMarketplace,
    marketplaceOrderId: row.orderMarketplaceId,
    marketplaceOrderNumber: row.marketplaceOrderNumber,
    warehouseId: row.orderWarehouseId,
    codAmount: row.orderCodAmount,
    insuranceAmount: row.orderInsuranceAmount,
    service: row.orderService,
    goodsValue: row.orderGoodsValue,
    createdAt,
    updatedAt,
  };
}
