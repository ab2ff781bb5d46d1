import { builder } from '../../../../graphql/builder.ts';
import { TARIFF_DOCUMENT } from '../../../../graphql/costs.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { lookUp } from '../../../../graphql/look-up.ts';
import { integerKey, numberSought, RecordId } from '../../../../graphql/node-id.ts';
import { nodeType } from '../../../../graphql/nodes.ts';
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

const RevisionState = enumType('TariffRevisionState', {
  description: 'What a revision of a tariff is now.',
  values: {
    draft: { description: 'It was never in force.' },
    scheduled: { description: 'A draft that is published on a day to come.' },
    failed: { description: 'A draft that could not be published on its day; `problem` says why.' },
    in_force: { description: 'Quotes use it.' },
    replaced: { description: 'It was in force until the next one.' },
  } as const,
});

const RevisionAuthor = enumType('TariffRevisionAuthor', {
  description: 'The actor who imported or published a revision of a tariff.',
  values: {
    api_key: { description: 'An API key of the company.' },
    operator: { description: 'An operator of the service, by a command.' },
    unknown: { description: 'It was imported before revisions were recorded.' },
  } as const,
});

export const TariffRevisionRef = builder.objectRef<RevisionRow>('TariffRevision').implement({
  description: 'A tariff that a carrier connection has had, or a draft of one.',
  fields: t => ({
    databaseId: t.exposeInt('id', { description: 'Number of the record.' }),
    number: t.exposeInt('number', {
      nullable: true,
      description: 'Number among the revisions of the connection, from 1 on without a gap. Null for a draft.',
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
    apiKeyLabel: t.exposeString('apiKeyLabel', {
      nullable: true,
      description: 'The label that the key had at that time.',
    }),
    restoredNumber: t.exposeInt('restoredNumber', {
      nullable: true,
      description: 'The number of the revision whose content it brought back.',
    }),
    publishDate: t.expose('publishOn', {
      type: 'Date',
      nullable: true,
      description: 'The day in Italy on which a draft is published.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why a draft could not be published on its day.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when quotes used it. Null for a draft.',
    }),
    document: t.field({
      type: 'JSON',
      description: 'The whole tariff, in the form in which it can be imported again.',
      complexity: TARIFF_DOCUMENT,
      resolve: async ({ id }, _args, { tenant }) => (await revisionDocument(tenant, id)).tariff,
    }),
  }),
});

nodeType(TariffRevisionRef, {
  scope: 'carriers:manage',
  keyOf: ({ id }) => id,
  readKey: integerKey,
  find: (id, { tenant }) => revisionById(tenant, id),
});

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

builder.queryField('tariffRevisions', t =>
  t.field({
    type: RevisionConnection,
    nullable: true,
    description:
      'The tariffs that a carrier connection has had, the newest first. Null if the company has none with this id.',
    authScopes: { scope: 'carriers:manage' },
    args: {
      carrierConnectionId: t.arg.id({ required: true, description: 'The carrier connection.' }),
      ...LIST_ARGS,
    },
    complexity: listCost,
    resolve: (_root, { carrierConnectionId, ...args }, context) => {
      const id = numberSought('CarrierConnection', carrierConnectionId);
      return lookUp(context, () => pageOfConnection(args, id, context.tenant));
    },
  }),
);

builder.queryField('tariffRevision', t =>
  t.field({
    type: TariffRevisionRef,
    nullable: true,
    description: 'One revision or draft of a tariff. Null if the company has none with this id.',
    authScopes: { scope: 'carriers:manage' },
    args: { id: t.arg.id({ required: true, description: 'Global id of the revision, or its `databaseId`.' }) },
    resolve: (_root, { id }, context) =>
      lookUp(context, () => revision(context.tenant, numberSought('TariffRevision', id))),
  }),
);
