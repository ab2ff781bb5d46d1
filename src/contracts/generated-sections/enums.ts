import type { GraphQLEnumType } from 'graphql';
import { schema } from '../../graphql/schema.ts';
import { code, table } from './markdown.ts';

/**
 * The values of an enum of the graph with their descriptions, without deprecated ones.
 *
 * @param heading the heading of the first column
 */
export function enumValues(name: string, heading: string): () => string {
  return () => {
    const values = (schema.getType(name) as GraphQLEnumType).getValues();
    const rows = values.filter(({ deprecationReason }) => deprecationReason == null);
    return table(
      [heading, 'Meaning'],
      rows.map(value => [code(value.name), value.description ?? '']),
    );
  };
}
