import { describe, expect, test } from 'vitest';
import { unnamedChanges } from '../../src/contracts/breaking-changes.ts';

const RELEASED = `type Query { shipment(id: ID!, last: Int = 100): Shipment }
  type Shipment { id: ID! weight: String status: Status parcelCount: Int }
  enum Status { LOST HELD }
  input Filter { open: Boolean }`;

const unnamed = (current: string, section = '', older = '') =>
  unnamedChanges(
    RELEASED,
    current,
    `# Changelog\n\n## Unreleased\n\n### What you have to do\n\n${section}\n\n## 0.2.0\n${older}`,
  );

describe('A change of GraphQL that breaks documents must be in the changelog,', () => {
  test.each<[what: string, was: string, is: string, change: string]>([
    ['a field is removed', ' weight: String', '', 'Shipment.weight was removed'],
    ['a field has another type', 'weight: String', 'weight: Int', 'Shipment.weight changed type from String to Int'],
    ['a value of an enum is removed', ' HELD', '', 'HELD was removed from enum type Status'],
    ['an argument is removed', ', last: Int = 100', '', 'Query.shipment arg last was removed'],
    [
      'a default changes',
      'last: Int = 100',
      'last: Int = 50',
      'Query.shipment arg last has changed defaultValue from 100 to 50',
    ],
    [
      'an input needs a field',
      'open: Boolean',
      'open: Boolean late: Boolean!',
      'A required field late on input type Filter was added',
    ],
  ])('such as: %s', (_what, was, is, change) => {
    const current = RELEASED.replace(was, is);
    expect(unnamed(current)).toEqual([change]);
    expect(unnamed(current, `- In GraphQL, ${change.replace(/^\S+/, name => `\`${name}\``)}: use another.`)).toEqual(
      [],
    );
    expect(unnamed(current, '', `- ${change}.`)).toEqual([change]);
  });

  test('but an addition need not be there', () => {
    const current = `${RELEASED.replace('HELD', 'HELD FOUND').replace('id: ID! ', 'id: ID! note: String ')} type More { id: ID }`;
    expect(unnamed(current)).toEqual([]);
  });
});
