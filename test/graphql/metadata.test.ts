import { describe, expect, test } from 'vitest';
import {
  ask,
  type BatchResult,
  byKeys,
  connectCarrier,
  type Item,
  order,
  outcomes,
  shipment,
  times,
  UPSERT_ORDERS,
  UPSERT_SHIPMENTS,
  unseen,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

// The platform's own values in its orders and shipments, by keys of its own.

const world = useSharedWorld();

interface Shown {
  readonly metadata: Parameters<typeof byKeys>[0];
}

/** A company with two kinds of records that take metadata, each sent and read in the same way. */
async function company() {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  return {
    order: {
      send: (metadata?: unknown) => upsertOrders(caller, [order('o', { ...(metadata !== undefined && { metadata }) })]),
      read: async () =>
        byKeys((await ask<Shown>(caller, '{ order(by: { orderNumber: "o" }) { metadata { key value } } }')).metadata),
    },
    shipment: {
      send: (metadata?: unknown) =>
        upsertShipments(caller, [shipment(connection, 'n', { ...(metadata !== undefined && { metadata }) })]),
      read: async () =>
        byKeys(
          (await ask<Shown>(caller, '{ trackingByNumber(trackingNumber: "n") { metadata { key value } } }')).metadata,
        ),
    },
  };
}

const errorsOf = ({ results }: BatchResult) =>
  results.flatMap(({ errors }) => errors.map(({ pointer, code }) => `${pointer.replace(/^\/\w+/, '')} ${code}`));

const KINDS = ['order', 'shipment'] as const;

describe.each(KINDS)('Metadata (%s)', kind => {
  test('is empty if none was sent', async () => {
    const { [kind]: of } = await company();
    await of.send();
    expect(await of.read()).toEqual({});
  });

  test.each<[what: string, sent: unknown, outcome: string, left: object]>([
    ['a key that is left out stays', { b: '3' }, 'updated', { a: '1', b: '3' }],
    ['null removes a key', { a: null }, 'updated', { b: '2' }],
    ['blank text removes a key', { a: ' ' }, 'updated', { b: '2' }],
    ['a new key is added', { 'C-1_x': 'tre' }, 'updated', { a: '1', b: '2', 'C-1_x': 'tre' }],
    ['null removes all', null, 'updated', {}],
    ['nothing sent changes nothing', undefined, 'unchanged', { a: '1', b: '2' }],
    ['no keys change nothing', {}, 'unchanged', { a: '1', b: '2' }],
    ['the same again changes nothing', { b: '2', a: '1' }, 'unchanged', { a: '1', b: '2' }],
    ['removing what is not there changes nothing', { z: null }, 'unchanged', { a: '1', b: '2' }],
    ['values lose the blanks around them', { a: ' 1 ' }, 'unchanged', { a: '1', b: '2' }],
    ['keys in two cases are two', { A: 'x' }, 'updated', { a: '1', b: '2', A: 'x' }],
  ])('is merged by key: %s', async (_what, sent, outcome, left) => {
    const { [kind]: of } = await company();
    expect(outcomes(await of.send({ a: '1', b: '2' }))).toEqual(['created']);
    expect(outcomes(await of.send(sent))).toEqual([outcome]);
    expect(await of.read()).toEqual(left);
  });

  const many = (count: number, from = 0) =>
    Object.fromEntries(times(count, i => [`k${from + i}`, 'x'] as [string, string]));

  test.each<[what: string, sent: unknown, errors: string[]]>([
    ['a key of 41 characters', { ['k'.repeat(41)]: 'x' }, ['/0/metadata/0/key invalid_key']],
    ['an empty key', { '': 'x' }, ['/0/metadata/0/key invalid_key']],
    ['a key with a blank', { 'a b': 'x' }, ['/0/metadata/0/key invalid_key']],
    ['a key of other letters', { è: 'x' }, ['/0/metadata/0/key invalid_key']],
    ['a key that begins with _', { _a: 'x' }, ['/0/metadata/0/key invalid_key']],
    ['a value of 501 characters', { a: 'x'.repeat(501) }, ['/0/metadata/0/value too_long']],
    ['a control character', { a: 'x\u0000' }, ['/0/metadata/0/value invalid_text']],
    ['21 keys', many(21), ['/0/metadata too_many']],
    [
      'a key twice',
      [
        { key: 'a', value: '1' },
        { key: 'a', value: '2' },
      ],
      ['/0/metadata/1/key duplicate'],
    ],
    [
      'all that is wrong',
      { 'a b': 'x', c: '\u0000' },
      ['/0/metadata/0/key invalid_key', '/0/metadata/1/value invalid_text'],
    ],
  ])('is rejected: %s', async (_what, sent, errors) => {
    const { [kind]: of } = await company();
    expect(errorsOf(await of.send(sent))).toEqual(errors);
  });

  test.each<[what: string, sent: unknown, ...errors: string[]]>([
    ['a number for a value', [{ key: 'a', value: 1 }], '/metadata/0/value wrong_type'],
    ['a pair without a key', [{ value: 'x' }], '/metadata/0/key required'],
    ['a text', 'a', '/metadata wrong_type'],
    ['an object with keys of the caller', [{ a: 'x' }], '/metadata/0/key required', '/metadata/0/a unknown_field'],
  ])('is rejected with its batch: %s', async (_what, metadata, ...errors) => {
    const caller = await world.company();
    const [items, mutation] =
      kind === 'order'
        ? [[order('o', { metadata })], UPSERT_ORDERS]
        : [[shipment(await connectCarrier(caller), 'n', { metadata })], UPSERT_SHIPMENTS];
    const answer = await caller.graphql(unseen(mutation), { input: items });
    const found = answer.errors?.[0]?.extensions.errors as { pointer: string; code: string }[];
    expect(found.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(errors.map(one => `/${kind}s/0${one}`));
  });

  test('can have 20 keys of 40 characters with values of 500 characters, and no more, even after several requests', async () => {
    const { [kind]: of } = await company();
    const full = Object.fromEntries(times(20, i => [`${i}`.padStart(40, 'k'), '€'.repeat(500)] as [string, string]));
    expect(outcomes(await of.send(full))).toEqual(['created']);
    expect(await of.read()).toEqual(full);
    expect(errorsOf(await of.send({ more: 'x' }))).toEqual(['/0/metadata too_many']);
    const [first] = Object.keys(full) as [string];
    expect(outcomes(await of.send({ more: 'x', [first]: null }))).toEqual(['updated']);
    const { [first]: _, ...others } = full;
    expect(await of.read()).toEqual({ ...others, more: 'x' });
  });
});

test('A change of the metadata of a shipment is in the change log', async () => {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  await upsertShipments(caller, [shipment(connection, 'n')]);
  await upsertShipments(caller, [shipment(connection, 'n', { metadata: { a: '1' } })]);
  const { nodes } = await ask<{ nodes: Item[] }>(
    caller,
    '{ changes { nodes { number ... on ShipmentUpdated { fields } } } }',
  );
  expect(nodes).toEqual([{ number: 1 }, { number: 2, fields: ['metadata'] }]);
});

test('A page of metadata counts in the text size of a response', async () => {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  const metadata = Object.fromEntries(times(20, i => [`k${i}`, 'x'.repeat(500)] as [string, string]));
  for (let at = 0; at < 250; at += 125) {
    const batch = times(125, i => shipment(connection, `n${at + i}`, { metadata }));
    expect(outcomes(await upsertShipments(caller, batch))).not.toContain('rejected');
  }
  const { errors } = await caller.graphql(
    `{ ${times(10, i => `a${i}: shipments(first: 250) { nodes { metadata { key value } } }`).join(' ')} }`,
  );
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'request_too_expensive' });
});
