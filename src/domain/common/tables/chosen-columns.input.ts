import { z } from 'zod';
import { inputObject, list, mustBe } from '../fields.input.ts';

/** The limit on the columns of a table. */
const MAX_COLUMNS = 1_000;

const chosenColumn = inputObject('TableColumnInput', 'A column of a table, and a field that it is read as.', {
  header: z.string(mustBe('a string')).describe('The name of the column.'),
  field: z.string(mustBe('a string')).describe('The name of one of `fields`.'),
});

/** The columns that a person has chosen. */
export function chosenColumns() {
  return list(chosenColumn, { max: MAX_COLUMNS })
    .nullish()
    .describe(
      'The columns that are read, which replace the columns of the mapping. A field with several has their texts joined.',
    );
}
