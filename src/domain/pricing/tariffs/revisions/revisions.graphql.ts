import { builder } from '../../../../graphql/builder.ts';
import { TARIFF_DOCUMENT } from '../../../../graphql/costs.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { integerKey, numberSought, RecordId } from '../../../../graphql/node-id.ts';
import { numberedNode } from '../../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../../graphql/query.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import {
  CarrierConnectionRef,
  carrierConnectionOf,
  recordIdOfConnection,
} from '../../../shipping/carriers/carriers.graphql.ts';
import { TariffRef } from '../tariff.graphql.ts';
import { stateOf } from './revision.rules.ts';
import { countRevisions, listRevisions, type RevisionRow, revisionById } from './revisions.repository.ts';
import { requireConnection, revision, revisionDocument } from './revisions.service.ts';

const RevisionState = enumType('TariffRevisionState', 'What a revision of a tariff is now.', {
  draft: 'It was never in force.',
  scheduled: 'A draft that is published on a day to come.',
  failed: 'A draft that could not be published on its day; `problem` says why.',
  in_force: 'Quotes use it.',
  replaced: 'It was in force until the next one.',
});

const RevisionAuthor = enumType('TariffRevisionAuthor', 'The actor who imported or published a revision of a tariff.', {
  api_key: 'An API key of the company.',
  operator: 'An operator of the service, by a command.',
  unknown: 'It was imported before revisions were recorded.',
});

export const TariffRevisionRef = builder.objectRef<RevisionRow>('TariffRevision').implement({
  description: 'A tariff that a carrier connection has had, or a draft of one.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: 'Number of the record.' }),
    ...t.nullableColumns('Int', {
      number: 'Number among the revisions of the connection, from 1 on without a gap. Null for a draft.',
      restoredNumber: 'The number of the revision whose content it brought back.',
    }),
    name: t.exposeString('name', { description: 'Its name.' }),
    state: t.field({ type: RevisionState, description: 'The current state.', resolve: stateOf }),
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
    author: t.expose('author', { type: RevisionAuthor, description: 'The actor who imported or published it.' }),
    apiKeyId: t.id({
      nullable: true,
      description: 'Id of the API key that imported or published it, a `CompanyApiKey`.',
      resolve: ({ apiKeyId }) => apiKeyId && new RecordId('CompanyApiKey', apiKeyId),
    }),
    ...t.nullableColumns('String', {
      apiKeyLabel: 'The label that the key had at that time.',
      problem: 'Why a draft could not be published on its day.',
    }),
    publishDate: t.expose('publishOn', {
      type: 'Date',
      nullable: true,
      description: 'The day in Italy on which a draft is published.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    ...t.nullableColumns('DateTime', { publishedAt: 'Since when quotes used it. Null for a draft.' }),
    document: t.field({
      type: 'JSON',
      description: 'The whole tariff, in the form in which it can be imported again.',
      complexity: TARIFF_DOCUMENT,
      resolve: async ({ id }, _args, { tenant }) => (await revisionDocument(tenant, id)).tariff,
    }),
  }),
});

numberedNode(TariffRevisionRef, 'carriers:manage', revisionById);

export const RevisionConnection = connectionOf(TariffRevisionRef);

async function pageOfConnection(args: Parameters<typeof listPage>[0], carrierConnectionId: number, tenant: Tenant) {
  await requireConnection(tenant, carrierConnectionId);
  const rows = {
    keyOf: ({ number, id }: RevisionRow) => number ?? id,
    count: () => countRevisions(tenant, carrierConnectionId),
  };
  return listPage(args, integerKey, rows, page => listRevisions(tenant, carrierConnectionId, page));
}

builder.objectField(TariffRef, 'revision', t =>
  t.field({
    type: TariffRevisionRef,
    description: 'It as a revision.',
    resolve: ({ revisionId }, _args, { tenant }) => revision(tenant, revisionId),
  }),
);

builder.objectField(TariffRef, 'revisions', t =>
  t.field({
    type: RevisionConnection,
    description: 'It and the tariffs before it, the newest first.',
    args: LIST_ARGS,
    complexity: listCost,
    resolve: ({ carrierConnectionId }, args, { tenant }) => pageOfConnection(args, carrierConnectionId, tenant),
  }),
);

query('tariffRevisions', {
  type: RevisionConnection,
  nullable: true,
  description:
    'The tariffs that a carrier connection has had, the newest first. Null if the company has none with this id.',
  authScopes: { scope: 'carriers:manage' },
  args: builder.args(t => ({
    carrierConnectionId: t.id({ required: true, description: 'The carrier connection.' }),
    ...LIST_ARGS,
  })),
  complexity: listCost,
  resolve: (_root, { carrierConnectionId, ...args }, context) => {
    const id = numberSought('CarrierConnection', carrierConnectionId);
    return lookUp(context, () => pageOfConnection(args, id, context.tenant));
  },
});

query('tariffRevision', {
  type: TariffRevisionRef,
  nullable: true,
  description: 'One revision or draft of a tariff. Null if the company has none with this id.',
  authScopes: { scope: 'carriers:manage' },
  args: idArg('Global id of the revision, or its `databaseId`.'),
  resolve: (_root, { id }, context) =>
    lookUp(context, () => revision(context.tenant, numberSought('TariffRevision', id))),
});
