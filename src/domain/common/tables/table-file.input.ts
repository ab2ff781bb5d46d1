import { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { inputObject, isGiven, mustBe } from '../fields.input.ts';

/** A file with a table, as a client of GraphQL sends it: the API takes JSON alone, so bytes are in Base64. */
export const tableFileInput = inputObject(
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
  (fields, sent): readonly Issue[] => {
    const [text, base64] = [isGiven('text', fields, sent), isGiven('base64', fields, sent)];
    if (text !== base64) return [];
    const message = text ? 'must be left out where base64 is given' : 'or base64 must be given';
    return [{ path: ['text'], code: text ? 'not_allowed' : 'required', message }];
  },
);
