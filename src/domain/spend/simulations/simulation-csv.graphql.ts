import { builder } from '../../../graphql/builder.ts';
import { connectionOf, listPage } from '../../../graphql/lists.ts';
import { integerKey } from '../../../graphql/node-id.ts';
import { invalid } from '../../../platform/fault.ts';
import { SimulationRef } from './simulation.graphql.ts';
import { type CsvPage, countCsvPages, csvPages } from './simulation.repository.ts';
import { OF_SHIPMENTS } from './simulation-sums.graphql.ts';

const CsvPageRef = builder.objectRef<CsvPage>('SimulationCsvPage').implement({
  description: 'A part of the CSV of a simulation.',
  fields: t => ({
    ...t.columns('Int', { number: 'Counts the parts from 1.', shipments: 'Number of shipments in it.' }),
    csv: t.exposeString('csv', {
      description: 'Lines of the file. The first part begins with the header; all parts in their order are the file.',
    }),
  }),
});

const CsvPages = connectionOf(CsvPageRef);
const MAX_CSV_PAGES = 3;

builder.objectField(SimulationRef, 'csvPages', t =>
  t.field({
    type: CsvPages,
    description: `The shipments with all their prices as a CSV file, in parts; ${MAX_CSV_PAGES} a page at most.`,
    authScopes: OF_SHIPMENTS,
    args: {
      first: t.arg.int({ defaultValue: 1, description: `How many at most; 1 to ${MAX_CSV_PAGES}.` }),
      after: t.arg.string({ description: 'Only those after this cursor.' }),
    },
    complexity: ({ first }) => ({ multiplier: Math.min(first ?? 1, MAX_CSV_PAGES) }),
    resolve: ({ id }, { first, after }, { tenant }) => {
      if (first != null && first > MAX_CSV_PAGES) {
        const message = `must be from 1 to ${MAX_CSV_PAGES}`;
        throw invalid([{ path: ['first'], code: 'out_of_range', message }]);
      }
      const rows = { keyOf: ({ number }: CsvPage) => number, count: () => countCsvPages(tenant, id) };
      return listPage({ first: first ?? 1, after }, integerKey, rows, page => csvPages(tenant, id, page));
    },
  }),
);
