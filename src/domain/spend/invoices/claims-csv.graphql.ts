import { builder } from '../../../graphql/builder.ts';
import { MUTATION } from '../../../graphql/costs.ts';
import { numberNamed, numberSought } from '../../../graphql/node-id.ts';
import { lookUp, query } from '../../../graphql/query.ts';
import { INVOICE_SCOPE } from './invoices.graphql.ts';
import { type ClaimsCsvPart, claimsCsvPart } from './invoices.service.ts';

const ClaimsCsvRef = builder.objectRef<ClaimsCsvPart>('CarrierClaimsCsv').implement({
  description: 'A part of the CSV of claims.',
  fields: t => ({
    csv: t.exposeString('csv', {
      description: 'Lines of the file. The first part begins with the header; all parts in their order are the file.',
    }),
    endCursor: t.string({
      nullable: true,
      description: 'Where the next part begins, for `after`. Null if this is the last.',
      resolve: ({ next }) => next?.toString(),
    }),
  }),
});

query('carrierClaimsCsv', {
  type: ClaimsCsvRef,
  nullable: true,
  description:
    'What an invoice billed too much, as a CSV file for the carrier, as `invoice claims` of the command line writes it: 1,000 claims a part. Null if the company has no invoice with this id.',
  authScopes: { scope: INVOICE_SCOPE },
  args: builder.args(t => ({
    id: t.id({ required: true, description: 'Global id of the invoice, or its `databaseId`.' }),
    after: t.string({ description: 'Where the part begins: `endCursor` of the one before.' }),
  })),
  complexity: MUTATION,
  resolve: (_root, { id, after }, context) => {
    const last = after == null ? 0 : numberNamed('CarrierInvoiceFinding', after, ['after']);
    return lookUp(context, () => claimsCsvPart(context.tenant, numberSought('CarrierInvoice', id), last));
  },
});
