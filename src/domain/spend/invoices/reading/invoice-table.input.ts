import type { z } from 'zod';
import type { Issue } from '../../../../platform/fault.ts';
import { anyJson, enumOf, inputObject, isGiven } from '../../../common/fields.input.ts';
import { chosenColumns } from '../../../common/tables/chosen-columns.input.ts';
import { LOCALES, type Locale } from '../../../common/tables/locales.catalog.ts';
import { tableFileInput } from '../../../common/tables/table-file.input.ts';
import { INVOICE_MAPPINGS } from './invoice-mappings.catalog.ts';

const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) => Object.keys(table) as [Key, ...Key[]];

export const invoiceTableInput = inputObject(
  'CarrierInvoiceTableInput',
  'A table with the lines of an invoice, whose columns are to be shown.',
  {
    file: tableFileInput.describe('The file.'),
    mapping: enumOf('CarrierInvoiceMapping', keysOf(INVOICE_MAPPINGS))
      .nullish()
      .describe("By which mapping it is read. By default that of the connection's carrier, or else `PLAIN`."),
    ownMapping: anyJson()
      .nullish()
      .describe('A mapping of your own instead; `schema/invoice-mapping.schema.json` describes it.'),
    locale: enumOf('TableLocale', keysOf<Locale>(LOCALES))
      .nullish()
      .describe('How numbers and days are written, in place of the mapping.'),
    columns: chosenColumns().nullish(),
  },
  (fields, sent): readonly Issue[] =>
    isGiven('mapping', fields, sent) && isGiven('ownMapping', fields, sent)
      ? [{ path: ['ownMapping'], code: 'not_allowed', message: 'must be left out where mapping is given' }]
      : [],
);

export type InvoiceTableInput = z.output<typeof invoiceTableInput>;
