import type { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { enumOf, inputObject, isGiven, optionalText, text } from '../../common/fields.input.ts';
import { trackingKey } from '../../common/number.rules.ts';
import { recordId } from '../../common/record-id.input.ts';
import { dateTime } from '../../common/times.input.ts';
import { type CheckedEvent, isInTheFuture } from './events.rules.ts';
import { MAX_NUMBER } from './shipments.rules.ts';
import { STATUS_CODES } from './status.rules.ts';

const MAX_TEXT = 1000;
const MAX_CODE = 100;

export const trackingEventInput = inputObject(
  'TrackingEventInput',
  'Something that happened to a shipment.',
  {
    trackingNumber: text(MAX_NUMBER).describe('Number of the shipment, or of a secondary label.'),
    carrierConnectionId: recordId('CarrierConnection')
      .nullish()
      .describe('The carrier connection. Needed only if several have a shipment with the number.')
      .meta({ fileName: 'carrierCompanyId' }),
    occurredAt: dateTime().describe('When it happened, at most 24 hours ahead of the clock.'),
    statusCode: enumOf('TrackingStatusCode', STATUS_CODES)
      .nullish()
      .describe(
        `Canonical state: ${STATUS_CODES.join(', ')}. By default it is derived from the carrier's code or text.`,
      ),
    carrierStatusCode: optionalText(MAX_CODE).describe("The carrier's own code."),
    carrierStatusGroup: optionalText(MAX_CODE).describe(
      "The carrier's own code of a wider status, such as FedEx' `derivedStatusCode`. It is used where the table of the carrier has no row for the `carrierStatusCode`, and is not stored.",
    ),
    description: optionalText(MAX_TEXT).describe("The carrier's own text."),
    location: optionalText().describe('Where it happened.'),
    note: optionalText(MAX_TEXT).describe('Free remark.'),
  },
  timeIssues,
  statusIssues,
);

export type TrackingEventInput = z.input<typeof trackingEventInput>;

/** The event in its recorded form. */
export function eventFields(input: z.output<typeof trackingEventInput>): CheckedEvent {
  return {
    trackingKey: trackingKey(input.trackingNumber),
    carrierConnectionId: input.carrierConnectionId ?? null,
    occurredAt: input.occurredAt,
    statusCode: input.statusCode ?? null,
    carrierStatusCode: input.carrierStatusCode ?? null,
    carrierStatusGroup: input.carrierStatusGroup ?? null,
    description: input.description ?? null,
    location: input.location ?? null,
    note: input.note ?? null,
  };
}

/** Checks that the event is not in the future. */
function timeIssues({ occurredAt }: { readonly occurredAt?: Date }): readonly Issue[] {
  if (occurredAt === undefined || !isInTheFuture(occurredAt, new Date())) return [];
  return [{ path: ['occurredAt'], code: 'in_the_future', message: 'must be at most 24 hours in the future' }];
}

/** Checks that there is a state, or data from which one can be derived. */
function statusIssues(fields: object, sent: object): readonly Issue[] {
  const names = ['statusCode', 'carrierStatusCode', 'description'];
  if (names.some(name => isGiven(name, fields, sent))) return [];
  const message = 'must be given, or a carrierStatusCode or description it can be derived from';
  return [{ path: ['statusCode'], code: 'required', message }];
}
