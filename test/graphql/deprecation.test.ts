import { buildSchema, type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';

const DATED = /\b20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/;

interface Deprecatable {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

/** Deprecated fields without the day from which they may be gone. */
function undated(graph: GraphQLSchema): string[] {
  const all = Object.values(graph.getTypeMap()).flatMap((type): [string, Deprecatable][] => {
    const qualified = (things: readonly Deprecatable[], within = type.name): [string, Deprecatable][] =>
      things.map(thing => [`${within}.${thing.name}`, thing]);
    if (isEnumType(type)) return qualified(type.getValues());
    if (isInputObjectType(type)) return qualified(Object.values(type.getFields()));
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    const fields = Object.values(type.getFields());
    return [...qualified(fields), ...fields.flatMap(({ name, args }) => qualified(args, `${type.name}.${name}`))];
  });
  return all
    .filter(([, { deprecationReason }]) => deprecationReason != null && !DATED.test(deprecationReason))
    .map(([name]) => name);
}

test('A deprecated field states its replacement and the earliest day of its removal', () => {
  expect(undated(schema)).toEqual([]);
});

test('The check for dates of deprecations covers fields, arguments, inputs and values', () => {
  const planted = buildSchema(`
    type Query {
      dated: Int @deprecated(reason: "Use other; goes on or after 2027-06-01.")
      undated(argument: Int @deprecated(reason: "Use other.")): E @deprecated
      other(input: I): Int
    }
    input I { field: Int @deprecated(reason: "On 2027-13-01.") }
    enum E { VALUE @deprecated(reason: "Soon.") }`);
  expect(undated(planted)).toEqual(['Query.undated', 'Query.undated.argument', 'I.field', 'E.VALUE']);
});
