import { resultOf } from '../support/graphql-client.ts';
import type { Caller } from '../support/world.ts';

/** A small tariff for all of Italy; tests change what they are about. */
export const TARIFF = {
  format: 2,
  name: 'Nazionale',
  versions: [
    {
      label: '2020',
      validFrom: '2020-01-01',
      weight: { volumetric: [{ kgPerM3: 300 }], per: 'shipment', roundUp: [{ toKg: 0.1 }] },
      zones: [
        {
          code: 'italia',
          name: 'Italia',
          to: { countries: ['IT'] },
          bands: [
            { upToKg: 10, price: 5 },
            { upToKg: 20, price: 8 },
          ],
        },
      ],
    },
  ],
};

/** Puts a tariff on a connection; answers its id. */
export async function importTariff(caller: Caller, carrierCompanyId: number, tariff: object): Promise<number> {
  const answer = await caller.graphql(
    'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariff { id: databaseId } userErrors { code pointer message } } }',
    { input: { carrierConnectionId: carrierCompanyId, tariff } },
  );
  return resultOf<{ id: number }>(answer).id;
}
