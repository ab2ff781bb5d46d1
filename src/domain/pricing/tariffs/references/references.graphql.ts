import { builder } from '../../../../graphql/builder.ts';
import { TARIFF_DOCUMENT, TARIFF_IMPORT } from '../../../../graphql/costs.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../../graphql/lists.ts';
import { type InputId, mutation } from '../../../../graphql/mutation.ts';
import { keyIn, unreadable } from '../../../../graphql/node-id.ts';
import { nodeType } from '../../../../graphql/nodes.ts';
import { query } from '../../../../graphql/query.ts';
import { CarrierCodeRef } from '../../../shipping/carriers/carriers.graphql.ts';
import { importFuelIndexInput, replacePlaceListInput } from './references.input.ts';
import {
  countReferences,
  listReferences,
  type ReferenceRow,
  referenceByKey,
  referenceContent,
} from './references.repository.ts';
import { type ReferenceKey, readReferenceKey, referenceKeyText } from './references.rules.ts';
import { deleteReference, importIndex, replacePlaceList } from './references.service.ts';

const ReferenceKindEnum = enumType('CarrierReferenceKind', 'What tariffs of a carrier can refer to.', {
  list: 'A list of places.',
  index: 'Percentages by date, such as fuel by week or month.',
});

const CarrierReferenceRef = builder.objectRef<ReferenceRow>('CarrierReference').implement({
  description: 'What tariffs of a carrier refer to by its name, replaced by itself.',
  fields: t => ({
    carrierCode: t.expose('carrierCode', { type: CarrierCodeRef, description: 'The carrier.' }),
    kind: t.expose('kind', { type: ReferenceKindEnum, description: 'The kind of the reference.' }),
    name: t.exposeString('name', { description: 'The name that tariffs give.' }),
    content: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The places, or the percentages each with the first day on which it holds. Null if it was deleted while it was read.',
      complexity: TARIFF_DOCUMENT,
      resolve: (reference, _args, { tenant }) => reference.content ?? referenceContent(tenant, reference),
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last replaced.' }),
  }),
});

nodeType(CarrierReferenceRef, {
  scope: 'carriers:manage',
  keyOf: referenceKeyText,
  readKey: readReferenceKey,
  find: (key, { tenant }) => referenceByKey(tenant, key),
});

const Connection = connectionOf(CarrierReferenceRef);

query('carrierReferences', {
  type: Connection,
  description: "What the tariffs of the company's carriers can refer to, by carrier, kind and name.",
  authScopes: { scope: 'carriers:manage' },
  args: builder.args(t => ({
    carrierCode: t.field({ type: CarrierCodeRef, description: 'Only the references of this carrier.' }),
    kind: t.field({ type: ReferenceKindEnum, description: 'Only lists, or only indexes.' }),
    name: t.string({ description: 'Only references with this name.' }),
    ...LIST_ARGS,
  })),
  complexity: listCost,
  resolve: (_root, { carrierCode, kind, name, ...args }, { tenant }) => {
    const filter = { carrierCode: carrierCode ?? null, kind: kind ?? null, name: name ?? null };
    const rows = {
      keyOf: (row: ReferenceRow) => referenceKeyText(row),
      count: () => countReferences(tenant, filter),
    };
    return listPage(args, readReferenceKey, rows, page => listReferences(tenant, filter, page));
  },
});

mutation('importFuelIndex', {
  description:
    'Puts percentages into an index of a carrier, for all tariffs that name it. A percentage replaces the one from the same day; all others stay.',
  scope: 'carriers:manage',
  fields: importFuelIndexInput,
  payload: { carrierReference: { type: CarrierReferenceRef, description: 'The index, with all of its percentages.' } },
  complexity: TARIFF_IMPORT,
  resolve: async ({ carrierCode, name, rates }, { tenant, tariffs: cache }) => {
    const index = {
      carrierCode,
      name,
      rates: rates.map(({ from, percent }) => ({ from, percent: Number(percent), field: 'from' })),
    };
    return { carrierReference: await importIndex(tenant, index, { path: ['rates'], cache }) };
  },
});

mutation('replacePlaceList', {
  description: 'Replaces a list of places of a carrier, for all tariffs that name it.',
  scope: 'carriers:manage',
  fields: replacePlaceListInput,
  payload: { carrierReference: { type: CarrierReferenceRef, description: 'The list.' } },
  complexity: TARIFF_IMPORT,
  resolve: async (list, { tenant, tariffs: cache }) => {
    const { saved } = await replacePlaceList(tenant, list, { path: ['places'], cache });
    return { carrierReference: saved };
  },
});

/** The id of a list or an index. */
const referenceId: InputId<string> = {
  description: 'The list or the index: its global id, or its key, such as `BRT.index.fuel`.',
  read: (id, path) => {
    const key = keyIn('CarrierReference', id, readReferenceKey);
    if (key) return referenceKeyText(key);
    throw unreadable([...path], 'must be an id of the type CarrierReference, or its key, such as BRT.index.fuel');
  },
  knownAs: 'id',
};

mutation('deleteCarrierReference', {
  description:
    'Deletes a list of places or an index of a carrier, and returns it as it was. `CARRIER_REFERENCE_IN_USE` if tariffs in force or scheduled drafts refer to it.',
  scope: 'carriers:manage',
  ids: { id: referenceId },
  payload: { carrierReference: { type: CarrierReferenceRef, description: 'It, as it was.' } },
  complexity: TARIFF_IMPORT,
  resolve: async ({ id }, { tenant, tariffs: cache }) => ({
    carrierReference: await deleteReference(tenant, readReferenceKey(id) as ReferenceKey, cache),
  }),
});
