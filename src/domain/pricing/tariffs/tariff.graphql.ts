import { builder } from '../../../graphql/builder.ts';
import { TARIFF_DOCUMENT } from '../../../graphql/costs.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { integerKey, numberSought } from '../../../graphql/node-id.ts';
import { numberedNode } from '../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../graphql/query.ts';
import {
  CarrierConnectionRef,
  carrierConnectionOf,
  recordIdOfConnection,
} from '../../shipping/carriers/carriers.graphql.ts';
import { revisionDocument } from './revisions/revisions.service.ts';
import { countTariffs, listTariffs, type TariffRow, tariffById } from './tariff.repository.ts';
import { tariff } from './tariff.service.ts';

const TariffVersion = builder.objectRef<TariffRow['versions'][number]>('TariffVersion').implement({
  description: 'The prices of a period, which ends when the next one begins.',
  fields: t => ({
    label: t.exposeString('label', { description: 'Its name.' }),
    validFrom: t.expose('validFrom', { type: 'Date', description: 'Its first day.' }),
  }),
});

export const TariffRef = builder.objectRef<TariffRow>('Tariff').implement({
  description: 'What a carrier charges on a connection.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: 'Number of the tariff.' }),
    carrierConnectionId: t.id({
      description: 'Id of the carrier connection.',
      resolve: ({ carrierConnectionId }) => recordIdOfConnection(carrierConnectionId),
    }),
    carrierConnection: t.field({
      type: CarrierConnectionRef,
      description: 'The carrier connection.',
      authScopes: { scope: 'carriers:read' },
      resolve: ({ carrierConnectionId }, _args, context) => carrierConnectionOf(context, carrierConnectionId),
    }),
    name: t.exposeString('name', { description: 'Its name.' }),
    ...t.nullableColumns('Date', { validUntil: 'Last day of its last version. Null if it has no end.' }),
    versions: t.value([TariffVersion], 'Its versions, by date.', ({ versions }) => versions),
    document: t.field({
      type: 'JSON',
      description:
        'The whole tariff, in the form in which it can be imported again. `schema/tariff.schema.json` describes it.',
      complexity: TARIFF_DOCUMENT,
      resolve: async ({ revisionId }, _args, { tenant }) => (await revisionDocument(tenant, revisionId)).tariff,
    }),
    ...t.columns('DateTime', { createdAt: 'When it was first imported.', updatedAt: 'When it was last imported.' }),
  }),
});

numberedNode(TariffRef, 'carriers:manage', tariffById);

const Connection = connectionOf(TariffRef);

query('tariffs', {
  type: Connection,
  description: "The company's tariffs, by ascending id.",
  authScopes: { scope: 'carriers:manage' },
  args: LIST_ARGS,
  complexity: listCost,
  resolve: (_root, args, { tenant }) => {
    const rows = { keyOf: ({ id }: TariffRow) => id, count: () => countTariffs(tenant) };
    return listPage(args, integerKey, rows, page => listTariffs(tenant, page));
  },
});

query('tariff', {
  type: TariffRef,
  nullable: true,
  description: 'One tariff. Null if the company has none with this id.',
  authScopes: { scope: 'carriers:manage' },
  args: idArg('Global id of the tariff, or its `databaseId`.'),
  resolve: (_root, { id }, context) => lookUp(context, () => tariff(context.tenant, numberSought('Tariff', id))),
});
