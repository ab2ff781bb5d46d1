import type { z } from 'zod';
import { decimal, enumOf, flag, inputObject, integer, list, optionalText, text } from '../../common/fields.input.ts';
import { recipientType } from '../../common/places/recipient.input.ts';
import { MAX_PARCEL_KINDS } from '../../shipping/orders/orders.rules.ts';
import { COD_PAYMENTS } from '../tariffs/shipment-terms.rules.ts';
import { EUR } from './quote.input.ts';

/** Inputs of a price beside the shipment itself. */

const quotePalletInput = inputObject('QuotePalletInput', 'Parcels of one kind that are pallets.', {
  parcel: integer(0, MAX_PARCEL_KINDS - 1).describe(
    'Position of the kind of parcels in the input or the order, from 0.',
  ),
  type: text(40)
    .nullish()
    .describe(
      'Type of the pallets, such as `EUR`, as tariffs name it. Tariffs with classes of pallets find the class by weight, height and sides, unless this names a class.',
    ),
  isStackable: flag().default(false).describe('Whether something can stand on them.'),
});

export const quoteTermsInput = inputObject('QuoteTermsInput', 'What prices can depend on beside the shipment.', {
  service: optionalText(40).describe(
    'Code of the service, such as `express`; connections whose tariff does not have it do not apply. By default the service of the order, or else the cheapest that fits.',
  ),
  codPayment: enumOf('CodPayment', COD_PAYMENTS)
    .nullish()
    .describe('How the amount is collected; `CASH` where not given.'),
  goodsValue: decimal(EUR)
    .nullish()
    .describe(
      'What the goods are worth, EUR, for customs; at most 2 decimals. With `orderId` it replaces the value of the order. 0 where nothing states it.',
    ),
  dutiesAmount: decimal(EUR)
    .nullish()
    .describe('Duties and taxes that the carrier advances, EUR; at most 2 decimals. 0 where not given.'),
  monthlyShipments: integer(0, 10_000_000)
    .nullish()
    .describe('Shipments of the month, for tariffs with prices by volume. 0 where not given.'),
  recipientType: recipientType()
    .nullish()
    .describe('What the recipient is. With `orderId` it replaces the type of the recipient of the order.'),
  pallets: list(quotePalletInput, { max: MAX_PARCEL_KINDS })
    .nullish()
    .describe('Which parcels are pallets. With `orderId`, beside those that the order says.'),
});

export type QuoteTermsInput = z.output<typeof quoteTermsInput>;
