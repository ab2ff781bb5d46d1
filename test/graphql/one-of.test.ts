import { beforeAll, describe, expect, test } from 'vitest';
import { flat, merchant } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { refusal, times, unseen } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Inputs of which exactly one field is sent, interpreted and compiled: a document is compiled when it is sent again. */

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  ({ caller } = await merchant(await world.company(), flat(5)));
});

const QUOTE = 'query ($input: QuoteInput!) { quoteShipment(input: $input) { __typename } }';

describe('An input that takes exactly one of its fields', () => {
  test.each([
    ['none', {}, '/shipment required'],
    ['two', { orderId: 1, totals: { weight: '1' } }, '/shipment not_allowed'],
    ['one and a null', { orderId: 1, parcels: null }, '/shipment not_allowed'],
    ['a null alone', { orderId: null }, '/shipment required'],
  ])('rejects %s, however often the document was sent', async (_what, shipment, expected) => {
    const document = unseen(QUOTE);
    const found = [];
    for (const _ of times(5, i => i)) found.push(await refusal(caller, document, { input: { shipment } }));
    for (const one of found) expect(one).toContain(expected);
  });

  test('rejects a variable that may be null', async () => {
    const document = 'query ($id: ID) { quoteShipment(input: { shipment: { orderId: $id } }) { __typename } }';
    for (const _ of times(5, i => i)) {
      expect(failureOf(await caller.graphql(document, {}))?.code).toBe('graphql_invalid');
    }
  });
});

test('A cursor with an impossible key is rejected with its argument', async () => {
  const cursor = (text: string) => Buffer.from(text).toString('base64url');
  const rows = [
    ['{ shipments(orderBy: UPDATED_DESC, after: "CURSOR") { nodes { id } } }', 'id:updated.999999999999999.1'],
    ['{ shipments(orderBy: UPDATED_DESC, after: "CURSOR") { nodes { id } } }', 'id:updated.-99999999999999.1'],
    ['{ carrierCalls(after: "CURSOR") { nodes { id } } }', 'id:at.999999999999999.1'],
  ] as const;
  for (const [query, text] of rows) {
    expect(await refusal(caller, query.replace('CURSOR', cursor(text))), text).toBe(
      'validation_failed: /after invalid_cursor',
    );
  }
  expect(
    await refusal(caller, `{ savedQuotes(after: "${cursor('id:2147483648')}") { nodes { id } } }`),
  ).toBeUndefined();
});
