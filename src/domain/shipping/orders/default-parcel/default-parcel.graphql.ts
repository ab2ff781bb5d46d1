import { builder } from '../../../../graphql/builder.ts';
import { mutation } from '../../../../graphql/mutation.ts';
import { query } from '../../../../graphql/query.ts';
import { setDefaultParcelInput } from './default-parcel.input.ts';
import { defaultParcel } from './default-parcel.repository.ts';
import type { DefaultParcel } from './default-parcel.rules.ts';
import { setDefaultParcel } from './default-parcel.service.ts';

const DefaultParcelRef = builder.objectRef<DefaultParcel>('DefaultParcel').implement({
  description: 'The parcel that quotes take where sides or a volume are missing.',
  fields: t => ({
    ...t.nullableColumns('Decimal', {
      weight: 'Kilograms of an order without parcels. Null if such an order cannot be quoted.',
    }),
    ...t.columns('Decimal', { length: 'Centimetres.', width: 'Centimetres.', height: 'Centimetres.' }),
  }),
});

query('defaultParcel', {
  type: DefaultParcelRef,
  nullable: true,
  description: 'The default parcel of the company. Null without one.',
  authScopes: { scope: 'shipments:quote' },
  resolve: async (_root, _args, { tenant }) => (await defaultParcel(tenant)) ?? null,
});

mutation('setDefaultParcel', {
  description:
    'Sets the parcel that quotes take where an order has no sides or no parcels, and where a quote has `totalWeight` without `totalVolume`.',
  scope: 'orders:write',
  fields: setDefaultParcelInput,
  payload: { defaultParcel: { type: DefaultParcelRef, description: 'The default parcel. Null if it was removed.' } },
  resolve: async ({ parcel }, { tenant }) => ({ defaultParcel: await setDefaultParcel(tenant, parcel ?? null) }),
});
