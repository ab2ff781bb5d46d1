import type { Examples } from '../rest/examples.ts';
import type { JsonSchema } from '../rest/shape.ts';

/** A kind of event, the states of a shipment that fire it, and what else does. */
export interface EventKind {
  readonly type: string;
  readonly statusCodes: readonly string[];
  readonly otherwise?: string;
}

/** The `webhooks` section: what is posted to a company's endpoints. The body's schema is the component `TrackingEvent`. */
export function webhooksSection(kinds: readonly EventKind[], examples: Examples['events']): JsonSchema {
  return Object.fromEntries(kinds.map(kind => [kind.type, { post: event(kind, examples[kind.type]) }]));
}

function event(
  { type, statusCodes, otherwise }: EventKind,
  example: Examples['events'][string] | undefined,
): JsonSchema {
  return {
    operationId: type.replaceAll(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
    summary: `A shipment becomes ${statusCodes.map(code => `\`${code}\``).join(', ')}${otherwise ? `; ${otherwise}` : ''}`,
    description:
      'Posted to every active endpoint that subscribed to it or to `tracking.*`, at least once and in no promised order: `webhook-id` tells what a receiver has already, `sequence` which of two events of a shipment is older. Verify the signature before you believe it: see the [guide](/docs/webhooks).',
    tags: ['Webhooks'],
    // The signature takes the place of a key.
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
      410: { description: 'The endpoint is gone: it is disabled, and what waits for it is cancelled.' },
      default: {
        description:
          'Anything else, or nothing: it comes again, up to ten times in about three days; redirects are not followed.',
      },
    },
  };
}

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
      'HMAC-SHA256 of `id.timestamp.body` under the secret, in base64 after `v1,`; while a secret is being rotated several, separated by a blank.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$', maxLength: 300 },
  },
};
