import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/graphql-client.ts';
import { useSharedWorld } from '../support/world.ts';

// The errors for a mistyped name suggest the names that it may mean.

const world = useSharedWorld();

describe('The error for a mistyped name', () => {
  test.each<[what: string, query: string, suggestion: string]>([
    ['a field', '{ shipmnt(id: 1) { id } }', 'Did you mean "shipment" or "shipments"?'],
    [
      'the beginning of a field',
      '{ trackingByNumber(trackingNumber: "x") { traking } }',
      'Cannot query field "traking" on type "Shipment". Did you mean "trackingNumber" or "trackingUrl"?',
    ],
    ['a field of an input', '{ shipments(filter: { isOpn: true }) { nodes { id } } }', 'Did you mean "isOpen"?'],
    ['an argument', '{ shipments(frist: 1) { nodes { id } } }', 'Did you mean "first"'],
    ['a value of an enum', '{ shipments(orderBy: CREATED_DSC) { nodes { id } } }', 'Did you mean the enum value'],
    ['nothing that there is', '{ apiKey { xyz } }', 'Cannot query field "xyz" on type "ApiKey".'],
  ])('suggests names for %s', async (_what, query, suggestion) => {
    const { graphql } = await world.company();
    expect((await graphql(query)).errors?.[0]?.message).toContain(suggestion);
  });

  test('suggests names in a variable, and in a body of REST', async () => {
    const caller = await world.company();
    const query = 'query ($f: ShipmentFilter) { shipments(filter: $f) { nodes { id } } }';
    expect(failureOf(await caller.graphql(query, { f: { isOpn: true } }))?.errors).toMatchObject([
      {
        pointer: '/isOpn',
        message: expect.stringMatching(/^is not a known field; did you mean isOpen\? Allowed are /),
      },
    ]);
    const { body } = await caller.rest('POST', '/shipments/quote', { ordrId: 1 });
    expect(body.errors).toContainEqual({
      pointer: '/ordrId',
      code: 'unknown_field',
      message: expect.stringMatching(/^is not a known field; did you mean orderId\? Allowed are /),
    });
  });
});
