import type { z } from 'zod';
import { dateTime, inputObject, soughtText } from '../../common/fields.input.ts';
import { dateRangeInput, soughtTexts } from '../../common/list-filter.input.ts';

export const orderFilter = inputObject(
  'OrderFilter',
  'Which orders to list. An order must meet all conditions. A condition that no index supports needs another one that leaves few orders. Without it, the request is rejected as `too_costly`.',
  {
    orderNumber: soughtText().describe('With this internal order number.'),
    marketplaceOrderNumber: soughtText().describe('With this order number on the marketplace.'),
    trackingNumbers: soughtTexts().describe(
      'Of shipments with one of these main tracking numbers, at most 100; compared without spaces, dots, case and a leading MUL.',
    ),
    text: soughtText().describe(
      "With this number: the exact internal number, or the order's number or identifier on the marketplace, or the main tracking number of one of its shipments. All but the internal number are compared as tracking numbers are.",
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
