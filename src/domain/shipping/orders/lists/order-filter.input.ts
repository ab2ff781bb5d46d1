import type { z } from 'zod';
import { inputObject, soughtText } from '../../../common/fields.input.ts';
import { formerly } from '../../../common/former-names.input.ts';
import { dateRangeInput, soughtTexts } from '../../../common/list-filter.input.ts';
import { dateTime } from '../../../common/times.input.ts';

export const orderFilter = inputObject(
  'OrderFilter',
  'Which orders to list. An order must meet all conditions. A condition that would read too many orders needs another one that leaves few. Without it, the request is rejected as `too_costly`.',
  {
    orderNumber: soughtText().describe('Orders with this internal order number.'),
    marketplaceOrderNumber: soughtText().describe('Orders with this order number on the marketplace.'),
    trackingNumbers: soughtTexts().describe(
      'Orders of shipments with one of these main tracking numbers, at most 100; compared without spaces, dots, case and a leading MUL.',
    ),
    text: soughtText().describe(
      "Orders with this number: the exact internal number, or the order's number or identifier on the marketplace, or the main tracking number of one of its shipments. All but the internal number are compared as tracking numbers are.",
    ),
    marketplaces: soughtTexts().describe('Orders of one of these marketplaces, spelled exactly.'),
    marketplace: formerly(soughtText().describe('From this marketplace.'), 'marketplaces'),
    recipient: soughtText().describe(
      'Orders to a recipient whose name contains this, in either case. Needs a condition that leaves few orders.',
    ),
    provinces: soughtTexts().describe('Orders to one of these provinces, by abbreviation or name.'),
    postalCodes: soughtTexts().describe(
      'Orders to one of these postal codes. Needs a condition that leaves few orders.',
    ),
    updatedAt: dateRangeInput.nullish().describe('Orders changed last in this time.'),
    updatedSince: formerly(dateTime().nullish().describe('Orders changed at this time or later.'), 'updatedAt'),
    createdAt: dateRangeInput.nullish().describe('Orders created in this time.'),
  },
);

export type OrderFilter = z.output<typeof orderFilter>;
