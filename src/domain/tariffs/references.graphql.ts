import { builder } from '../../graphql/builder.ts';
import { TARIFF_DOCUMENT, TARIFF_IMPORT } from '../../graphql/costs.ts';
import { enumType } from '../../graphql/enum-type.ts';
import { mutation } from '../../graphql/mutation.ts';
import { CarrierCodeRef } from '../carriers/carriers.graphql.ts';
import { importFuelIndexInput, replacePlaceListInput } from './references.input.ts';
import type { ReferenceRow } from './references.repository.ts';
import { carrierReference, carrierReferences, importIndex, replacePlaceList } from './references.service.ts';

const ReferenceKindEnum = enumType('CarrierReferenceKind', {
  description: 'What tariffs of a carrier can refer to.',
  values: {
    list: { description: 'A list of places.' },
    index: { description: 'Percentages by month.' },
  } as const,
});

const CarrierReferenceRef = builder.objectRef<ReferenceRow>('CarrierReference').implement({
  description: 'What tariffs of a carrier refer to by its name, replaced by itself.',
  fields: t => ({
    kind: t.expose('kind', { type: ReferenceKindEnum, description: 'What it is.' }),
    name: t.exposeString('name', { description: 'The name that tariffs give.' }),
    content: t.field({
      type: 'JSON',
      description: 'The places, or the percentages each with the first day of its month.',
      resolve: ({ content }) => content,
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last replaced.' }),
  }),
});

builder.queryField('carrierReferences', t =>
  t.field({
    type: [CarrierReferenceRef],
    description: "What the tariffs of one of the company's carriers can refer to, by kind and name.",
    authScopes: { scope: 'carriers:manage' },
    args: { carrierCode: t.arg({ type: CarrierCodeRef, required: true, description: 'The carrier.' }) },
    complexity: TARIFF_DOCUMENT,
    resolve: (_root, { carrierCode }, { tenant }) => carrierReferences(tenant, carrierCode),
  }),
);

mutation('importFuelIndex', {
  description:
    'Puts months into an index of a carrier, for all tariffs that name it; the other months stay as they are.',
  scope: 'carriers:manage',
  fields: importFuelIndexInput,
  payload: { carrierReference: { type: CarrierReferenceRef, description: 'The index, with all of its months.' } },
  complexity: TARIFF_IMPORT,
  resolve: async ({ carrierCode, name, rates }, { tenant, tariffs: cache }) => {
    const index = {
      carrierCode,
      name,
      rates: rates.map(({ month, percent }) => ({ month, percent: Number(percent) })),
    };
    await importIndex(tenant, index, { path: ['rates'], cache });
    return { carrierReference: await carrierReference(tenant, carrierCode, 'index', name) };
  },
});

mutation('replacePlaceList', {
  description: 'Replaces a list of places of a carrier, for all tariffs that name it.',
  scope: 'carriers:manage',
  fields: replacePlaceListInput,
  payload: { carrierReference: { type: CarrierReferenceRef, description: 'The list.' } },
  complexity: TARIFF_IMPORT,
  resolve: async ({ carrierCode, name, places }, { tenant, tariffs: cache }) => {
    await replacePlaceList(tenant, { carrierCode, name, places }, { path: ['places'], cache });
    return { carrierReference: await carrierReference(tenant, carrierCode, 'list', name) };
  },
});
