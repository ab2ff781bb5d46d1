import type { Feature } from '../../../feature.ts';

/** Prices of shipments on each connection. */
export const quotes: Feature = {
  graph: () =>
    Promise.all([
      import('./quote.graphql.ts'),
      import('./quote-list.graphql.ts'),
      import('./options.graphql.ts'),
      import('./after-shipment/after-shipment.graphql.ts'),
      import('./tariff-preview/tariff-preview.graphql.ts'),
    ]),
};
