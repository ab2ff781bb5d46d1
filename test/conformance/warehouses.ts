import { deepEqual, equal } from 'node:assert/strict';
import type { Call } from './calls.ts';
import { WAREHOUSE } from './platform.ts';
import { type Chapter, given, hasFields, isInvalid, isProblem } from './statement.ts';

const FIELDS = [
  ...['id', 'name', 'typeId', 'address', 'postalCode', 'city', 'state', 'country'],
  ...['isPrincipal', 'warehouseType', 'createdAt', 'updatedAt'],
];
const TYPES = ['Principale', 'Logistica', 'Drop Shipping', 'Secondario'];

/** Creates a warehouse for `use`, and deletes it afterwards. */
async function withWarehouse<Found>(
  call: Call,
  fields: object,
  use: (warehouse: Record<string, unknown>) => Promise<Found> | Found,
): Promise<Found> {
  const { status, body } = await call('POST', '/warehouses', { body: { ...WAREHOUSE, ...fields } });
  equal(status, 201, JSON.stringify(body));
  try {
    return await use(body);
  } finally {
    await call('DELETE', `/warehouses/${body.id}`);
  }
}

export const warehouses: Chapter = {
  title: 'Warehouses',
  statements: [
    {
      id: 'W1',
      promise: '`POST /warehouses` is 201 with the twelve fields of a warehouse, and no others.',
      source: 'specification',
      holds: ({ call }) =>
        withWarehouse(call, {}, warehouse => {
          hasFields(warehouse, FIELDS);
          const {
            id: _id,
            isPrincipal: _is,
            warehouseType: _type,
            createdAt: _at,
            updatedAt: _up,
            ...sent
          } = warehouse;
          deepEqual(sent, WAREHOUSE);
        }),
    },
    {
      id: 'W2',
      promise: '`typeId` is 1 to 4, `warehouseType` has its name, and `isPrincipal` is true for 1 alone.',
      source: 'specification',
      holds: async ({ call }) => {
        for (const [i, name] of TYPES.entries()) {
          const typeId = i + 1;
          await withWarehouse(call, { typeId }, warehouse => {
            deepEqual([warehouse.warehouseType, warehouse.isPrincipal], [{ id: typeId, name }, typeId === 1]);
          });
        }
        for (const typeId of [0, 5, 1.5, '1', null]) {
          isInvalid(await call('POST', '/warehouses', { body: { ...WAREHOUSE, typeId } }), '/typeId');
        }
      },
    },
    {
      id: 'W3',
      promise:
        'All seven fields are required, `postalCode` where the country has postal codes. They have 1 to 200 characters, `postalCode` at most 20.',
      source: 'specification',
      holds: async ({ call }) => {
        for (const field of Object.keys(WAREHOUSE)) {
          const { [field]: _, ...body } = WAREHOUSE as Record<string, unknown>;
          isInvalid(await call('POST', '/warehouses', { body }), `/${field}`);
        }
        for (const field of ['name', 'address', 'city', 'state']) {
          for (const value of ['  ', 'x'.repeat(201)]) {
            isInvalid(await call('POST', '/warehouses', { body: { ...WAREHOUSE, [field]: value } }), `/${field}`);
          }
        }
        // Ghana has no format of postal codes that could reject it.
        const body = { ...WAREHOUSE, country: 'GH', postalCode: 'x'.repeat(21) };
        isInvalid(await call('POST', '/warehouses', { body }), '/postalCode');
        await withWarehouse(call, { country: 'GH', postalCode: 'x'.repeat(20) }, () => undefined);
        await withWarehouse(call, { country: 'AE', postalCode: null }, ({ postalCode }) => deepEqual(postalCode, ''));
      },
    },
    {
      id: 'W4',
      promise: 'Texts are trimmed; `country` is an assigned code in either case, and stored in upper case.',
      source: 'decision',
      holds: async ({ call }) => {
        await withWarehouse(call, { name: '  Deposito ', country: 'it' }, ({ name, country }) => {
          deepEqual([name, country], ['Deposito', 'IT']);
        });
        isInvalid(await call('POST', '/warehouses', { body: { ...WAREHOUSE, country: 'XX' } }), '/country');
      },
    },
    {
      id: 'W5',
      promise: 'A postal code of Italy has five digits, and may be written with the prefix of Italy.',
      source: 'decision',
      holds: async ({ call }) => {
        isInvalid(await call('POST', '/warehouses', { body: { ...WAREHOUSE, postalCode: '2013' } }), '/postalCode');
        await withWarehouse(call, { postalCode: 'I-20138' }, ({ postalCode }) => deepEqual(postalCode, '20138'));
      },
    },
    {
      id: 'W6',
      promise: '`GET /warehouses` lists the warehouses of the company by ascending `id`; several may be of type 1.',
      source: 'decision',
      holds: ({ call }) =>
        withWarehouse(call, {}, first =>
          withWarehouse(call, {}, async second => {
            const { body } = await call('GET', '/warehouses');
            const ids: number[] = body.map(({ id }: { id: number }) => id);
            deepEqual(
              ids,
              ids.toSorted((a, b) => a - b),
            );
            deepEqual(
              ids.filter(id => id === first.id || id === second.id),
              [first.id, second.id],
            );
            for (const warehouse of body) hasFields(warehouse, FIELDS);
          }),
        ),
    },
    {
      id: 'W7',
      promise: '`GET /warehouses/{id}` returns the warehouse; an unknown or malformed id is 404 `warehouse_not_found`.',
      source: 'specification',
      holds: ({ call }) =>
        withWarehouse(call, {}, async warehouse => {
          deepEqual((await call('GET', `/warehouses/${warehouse.id}`)).body, warehouse);
          for (const id of ['0', '2147483647', 'abc', '1.5', '-1']) {
            isProblem(await call('GET', `/warehouses/${id}`), 404, 'warehouse_not_found');
          }
        }),
    },
    {
      id: 'W8',
      promise:
        'A warehouse of another company does not exist: the response is the same as for an id that was never given.',
      source: 'specification',
      needs: ['other company'],
      holds: ({ call, callAs, otherKey }) =>
        withWarehouse(callAs(given(otherKey)), {}, async ({ id }) => {
          for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
            const [theirs, none] = [
              await call(method, `/warehouses/${id}`, body && { body }),
              await call(method, '/warehouses/0', body && { body }),
            ];
            isProblem(theirs, 404, 'warehouse_not_found');
            deepEqual([theirs.body.title, theirs.body.detail], [none.body.title, none.body.detail]);
          }
          const { body } = await call('GET', '/warehouses');
          equal(
            body.some((warehouse: { id: number }) => warehouse.id === id),
            false,
          );
        }),
    },
    {
      id: 'W9',
      promise: '`PATCH /warehouses/{id}` changes the fields that are sent, and is 200 with the whole warehouse.',
      source: 'specification',
      holds: ({ call }) =>
        withWarehouse(call, {}, async ({ updatedAt: _, ...warehouse }) => {
          const reply = await call('PATCH', `/warehouses/${warehouse.id}`, { body: { name: 'Altro nome' } });
          equal(reply.status, 200);
          const { updatedAt: _updated, ...changed } = reply.body;
          deepEqual(changed, { ...warehouse, name: 'Altro nome' });
        }),
    },
    {
      id: 'W10',
      promise:
        'A `PATCH` without a field, or with `null` for one, is 422. The address is checked as it will be afterwards.',
      source: 'decision',
      holds: ({ call }) =>
        withWarehouse(call, {}, async ({ id }) => {
          const patch = (body: object) => call('PATCH', `/warehouses/${id}`, { body });
          isProblem(await patch({}), 422, 'validation_failed');
          isInvalid(await patch({ name: null }), '/name');
          isProblem(await patch({ postalCode: 'AB1 2CD' }), 422, 'validation_failed');
          equal((await patch({ postalCode: '10115', country: 'DE', city: 'Berlin', state: 'BE' })).status, 200);
        }),
    },
    {
      id: 'W11',
      promise: '`DELETE /warehouses/{id}` is 204 without a body. The warehouse is gone, and a second `DELETE` is 404.',
      source: 'decision',
      holds: async ({ call }) => {
        const { id } = await withWarehouse(call, {}, async warehouse => {
          const reply = await call('DELETE', `/warehouses/${warehouse.id}`);
          deepEqual([reply.status, reply.text], [204, '']);
          return warehouse;
        });
        for (const method of ['DELETE', 'GET']) {
          isProblem(await call(method, `/warehouses/${id}`), 404, 'warehouse_not_found');
        }
      },
    },
    {
      id: 'W12',
      promise:
        'A warehouse that orders or shipments refer to cannot be deleted: 409 `warehouse_in_use`, and nothing is lost.',
      source: 'decision',
      needs: ['platform'],
      holds: async ({ call, platform }) => {
        const { body } = await call('POST', '/warehouses', { body: WAREHOUSE });
        await given(platform).order({ orderNumber: `IN-USE-${body.id}`, warehouseId: body.id });
        isProblem(await call('DELETE', `/warehouses/${body.id}`), 409, 'warehouse_in_use');
        equal((await call('GET', `/warehouses/${body.id}`)).status, 200);
      },
    },
  ],
};
