import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Call } from './calls.ts';
import { WAREHOUSE } from './platform.ts';
import { type Chapter, isProblem } from './statement.ts';

const create = (call: Call, key: string, body: unknown) =>
  call('POST', '/warehouses', { body, headers: { 'idempotency-key': key } });

export const repeats: Chapter = {
  title: 'Repeated requests',
  statements: [
    {
      id: 'I1',
      promise:
        'The same request with the same `Idempotency-Key` returns the first response, with `Idempotent-Replayed: true`. The order of members does not matter.',
      source: 'decision',
      holds: async ({ call }) => {
        const key = randomUUID();
        const first = await create(call, key, WAREHOUSE);
        const turned = Object.fromEntries(Object.entries(WAREHOUSE).toReversed());
        const again = await create(call, key, turned);
        await call('DELETE', `/warehouses/${first.body.id}`);
        deepEqual([again.status, again.text], [201, first.text]);
        deepEqual(
          [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
          [null, 'true'],
        );
      },
    },
    {
      id: 'I2',
      promise: 'Another body with the same `Idempotency-Key` is 409 `idempotency_key_reused`, and creates nothing.',
      source: 'decision',
      holds: async ({ call }) => {
        const key = randomUUID();
        const first = await create(call, key, WAREHOUSE);
        isProblem(await create(call, key, { ...WAREHOUSE, name: 'Altro' }), 409, 'idempotency_key_reused');
        await call('DELETE', `/warehouses/${first.body.id}`);
      },
    },
    {
      id: 'I3',
      promise:
        'An `Idempotency-Key` of more than 255 characters is 400 `invalid_idempotency_key`, also where it has no effect.',
      source: 'decision',
      holds: async ({ call }) => {
        const key = 'x'.repeat(256);
        isProblem(await create(call, key, WAREHOUSE), 400, 'invalid_idempotency_key');
        const quote = await call('POST', '/shipments/quote', { body: {}, headers: { 'idempotency-key': key } });
        isProblem(quote, 400, 'invalid_idempotency_key');
      },
    },
    {
      id: 'I4',
      promise: 'Only successful responses are kept: a request that was rejected can be corrected under the same key.',
      source: 'decision',
      holds: async ({ call }) => {
        const key = randomUUID();
        isProblem(await create(call, key, { ...WAREHOUSE, typeId: 9 }), 422, 'validation_failed');
        const { status, body } = await create(call, key, WAREHOUSE);
        equal(status, 201);
        await call('DELETE', `/warehouses/${body.id}`);
      },
    },
  ],
};
