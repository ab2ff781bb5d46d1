import { z } from 'zod';
import { METADATA_KEY } from '../../../common/metadata.rules.ts';
import { mappedColumn, TABLE_MAPPING } from '../../../common/tables/table-mapping.format.rules.ts';
import { ORDER_COLUMNS, type OrderColumn, type OrderField } from './order-columns.catalog.ts';

/** The form of a mapping of orders. `schema/order-mapping.schema.json` is made from it. */

export const orderMapping = z
  .strictObject({
    ...TABLE_MAPPING,
    columns: z
      .strictObject(
        Object.fromEntries(
          Object.entries<OrderColumn>(ORDER_COLUMNS).map(([field, { description }]) => [
            field,
            mappedColumn.describe(description).optional(),
          ]),
        ) as Record<OrderField, z.ZodOptional<typeof mappedColumn>>,
      )
      .refine(({ orderNumber }) => orderNumber !== undefined, { error: 'must have orderNumber' })
      .describe('Which column holds what. `orderNumber` is required.')
      .meta({ required: ['orderNumber'] }),
    metadata: z
      .record(z.string().regex(METADATA_KEY), mappedColumn)
      .describe('Columns of your own, by the keys of `metadata`. Columns such as `metadata.channel` need no mapping.')
      .default({}),
    values: z
      .partialRecord(
        z.enum(['marketplace', 'warehouseId', 'recipient.countryCode', 'recipient.type', 'service']),
        z.string().max(200),
      )
      .describe('Values of all orders whose row has none, such as the warehouse, written as in a cell.')
      .default({}),
    repeated: z
      .literal('first')
      .describe('Which of several columns with one name is read. Without it, they are an error.')
      .optional(),
    cashOnDelivery: z
      .strictObject({
        payment: mappedColumn.describe('How the order is paid.'),
        words: z
          .array(z.string().max(200))
          .min(1)
          .max(200)
          .describe(
            'Words for cash on delivery, which the payment contains; * stands for the rest of a word. One behind a "no" or "senza" does not count.',
          ),
        amount: mappedColumn
          .describe('The total, which the carrier collects in this case. Without it, such an order is a problem.')
          .optional(),
        outstanding: mappedColumn.describe('What is still to be paid. It counts in place of the total.').optional(),
        paidAmount: mappedColumn
          .describe(
            'Amounts that were paid or refunded, such as with a gift card. With one, the total is not what is to be collected: the order is a problem, unless the whole total is paid.',
          )
          .optional(),
        paid: z
          .array(z.strictObject({ column: mappedColumn, values: z.array(z.string().max(200)).min(1).max(100) }))
          .max(20)
          .describe('States of the payment and of the order which say that nothing is left to collect. * is any value.')
          .default([]),
      })
      .describe('For shops that name the payment and not an amount to collect.')
      .optional(),
  })
  .describe('Which column of an export of orders holds what.');

export type OrderMapping = z.infer<typeof orderMapping>;

export function orderMappingJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(orderMapping, { target: 'draft-2020-12', io: 'input' });
  return { title: 'Order mapping', $schema, ...schema };
}
