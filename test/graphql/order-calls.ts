// Orders as they are imported and read.
import { expect } from 'vitest';
import { ask } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';

interface Order {
  readonly id: number;
  readonly orderNumber: string;
  readonly updatedAt: string;
  readonly [field: string]: unknown;
}

const FIELDS = `id: databaseId orderNumber marketplace marketplaceOrderId marketplaceOrderNumber warehouse { id: databaseId }
  recipient { companyName address postalCode city province countryCode country }
  parcels { weight length width height quantity } codAmount insuranceAmount createdAt updatedAt`;

export async function ordersNumbered(caller: Caller, orderNumber: string): Promise<Order[]> {
  const { edges } = await ask<{ edges: { node: Order }[] }>(
    caller,
    `query ($filter: OrderFilter) { orders(filter: $filter) { edges { node { ${FIELDS} } } } }`,
    { filter: { orderNumber } },
  );
  return edges.map(({ node }) => node);
}

export async function orderNumbered(caller: Caller, orderNumber: string): Promise<Order> {
  const [found, ...others] = await ordersNumbered(caller, orderNumber);
  expect(others).toEqual([]);
  if (!found) throw new Error(`no order ${orderNumber}`);
  return found;
}

export const FULL = {
  marketplace: 'Amazon',
  marketplaceOrderId: 'A-1',
  marketplaceOrderNumber: '405-1',
  codAmount: '10.50',
  insuranceAmount: 200,
  parcels: [{ weight: 4, length: 40, width: '30.0', height: 30, quantity: 2 }, { weight: '0.250' }],
};
