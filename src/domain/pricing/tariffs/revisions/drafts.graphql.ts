import { builder } from '../../../../graphql/builder.ts';
import { TARIFF_IMPORT } from '../../../../graphql/costs.ts';
import { LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { mutation, numberId } from '../../../../graphql/mutation.ts';
import { integerKey, numberSought } from '../../../../graphql/node-id.ts';
import { lookUp, query } from '../../../../graphql/query.ts';
import { createTariffDraftInput } from '../tariff.input.ts';
import { countDrafts, listDrafts } from './drafts.repository.ts';
import { createDraft, discardDraft, publishTariff, rollbackTariff } from './drafts.service.ts';
import { RevisionConnection, TariffRevisionRef } from './revisions.graphql.ts';
import { publishTariffInput, rollbackTariffInput } from './revisions.input.ts';
import type { RevisionRow } from './revisions.repository.ts';
import { requireConnection } from './revisions.service.ts';

const scope = 'carriers:manage';

query('tariffDrafts', {
  type: RevisionConnection,
  nullable: true,
  description:
    'The drafts of tariffs of a carrier connection, the oldest first. Null if the company has none with this id.',
  authScopes: { scope },
  args: builder.args(t => ({
    carrierConnectionId: t.id({ required: true, description: 'The carrier connection.' }),
    ...LIST_ARGS,
  })),
  complexity: listCost,
  resolve: (_root, { carrierConnectionId, ...args }, context) => {
    const id = numberSought('CarrierConnection', carrierConnectionId);
    const { tenant } = context;
    return lookUp(context, async () => {
      await requireConnection(tenant, id);
      const rows = { keyOf: (row: RevisionRow) => row.id, count: () => countDrafts(tenant, id) };
      return listPage(args, integerKey, rows, page => listDrafts(tenant, id, page));
    });
  },
});

const draftId = { id: numberId('TariffRevision', 'The draft.') };

mutation('createTariffDraft', {
  description:
    'Stores a draft of a tariff, which no quote uses until it is published. It can be compared, and quoted for trial.',
  scope,
  ids: { carrierConnectionId: numberId('CarrierConnection', 'The carrier connection.') },
  fields: createTariffDraftInput,
  payload: { tariffRevision: { type: TariffRevisionRef, description: 'The draft.' } },
  complexity: TARIFF_IMPORT,
  resolve: async ({ carrierConnectionId, tariff, name }, { tenant }) => ({
    tariffRevision: await createDraft(tenant, carrierConnectionId, { tariff, name }),
  }),
});

mutation('discardTariffDraft', {
  description: 'Deletes a draft permanently, also a scheduled one.',
  scope,
  ids: draftId,
  payload: { tariffRevision: { type: TariffRevisionRef, description: 'The draft as it was.' } },
  resolve: async ({ id }, { tenant }) => ({ tariffRevision: await discardDraft(tenant, id) }),
});

mutation('publishTariff', {
  description:
    'Replaces the tariff of a connection by a draft: at once, or on a future day, within some minutes after midnight in Italy. To move the day, publish the draft again.',
  scope,
  ids: draftId,
  fields: publishTariffInput,
  payload: { tariffRevision: { type: TariffRevisionRef, description: 'The revision that it is now, or the draft.' } },
  complexity: TARIFF_IMPORT,
  resolve: async ({ id, publishDate }, { tenant, tariffs: cache }) => ({
    tariffRevision: await publishTariff(tenant, id, publishDate, cache),
  }),
});

mutation('rollbackTariff', {
  description:
    'Brings an earlier tariff of a connection back, as a new revision with its content. Quotes use it at once.',
  scope,
  ids: { id: numberId('TariffRevision', 'The revision to restore.') },
  fields: rollbackTariffInput,
  payload: { tariffRevision: { type: TariffRevisionRef, description: 'The new revision.' } },
  complexity: TARIFF_IMPORT,
  resolve: async ({ id, name }, { tenant, tariffs: cache }) => ({
    tariffRevision: await rollbackTariff(tenant, id, name, cache),
  }),
});
