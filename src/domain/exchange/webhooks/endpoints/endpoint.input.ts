import { z } from 'zod';
import type { Issue } from '../../../../platform/fault.ts';
import { asUri, MAX_URL_LENGTH, urlIssue } from '../../../../platform/outbound/outbound-url.ts';
import { add, enumOf, inputObject, list, mustBe, patchObject, text } from '../../../common/fields.input.ts';
import { deprecationOf, formerly, namesIssues } from '../../../common/former-names.input.ts';
import { dateRangeInput } from '../../../common/list-filter.input.ts';
import {
  MAX_METADATA_KEYS,
  MAX_METADATA_VALUE,
  METADATA_KEY,
  METADATA_KEY_IN_WORDS,
} from '../../../common/metadata.rules.ts';
import { recordId } from '../../../common/record-id.input.ts';
import { dateTime } from '../../../common/times.input.ts';
import { CARRIER_CODES } from '../../../shipping/carriers/carriers.catalog.ts';
import { STATUS_CODES } from '../../../shipping/tracking/status.rules.ts';
import { EVENT_TYPES, SUBSCRIPTIONS } from '../events/event.rules.ts';
import { NOTICE_TYPES } from '../notices/notice.rules.ts';
import type { EndpointFilter } from './endpoint-filter.rules.ts';

/** Higher than the number of names, because duplicates are allowed. */
const MAX_EVENTS = 100;
/** Only addresses that no installation allows are rejected here; the policy of the installation checks the rest. */
const ANYWHERE = { allowPrivate: ['0.0.0.0/0', '::/0'], allowHttp: true };

/** One or more events; duplicates are removed. */
export function oneOrMore(enumName: string, names: readonly string[]) {
  return list(enumOf(enumName, names), {
    min: 1,
    emptyCode: 'required',
    max: MAX_EVENTS,
  }).overwrite(chosen => names.filter(name => chosen.includes(name)));
}

function subscriptions() {
  return oneOrMore('WebhookSubscription', SUBSCRIPTIONS);
}

/** The fields of endpoints of each topic. */
export const addressFields = {
  label: text().describe('A name for it, 1–200 characters.'),
  url: z
    .string(mustBe('a string'))
    .overwrite(asUri)
    .check(payload => add(payload, urlIssue(payload.value, ANYWHERE)))
    .meta({ format: 'uri', maxLength: MAX_URL_LENGTH })
    .describe(
      'An https:// URL of at most 2,048 characters, without user or fragment, that leads to a public address. Characters outside of ASCII are stored in Punycode or percent-encoded.',
    ),
};

const fields = {
  ...addressFields,
  events: subscriptions().describe(`One or more of ${SUBSCRIPTIONS.join(', ')}. The last one stands for all.`),
};

/** The limit on the values of a condition. */
const MAX_FILTER_VALUES = 100;
export const MAX_SELECTION_LENGTH = 4_000;

/** Any of some values; an empty list would match nothing. */
function anyOf<Element extends z.ZodType>(element: Element, max = MAX_FILTER_VALUES) {
  return list(element, { min: 1, max });
}

const metadataCondition = inputObject('WebhookMetadataConditionInput', 'A key of the metadata, and its values.', {
  key: z
    .string(mustBe('a string'))
    .check(payload => {
      const message = `must be a key of ${METADATA_KEY_IN_WORDS}`;
      add(payload, METADATA_KEY.test(payload.value) ? undefined : { code: 'invalid_key', message });
    })
    .describe('The key.'),
  values: anyOf(text(MAX_METADATA_VALUE)).describe('One of these values, exactly.'),
});

const CONDITIONS = {
  carriers: anyOf(enumOf('CarrierCode', CARRIER_CODES), CARRIER_CODES.length)
    .nullish()
    .describe('Events of shipments with one of these carriers.'),
  warehouseIds: anyOf(recordId('Warehouse'))
    .nullish()
    .describe(
      'Events of shipments that leave from one of these warehouses. A shipment without a warehouse has the warehouse of its order.',
    ),
  marketplaces: anyOf(text())
    .nullish()
    .describe('Events of shipments whose order came from one of these marketplaces.'),
  statusCodes: anyOf(enumOf('TrackingStatusCode', STATUS_CODES), STATUS_CODES.length)
    .nullish()
    .describe('Events that leave the shipment in one of these states.'),
  metadata: anyOf(metadataCondition, MAX_METADATA_KEYS)
    .nullish()
    .describe(
      "Events of shipments whose metadata meets each of these conditions. For a key that a shipment does not have, its order's value counts.",
    ),
};

