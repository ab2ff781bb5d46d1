import type { Feature } from '../../../feature.ts';
import * as entities from './saved-quotes.entity.ts';

/** Quotes that are kept for shipments and checks of invoices. */
export const savedQuotes: Feature = {
  entities: [entities],
  graph: () => import('./save-quote.graphql.ts'),
};
