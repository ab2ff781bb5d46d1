import { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { MAX_URL_LENGTH, urlIssue } from '../../../platform/outbound/outbound-url.ts';
import { add, dateTime, enumOf, inputObject, list, mustBe, patchObject, text } from '../../fields.input.ts';
import { EVENT_TYPES, SUBSCRIPTIONS } from '../events/event.rules.ts';

/** Webhook endpoints as they are sent. */

/** Names may be sent twice. */
const MAX_EVENTS = 100;
/** What no installation allows is rejected here; what an installation allows is its policy's to say. */
const ANYWHERE = { allowPrivate: ['0.0.0.0/0', '::/0'], allowHttp: true };

/** One or more of the events that can be subscribed to; duplicates are folded. */
function subscriptions() {
  return list(enumOf('WebhookSubscription', SUBSCRIPTIONS), {
    min: 1,
    emptyCode: 'required',
    max: MAX_EVENTS,
  }).overwrite(events => SUBSCRIPTIONS.filter(name => events.includes(name)));
}

const fields = {
  label: text().describe('A name for it, 1–200 characters.'),
  url: z
    .string(mustBe('a string'))
    .check(payload => add(payload, urlIssue(payload.value, ANYWHERE)))
    .meta({ format: 'uri', maxLength: MAX_URL_LENGTH })
    .describe('An https:// URL of at most 2,048 characters, without user or fragment, that leads to a public address.'),
  events: subscriptions().describe(`One or more of ${SUBSCRIPTIONS.join(', ')}; the last stands for all.`),
};

export const createWebhookInput = inputObject('CreateWebhookInput', 'A new webhook endpoint.', fields);

export const updateWebhookInput = patchObject(
  'UpdateWebhookInput',
  'The fields of a webhook endpoint to change; at least one, none of them null.',
  fields,
);

/** From when deliveries are listed. */
export const sinceInput = z.object({ since: dateTime().nullish() });

const DEFAULT_TEST = 'tracking.in_transit';

export const sendTestEventInput = inputObject('SendTestEventInput', 'Which example is sent, and to which endpoint.', {
  type: enumOf('WebhookEventType', EVENT_TYPES)
    .nullable()
    .transform(type => type ?? DEFAULT_TEST)
    .prefault(DEFAULT_TEST)
    .describe(`One of ${EVENT_TYPES.join(', ')}.`),
});

export const replayDeliveriesInput = inputObject(
  'ReplayDeliveriesInput',
  'Which events are sent again, and to which endpoint.',
  {
    since: dateTime().describe('From this time on.'),
    until: dateTime().describe('Before this time.'),
    events: subscriptions()
      .nullish()
      .describe(`Of these kinds: ${SUBSCRIPTIONS.join(', ')}; by default those it subscribes to.`),
  },
  ({ since, until }): readonly Issue[] => {
    if (since === undefined || until === undefined || until > since) return [];
    return [{ path: ['until'], code: 'out_of_range', message: 'must be later than since' }];
  },
);

export type Replay = z.input<typeof replayDeliveriesInput>;
export type EndpointInput = z.input<typeof createWebhookInput>;
export type EndpointPatch = z.input<typeof updateWebhookInput>;
