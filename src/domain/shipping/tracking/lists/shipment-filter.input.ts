import type { z } from 'zod';
import type { Issue } from '../../../../platform/fault.ts';
import { enumOf, flag, inputObject, integer, isGiven, list, soughtText } from '../../../common/fields.input.ts';
import { formerly } from '../../../common/former-names.input.ts';
import { dateRangeInput, MAX_SOUGHT, soughtTexts } from '../../../common/list-filter.input.ts';
import { recordId } from '../../../common/record-id.input.ts';
import { dateTime } from '../../../common/times.input.ts';
import { CARRIER_CODES } from '../../carriers/carriers.catalog.ts';
import { ESTIMATE_SOURCES } from '../estimates/estimates.rules.ts';
import { MAX_NUMBER } from '../shipments.rules.ts';
import { STATUS_CODES } from '../status.rules.ts';

const MAX_DAYS = 365;

export const shipmentFilter = inputObject(
  'ShipmentFilter',
  'Which shipments to list. A shipment must meet all conditions. A condition that would read too many shipments needs another one that leaves few. Without it, the request is rejected as `too_costly`.',
  {
    statusCodes: list(enumOf('TrackingStatusCode', STATUS_CODES), { max: STATUS_CODES.length })
      .nullish()
      .describe('Shipments in one of these states.'),
    isOpen: flag()
      .nullish()
      .describe(
        'True for shipments that are not yet delivered, returned, lost or cancelled, false for those that are.',
      ),
    carrierConnectionId: recordId('CarrierConnection')
      .nullish()
      .describe('Shipments with this carrier connection.')
      .meta({ fileName: 'carrierCompanyId' }),
    carriers: list(enumOf('CarrierCode', CARRIER_CODES), { max: MAX_SOUGHT })
      .nullish()
      .describe('Shipments with one of these carriers.'),
    trackingNumbers: soughtTexts(MAX_NUMBER).describe(
      'Shipments with one of these main tracking numbers, at most 100; compared without spaces, dots, case and a leading MUL.',
    ),
    orderNumber: soughtText().describe('Shipments for the order with this internal number.'),
    text: soughtText().describe(
      "Shipments with this number, compared as tracking numbers are: the tracking number, the number of a secondary label, `parcelId`, `reference`, or the order's internal number, or its number or identifier on the marketplace.",
    ),
    marketplaces: soughtTexts().describe('Shipments for orders of one of these marketplaces, spelled exactly.'),
    recipient: soughtText().describe(
      'Shipments to a recipient whose name contains this, in either case. Needs a condition that leaves few shipments.',
    ),
    provinces: soughtTexts().describe('Shipments to one of these provinces, by abbreviation or name.'),
    postalCodes: soughtTexts().describe(
      'Shipments to one of these postal codes. Needs a condition that leaves few shipments.',
    ),
    updatedAt: dateRangeInput
      .nullish()
      .describe('Shipments that the carrier or the platform changed last in this time.'),
    updatedSince: formerly(
      dateTime().nullish().describe('Shipments changed at this time or later, by the carrier or the platform.'),
      'updatedAt',
    ),
    createdAt: dateRangeInput.nullish().describe('Shipments created in this time.'),
    shippedAt: dateRangeInput
      .nullish()
      .describe('Shipments shipped in this time. Needs a condition that leaves few shipments.'),
    deliveredAt: dateRangeInput.nullish().describe('Shipments delivered in this time.'),
    expectedDeliveryAt: dateRangeInput
      .nullish()
      .describe(
        'Shipments expected in this time by the carrier or the platform. Needs `isOpen: true`, or another condition that leaves few shipments.',
      ),
    isLate: flag()
      .nullish()
      .describe(
        'True for shipments that are open and past the date on which the carrier or the platform expects them, false for all others.',
      ),
    wasLate: flag()
      .nullish()
      .describe(
        'True for delivered shipments that came after the date on which they were expected, false for those that came by it. Without such a date, a shipment is neither.',
      ),
    wasLateAgainst: enumOf('DeliveryEstimateSource', ESTIMATE_SOURCES)
      .nullish()
      .describe(
        "The source of the date that `wasLate` compares: the carrier's last one, the platform's, or the service's estimate at the first scan, which is kept for 90 days and compared in the night after the delivery. By default the carrier's, otherwise the platform's.",
      ),
    stalledForDays: integer(1, MAX_DAYS)
      .nullish()
      .describe('Open, and without a new state for so many days: neither `statusAt` nor its creation is later.'),
  },
  (fields, sent): readonly Issue[] =>
    fields.wasLateAgainst != null && !isGiven('wasLate', fields, sent)
      ? [{ path: ['wasLateAgainst'], code: 'not_allowed', message: 'is only for a filter with `wasLate`' }]
      : [],
);

export type ShipmentFilter = z.output<typeof shipmentFilter>;
