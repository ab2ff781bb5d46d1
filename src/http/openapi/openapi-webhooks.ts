import type { Examples } from '../rest/examples.ts';
import type { JsonSchema } from '../rest/shape.ts';

/** A kind of event, the statuses of a shipment that fire it, and other triggers. */
export interface EventKind {
  readonly type: string;
  readonly statusCodes: readonly string[];
  readonly otherwise?: string;
}

/** The `webhooks` section: requests to a company's endpoints. The body's schema is the component `TrackingEvent`. */
export function webhooksSection(kinds: readonly EventKind[], examples: Examples['events']): JsonSchema {
  return Object.fromEntries(kinds.map(kind => [kind.type, { post: event(kind, examples[kind.type]) }]));
}

function event(
  { type, statusCodes, otherwise }: EventKind,
  example: Examples['events'][string] | undefined,
): JsonSchema {
  return {
    operationId: type.replaceAll(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
    summary: `Event ${type}`,
    description: [`${firing(statusCodes)}${otherwise ? `; ${otherwise}` : ''}.`, DELIVERY].join('\n\n'),
    tags: ['Webhooks'],
    // The signature replaces a key.
    security: [],
    parameters: Object.entries(HEADERS).map(([name, header]) => ({
      name,
      in: 'header',
      required: true,
      ...header,
      ...(example && { example: example.headers[name] }),
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/TrackingEvent' },
          ...(example && { example: example.body }),
        },
      },
    },
    responses: {
      '2XX': { description: 'Accepted. Respond within 15 seconds, and do the work afterwards.' },
      410: {
        description: 'The endpoint is gone. The service disables it and cancels the deliveries that wait for it.',
      },
      default: {
        description:
          'Any other response, or none: the service sends the event again, up to ten times in about three days. Redirects are not followed.',
      },
    },
  };
}

/** When an event is posted, as the beginning of a sentence. */
function firing(statusCodes: readonly string[]): string {
  const codes = statusCodes.map(code => `\`${code}\``);
  return `Posted when the status of a shipment becomes ${new Intl.ListFormat('en', { type: 'disjunction' }).format(codes)}`;
}

const DELIVERY =
  'It goes to every active endpoint that subscribes to it or to `tracking.*`. It can arrive more than once, and events can arrive in another order: `webhook-id` shows that you have an event already, and `sequence` shows which of two events of a shipment is older. Verify the signature before you use the body: see [Webhooks](/docs/webhooks).';

const HEADERS: Readonly<Record<string, JsonSchema>> = {
  'webhook-id': {
    description: "The event's id, the same on every attempt.",
    schema: { type: 'string', format: 'uuid' },
  },
  'webhook-timestamp': {
    description: 'When this attempt was made, in seconds since 1970.',
    schema: { type: 'string', pattern: '^\\d+$', maxLength: 12 },
  },
  'webhook-signature': {
    description:
      'HMAC-SHA256 of `id.timestamp.body` under the secret, in base64 after `v1,`. While a secret is rotated, there are several, separated by a space.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$', maxLength: 300 },
  },
};
