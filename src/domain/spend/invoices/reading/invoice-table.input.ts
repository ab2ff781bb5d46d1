import type { z } from 'zod';
import { anyJson, enumOf, inputObject, keysOf } from '../../../common/fields.input.ts';
import { oneOf } from '../../../common/one-of.input.ts';
import { chosenColumns } from '../../../common/tables/chosen-columns.input.ts';
import { LOCALES, type Locale } from '../../../common/tables/locales.catalog.ts';
import { tableFileInput } from '../../../common/tables/table-file.input.ts';
import { INVOICE_MAPPINGS } from './invoice-mappings.catalog.ts';

export const invoiceMappingInput = oneOf(
  'CarrierInvoiceMappingInput',
  'A mapping of the service, or one of your own.',
  {
    name: enumOf('CarrierInvoiceMapping', keysOf(INVOICE_MAPPINGS)).nullish().describe('A mapping of the service.'),
    document: anyJson().nullish().describe('A mapping of your own; `schema/invoice-mapping.schema.json` describes it.'),
  },
);

export const invoiceLocale = enumOf('TableLocale', keysOf<Locale>(LOCALES))
  .nullish()
  .describe('How numbers and days are written, in place of the mapping.');

export const invoiceTableInput = inputObject(
  'CarrierInvoiceTableInput',
  'A table with the lines of an invoice, whose columns are to be shown.',
  {
    file: tableFileInput.describe('The file.'),
    mapping: invoiceMappingInput
      .nullish()
      .describe(
        "The mapping by which it is read. By default the one with most columns in the file, and of equal ones the carrier's.",
      ),
    locale: invoiceLocale,
    columns: chosenColumns(),
  },
);

export type InvoiceTableInput = z.output<typeof invoiceTableInput>;
