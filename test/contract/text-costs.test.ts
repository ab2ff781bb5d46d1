import { getNamedType, isInterfaceType, isObjectType, isScalarType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { TEXTS, textFields } from '../../src/graphql/work-plugin.ts';

// Texts that a caller can make long are paid for by length, wherever the graph shows them.

/** Scalars of a length of their own. */
const OF_FIXED_LENGTH = ['Boolean', 'Date', 'DateTime', 'Decimal', 'Float', 'ID', 'Int', 'Long', 'Money', 'UUID'];

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

test('Every scalar has a length of its own, or its texts are counted', () => {
  const scalars = types.filter(isScalarType).map(({ name }) => name);
  expect(scalars.toSorted()).toEqual([...OF_FIXED_LENGTH, ...TEXTS].toSorted());
});

test('Every field with texts counts them', () => {
  const fields = types.flatMap(type => {
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const own = Object.values(type.getFields()).filter(field => TEXTS.has(getNamedType(field.type).name));
    return own.map(({ name }) => `${type.name}.${name}`);
  });
  expect(fields.filter(field => !textFields.has(field))).toEqual([]);
});

test('Whole documents have the price of the largest, and one field counts before it reads', () => {
  const fieldsOf = (where: string) => [...textFields].flatMap(([field, counted]) => (counted === where ? [field] : []));
  expect(fieldsOf('price').toSorted()).toEqual([
    'CarrierReference.content',
    'Tariff.document',
    'TariffRevision.document',
  ]);
  expect(fieldsOf('itself')).toEqual(['WebhookDelivery.body']);
});
