import type { z } from 'zod';
import { dateTime, inputObject, soughtText } from '../../fields.input.ts';
import { dateRangeInput, soughtTexts } from '../../list-filter.input.ts';

export const orderFilter = inputObject(
  'OrderFilter',
  'Which orders to list; all conditions hold. A condition that no index serves needs another one that leaves few orders, and is refused as `too_costly` without it.',
  {
    orderNumber: soughtText().describe('With this internal order number.'),
    marketplaceOrderNumber: soughtText().describe('With this order number on the marketplace.'),
    trackingNumbers: soughtTexts().describe(
      'Of shipments with one of these main tracking numbers, at most 100; compared without spaces, dots, case and a leading MUL.',
    ),
    text: soughtText().describe(
      "With this number: the internal one to the letter; the order's number or identifier on the marketplace, or the main tracking number of a shipment of it, as tracking numbers are compared.",
    ),
    marketplace: soughtText().describe('From this marketplace.'),
    recipient: soughtText().describe(
      'To a recipient whose name has this in it, in either case. Needs a condition that leaves few orders, since no index has names.',
    ),
    provinces: soughtTexts().describe('To one of these provinces, by abbreviation or name.'),
    postalCodes: soughtTexts().describe('To one of these postal codes. Needs a condition that leaves few orders.'),
    updatedSince: dateTime().nullish().describe('Changed at this time or later.'),
    created: dateRangeInput.nullish().describe('Created in this time.'),
  },
);

export type OrderFilter = z.output<typeof orderFilter>;
