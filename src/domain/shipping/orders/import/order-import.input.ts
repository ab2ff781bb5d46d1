import type { z } from 'zod';
import { anyJson, enumOf, flag, inputObject, keysOf, text } from '../../../common/fields.input.ts';
import { oneOf } from '../../../common/one-of.input.ts';
import { recordId } from '../../../common/record-id.input.ts';
import { chosenColumns } from '../../../common/tables/chosen-columns.input.ts';
import { LOCALES, type Locale } from '../../../common/tables/locales.catalog.ts';
import { tableFileInput } from '../../../common/tables/table-file.input.ts';
import { ORDER_MAPPINGS, type OrderMappingName } from './order-mappings.catalog.ts';

const orderMappingInput = oneOf('OrderMappingInput', 'A mapping of the service, or one of your own.', {
  name: enumOf('OrderMapping', keysOf<OrderMappingName>(ORDER_MAPPINGS))
    .nullish()
    .describe('A mapping of the service.'),
  document: anyJson().nullish().describe('A mapping of your own; `schema/order-mapping.schema.json` describes it.'),
});

/** A file, and how it is read. */
const TABLE = {
  file: tableFileInput.describe('The file.'),
  mapping: orderMappingInput
    .nullish()
    .describe(
      'The mapping by which it is read. By default the mapping of the shop whose export it is, or else `STANDARD`.',
    ),
  locale: enumOf('TableLocale', keysOf<Locale>(LOCALES))
    .nullish()
    .describe('How numbers and days are written, in place of the mapping.'),
  sheet: text().nullish().describe('The sheet of a workbook. By default the first that has the columns of orders.'),
};

export const orderTableInput = inputObject('OrderTableInput', 'A table of orders whose columns are to be shown.', {
  ...TABLE,
  columns: chosenColumns(),
});

export type OrderTableInput = z.output<typeof orderTableInput>;

export const importOrdersInput = inputObject(
  'ImportOrdersInput',
  'A table of orders: an export of a shop, or a spreadsheet of a person.',
  {
    ...TABLE,
    warehouseId: recordId('Warehouse').nullish().describe('The warehouse of orders whose row names none.'),
    dryRun: flag().default(false).describe('Whether the rows are only checked.'),
    acceptGoodRows: flag()
      .default(false)
      .describe('Whether good rows are stored even if others are wrong. Without it, one wrong row rejects all others.'),
  },
);

export type ImportOrdersInput = z.output<typeof importOrdersInput>;
