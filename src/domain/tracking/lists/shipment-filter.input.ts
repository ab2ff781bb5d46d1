import type { z } from 'zod';
import { CARRIER_CODES } from '../../carriers/carriers.catalog.ts';
import {
  dateTime,
  enumOf,
  flag,
  identifier,
  inputObject,
  integer,
  list,
  soughtText,
} from '../../common/fields.input.ts';
import { dateRangeInput, MAX_SOUGHT, soughtTexts } from '../../common/list-filter.input.ts';
import { MAX_NUMBER } from '../shipments.rules.ts';
import { STATUS_CODES } from '../status.rules.ts';

const MAX_DAYS = 365;

export const shipmentFilter = inputObject(
  'ShipmentFilter',
  'Which shipments to list. A shipment must meet all conditions. A condition that no index supports needs another one that leaves few shipments. Without it, the request is rejected as `too_costly`.',
  {
    statusCode: list(enumOf('TrackingStatusCode', STATUS_CODES), { max: STATUS_CODES.length })
      .nullish()
      .describe('In one of these states.'),
    open: flag()
      .nullish()
      .describe(
        'True for shipments that are not yet delivered, returned, lost or cancelled, false for those that are.',
      ),
    carrierCompanyId: identifier().nullish().describe('Of this carrier connection.'),
    carriers: list(enumOf('CarrierCode', CARRIER_CODES), { max: MAX_SOUGHT })
      .nullish()
      .describe('Of one of these carriers.'),
    trackingNumbers: soughtTexts(MAX_NUMBER).describe(
      'With one of these main tracking numbers, at most 100; compared without spaces, dots, case and a leading MUL.',
    ),
    orderNumber: soughtText().describe('Of the order with this internal number.'),
    text: soughtText().describe(
      "With this number, compared as tracking numbers are: the tracking number, that of a secondary label, `parcelId`, `reference`, or the order's internal number, or its number or identifier on the marketplace.",
    ),
    marketplaces: soughtTexts().describe('Of orders of one of these marketplaces, to the letter.'),
    recipient: soughtText().describe(
      'To a recipient whose name has this in it, in either case. Needs a condition that leaves few shipments, since no index has names.',
    ),
    provinces: soughtTexts().describe('To one of these provinces, by abbreviation or name.'),
    postalCodes: soughtTexts().describe('To one of these postal codes. Needs a condition that leaves few shipments.'),
    updatedSince: dateTime().nullish().describe('Changed at this time or later, by the carrier or the platform.'),
    created: dateRangeInput.nullish().describe('Created in this time.'),
    shipped: dateRangeInput.nullish().describe('Shipped in this time. Needs a condition that leaves few shipments.'),
    delivered: dateRangeInput.nullish().describe('Delivered in this time.'),
    expected: dateRangeInput
      .nullish()
      .describe(
        'Expected in this time by the carrier or the platform. Needs `open: true`, or another condition that leaves few shipments.',
      ),
    late: flag()
      .nullish()
      .describe(
        'True for shipments that are open and past the date on which the carrier or the platform expects them, false for all others.',
      ),
    stalledForDays: integer(1, MAX_DAYS)
      .nullish()
      .describe('Open, and without a new state for so many days: neither `statusAt` nor its creation is later.'),
  },
);

export type ShipmentFilter = z.output<typeof shipmentFilter>;
