import { z } from 'zod';
import { oneLine } from '../../../platform/plain-text.ts';

/** The part of a mapping that all tables share: which column holds what, and how numbers and days are written. */

const name = z
  .string()
  .overwrite(oneLine)
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'must be text without control characters' });

const joined = z
  .strictObject({
    all: z.array(name).min(2).max(5).describe('Columns whose texts are joined, such as a first name and a last name.'),
    by: z.string().max(5).describe('What stands between them.').default(' '),
  })
  .meta({ id: 'JoinedColumns' });

const COLUMN = {
  error: 'must be the name of a column, { "all": [names] } for columns that are joined, or a list of these',
};

export const mappedColumn = z
  .union(
    [
      name,
      joined,
      z
        .array(z.union([name, joined], COLUMN))
        .min(1)
        .max(30),
    ],
    COLUMN,
  )
  .describe('A column, or several of which the first that the file has counts. Case, blanks and signs do not matter.')
  .meta({ id: 'Column' });

export type MappedColumn = z.infer<typeof mappedColumn>;

export const TABLE_MAPPING = {
  $schema: z.string().describe('Ignored; lets an editor find the JSON Schema.').optional(),
  name: name.describe('Name of the mapping.'),
  sheet: name.describe('The sheet of a workbook. Without it the first that has the columns.').optional(),
  decimals: z
    .enum(['comma', 'point'])
    .describe(
      'What divides the decimals. Without it both are read: 1.234,50 and 1,234.50. A number such as 1.234 is then read as the other numbers of the file are, and rejected if these do not say.',
    )
    .optional(),
  dates: z
    .enum(['day_first', 'month_first'])
    .describe('Whether 03/11/2026 is in November or in March. Without it, the day is first.')
    .optional(),
  skip: z
    .array(
      z.strictObject({
        column: mappedColumn,
        values: z
          .array(z.string().max(200))
          .min(1)
          .max(100)
          .describe('Whole values; one that ends with * is a beginning, and an empty one is an empty cell.'),
      }),
    )
    .max(20)
    .default([])
    .describe('Rows that are left out, such as totals: those whose column has one of these values.'),
};
