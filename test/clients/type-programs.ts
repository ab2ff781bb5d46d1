/**
 * Programs that are compiled and never run: what the types generated from the contracts accept, and what they reject. The
 * compiler reports a line under `@ts-expect-error` that it accepts.
 */
export const TYPE_PROGRAMS: Readonly<Record<string, string>> = {
  'openapi-fetch': `
    import createClient from 'openapi-fetch';
    import type { components, paths } from './shipping.d.ts';
    const shipping = createClient<paths>({ baseUrl: '' });
    const path = '/api/v1/integrations/shipments/quote';
    const place = { warehouseId: 1, destination: { postalCode: '90139', city: 'Palermo' } };
    const parcels = [{ weight: 4, length: 40, width: 30, height: 30 }];
    shipping.POST(path, { body: { orderId: 1, options: ['saturday'] } });
    shipping.POST(path, { body: { ...place, parcels, codAmount: null } });
    shipping.POST(path, { body: { ...place, totalWeight: 4, totalVolume: 36000 } });
    // @ts-expect-error nothing is quoted
    shipping.POST(path, { body: {} });
    // @ts-expect-error an order and a warehouse
    shipping.POST(path, { body: { orderId: 1, warehouseId: 1 } });
    // @ts-expect-error parcels and totals
    shipping.POST(path, { body: { ...place, parcels, totalWeight: 4, totalVolume: 36000 } });
    // With the default parcel of the company.
    shipping.POST(path, { body: { ...place, totalWeight: 4 } });
    // @ts-expect-error a type of warehouse that there is not
    shipping.PATCH('/api/v1/integrations/warehouses/{id}', { params: { path: { id: 1 } }, body: { typeId: 5 } });
    // @ts-expect-error a path that there is not
    shipping.GET('/api/v1/integrations/orders');
    // Codes may be added, so that a program must take any text.
    export const code: components['schemas']['Problem']['code'] = 'of_a_later_version';
    export const event: components['schemas']['TrackingEvent']['type'] = 'tracking.later';
  `,
  'hey-api': `
    import { quoteShipment, trackByOrderNumber } from './shipping/sdk.gen';
    quoteShipment({ body: { orderId: 1, warehouseId: null, parcels: null } });
    // @ts-expect-error nothing is quoted
    quoteShipment({ body: {} });
    // @ts-expect-error an order and a warehouse
    quoteShipment({ body: { orderId: 1, warehouseId: 1 } });
    // @ts-expect-error no order number
    trackByOrderNumber({ path: {} });
    const { data } = await trackByOrderNumber({ path: { orderNumber: '1' } });
    export const place: string | null | undefined = data?.[0]?.timeline[0]?.location;
  `,
  'graphql-codegen': `
    import { graphql } from './gql/gql';
    import type { ResultOf, VariablesOf } from '@graphql-typed-document-node/core';
    const document = graphql(\`
      mutation Create($input: CreateWarehouseInput!) {
        createWarehouse(input: $input) { warehouse { id name } userErrors { code message } }
      }
    \`);
    export const input: VariablesOf<typeof document>['input'] = {
      name: 'A', typeId: 1, address: 'B', postalCode: '20121', city: 'Milano', state: 'MI', country: 'IT',
    };
    // @ts-expect-error the other fields are missing
    export const part: VariablesOf<typeof document>['input'] = { name: 'A' };
    export const name = (result: ResultOf<typeof document>): string | undefined => result.createWarehouse?.warehouse?.name;
  `,
  'gql.tada': `
    import { initGraphQLTada, type ResultOf } from 'gql.tada';
    import type { introspection } from './graphql-env.d.ts';
    const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string } }>();
    const document = graphql('query One($id: ID!) { node(id: $id) { id ... on Shipment { statusCode deliveredAt } } }');
    type Node = NonNullable<ResultOf<typeof document>['node']>;
    export const date = (node: Extract<Node, { statusCode: string }>): string | null => node.deliveredAt;
    // @ts-expect-error a status that there is not
    export const status = (node: Extract<Node, { statusCode: string }>): 'TELEPORTED' => node.statusCode;
  `,
};