export const webhookFilterInput = inputObject(
  'WebhookFilterInput',
  'The events that an endpoint receives, among the kinds to which it subscribes. An event must meet every condition. Give at least one.',
  CONDITIONS,
  (_conditions, sent): readonly Issue[] => {
    if (Object.values(sent).some(condition => condition != null)) return [];
    return [{ path: [], code: 'empty', message: `must have at least one of ${Object.keys(CONDITIONS).join(', ')}` }];
  },
);

/** Fields of GraphQL that REST does not have. */
const graphFields = {
  filter: webhookFilterInput.nullish().describe('The filter that selects among these events. Null for all of them.'),
  selection: z
    .string(mustBe('a string'))
    .check(payload => {
      const message = `must have at most ${MAX_SELECTION_LENGTH} characters, but has ${payload.value.length}`;
      add(payload, payload.value.length > MAX_SELECTION_LENGTH ? { code: 'too_long', message } : undefined);
    })
    .nullish()
    .describe(
      `A GraphQL selection on \`WebhookEvent\`, such as \`{ shipment { trackingNumber } }\`. It selects what payloads have as \`data\`, instead of the tracking record. At most ${MAX_SELECTION_LENGTH} characters. Null for the record.`,
    ),
};

export const createWebhookInput = inputObject('CreateWebhookInput', 'A new webhook endpoint.', {
  ...fields,
  ...graphFields,
});

/** A new endpoint as REST takes it. */
export const createWebhookBody = inputObject('CreateWebhookInput', 'A new webhook endpoint.', fields);

/** A filter in its stored form, with only the given conditions. */
export function storedFilter(filter: z.output<typeof webhookFilterInput>): EndpointFilter {
  const { warehouseIds: warehouses, statusCodes: statuses, ...others } = filter;
  const stored = { ...others, warehouses: warehouses && [...new Set(warehouses)], statuses };
  return Object.fromEntries(Object.entries(stored).filter(([, condition]) => condition != null));
}

export const updateWebhookInput = patchObject(
  'UpdateWebhookInput',
  'The fields of a webhook endpoint to change, at least one. Null removes `filter` or `selection`, and is not allowed elsewhere.',
  { ...fields, ...graphFields },
);

/** The range of times for a list of deliveries, and why its former argument is deprecated. */
export const deliveryRange = dateRangeInput;
export const SINCE_DEPRECATED = deprecationOf('createdAt');

export const deliveryTimes = z.object({ createdAt: dateRangeInput.nullish(), since: dateTime().nullish() });

export const sendTestEventInput = inputObject('SendTestEventInput', 'Which example is sent, and to which endpoint.', {
  type: enumOf('WebhookEventType', [...EVENT_TYPES, ...NOTICE_TYPES])
    .nullish()
    .describe('An event of the topic of the endpoint. By default tracking.in_transit, or notice.endpoint_failing.'),
});

export const replayDeliveriesInput = inputObject(
  'ReplayDeliveriesInput',
  'Which events are sent again, and to which endpoint.',
  {
    from: dateTime().nullish().describe('From this time on. Required.'),
    to: dateTime().nullish().describe('Before this time. Required.'),
    since: formerly(dateTime().nullish().describe('From this time on.'), 'from'),
    until: formerly(dateTime().nullish().describe('Before this time.'), 'to'),
    events: subscriptions()
      .nullish()
      .describe(
        `Events of these kinds: ${SUBSCRIPTIONS.join(', ')}. By default all kinds that the endpoint subscribes to.`,
      ),
  },
  (fields, sent): readonly Issue[] => {
    const issues = [...namesIssues(sent, 'from', 'since', true), ...namesIssues(sent, 'to', 'until', true)];
    const { from, to } = replayedRange(fields);
    if (issues.length > 0 || from == null || to == null || to > from) return issues;
    const path = [fields.to == null ? 'until' : 'to'];
    return [{ path, code: 'out_of_range', message: 'must be later than the start of the range' }];
  },
);

interface ReplayedTimes<Time> {
  readonly from?: Time;
  readonly to?: Time;
  readonly since?: Time;
  readonly until?: Time;
}

/** The range of a replay by the names that were sent. */
export function replayedRange<Time>({ from, to, since, until }: ReplayedTimes<Time>) {
  return { from: from ?? since, to: to ?? until };
}

export type Replay = z.input<typeof replayDeliveriesInput>;
export type EndpointInput = z.input<typeof createWebhookInput>;
export type EndpointPatch = z.input<typeof updateWebhookInput>;
