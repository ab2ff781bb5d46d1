import type { Feature } from '../../../feature.ts';
import * as defaultParcel from './default-parcel/default-parcel.entity.ts';
import * as entities from './orders.entity.ts';

/** Orders, and tables of them. */
export const orders: Feature = {
  entities: [entities, defaultParcel],
  graph: () =>
    Promise.all([
      import('./orders.graphql.ts'),
      import('./default-parcel/default-parcel.graphql.ts'),
      import('./import/order-import.graphql.ts'),
      import('./lists/order-list.graphql.ts'),
    ]),
};
