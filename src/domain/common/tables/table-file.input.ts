import { z } from 'zod';
import { mustBe } from '../fields.input.ts';
import { oneOf } from '../one-of.input.ts';

/** A file with a table, as a client of GraphQL sends it: the API takes JSON alone, so bytes are in Base64. */
export const tableFileInput = oneOf(
  'TableFileInput',
  'A file with a table: its text, or its bytes in Base64. A request has at most 4 MiB.',
  {
    text: z
      .string(mustBe('a string'))
      .nullish()
      .describe('The text of a CSV or TSV. Semicolon, tab, comma or bar separates the cells.'),
    base64: z
      .string(mustBe('a string'))
      .regex(/^[A-Za-z0-9+/=\s]*$/, { error: 'must be Base64' })
      .nullish()
      .describe('The bytes of an `.xlsx`, or of a CSV or TSV in UTF-8, UTF-16 or Windows-1252, in Base64.'),
  },
);
