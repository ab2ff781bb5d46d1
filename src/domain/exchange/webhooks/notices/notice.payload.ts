import { z } from 'zod';
import type { Environment } from '../../../../platform/environment.ts';
import { CARRIER_CODES, QUESTIONS } from '../../../shipping/carriers/carriers.catalog.ts';
import { NOTIFIED_PERCENTS } from '../deliveries/breaker.rules.ts';
import { TOPICS, type Topic } from '../endpoints/endpoint.rules.ts';
import { NOTICE_TYPES, NOTICES, type NoticeType } from './notice.rules.ts';

/** The content of notices. It has no secrets: of a URL, only the host is shown. */

const uuid = () => z.string().meta({ format: 'uuid' });
const instant = () => z.string().meta({ format: 'date-time' });

const endpoint = z
  .object({
    id: uuid().describe('Its id.'),
    label: z.string().describe("The company's name for it."),
    host: z.string().describe('Host and port of its address.'),
    topic: z.enum(Object.keys(TOPICS) as [Topic, ...Topic[]]).describe('The kind of events that it receives.'),
  })
  .describe('The endpoint that the notice is about.');

const connection = z
  .object({
    id: z.int().describe('Its number: `carrierCompanyId` in REST.'),
    carrierCode: z
      .string()
      .meta({ 'x-extensible-enum': CARRIER_CODES })
      .describe('Short carrier code of the platform.'),
    label: z.string().describe("The company's name for it."),
  })
  .describe('The carrier connection that the notice is about.');

const question = z
  .enum(QUESTIONS)
  .nullable()
  .describe('What the credentials are for, if the carrier has some for this alone. Null if they are for all.');

/** The `data` of each kind of notice. */
const DATA = {
  'notice.endpoint_failing': z.object({
    endpoint,
    percent: z.literal(NOTIFIED_PERCENTS).describe('The part of the time that has passed, in percent.'),
    failingSince: instant().describe('When the first of its failures in a row was.'),
    disabledAfter: instant().describe('After this time its next failure disables it.'),
  }),
  'notice.endpoint_disabled': z.object({
    endpoint,
    reason: z
      .enum(['gone', 'failing'])
      .describe('`failing`: it only failed for five days. `gone`: it returned 410 Gone.'),
    failingSince: instant().describe('When the first of its failures in a row was.'),
  }),
  'notice.endpoint_recovered': z.object({ endpoint }),
  'notice.credentials_refused': z.object({ connection, question }),
  'notice.credentials_accepted': z.object({ connection, question }),
  'notice.key_expiring': z.object({
    key: z
      .object({
        id: uuid().describe('Its id.'),
        label: z.string().describe("The company's name for it."),
        last4: z.string().describe('The last four characters of the key.'),
      })
      .describe('The API key that expires.'),
    expiresAt: instant().describe('When it expires.'),
  }),
  'notice.tariff_ending': z.object({
    connection,
    tariff: z.object({ name: z.string().describe('Its name.') }).describe('The tariff that ends.'),
    validUntil: z.string().meta({ format: 'date' }).describe('Its last day, in Italy.'),
  }),
} as const satisfies Record<NoticeType, z.ZodObject>;

type NoticeData = { readonly [Type in NoticeType]: z.infer<(typeof DATA)[Type]> };

export type Notice = {
  readonly [Type in NoticeType]: { readonly type: Type; readonly data: NoticeData[Type] };
}[NoticeType];

interface NoticeAbout {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
}

export function noticeBody(id: string, at: Date, about: NoticeAbout, { type, data }: Notice): string {
  const { environment, ...company } = about;
  return JSON.stringify({ id, type, timestamp: at.toISOString(), company, environment, data });
}

const EXAMPLE_ENDPOINT = {
  id: '00000000-0000-0000-0000-000000000000',
  label: 'Test',
  host: 'example.com',
  topic: 'tracking',
} as const;
const EXAMPLE_CONNECTION = { id: 0, carrierCode: 'BRT', label: 'Test' };
const DAY_MS = 24 * 3_600_000;

export function exampleNotice(type: NoticeType, now: Date): Notice {
  const days = (count: number) => new Date(now.getTime() + count * DAY_MS).toISOString();
  const examples: { readonly [Type in NoticeType]: NoticeData[Type] } = {
    'notice.endpoint_failing': {
      endpoint: EXAMPLE_ENDPOINT,
      percent: 50,
      failingSince: days(-2.5),
      disabledAfter: days(2.5),
    },
    'notice.endpoint_disabled': { endpoint: EXAMPLE_ENDPOINT, reason: 'failing', failingSince: days(-5) },
    'notice.endpoint_recovered': { endpoint: EXAMPLE_ENDPOINT },
    'notice.credentials_refused': { connection: EXAMPLE_CONNECTION, question: null },
    'notice.credentials_accepted': { connection: EXAMPLE_CONNECTION, question: null },
    'notice.key_expiring': {
      key: { id: EXAMPLE_ENDPOINT.id, label: 'Test', last4: '0000' },
      expiresAt: days(14),
    },
    'notice.tariff_ending': {
      connection: EXAMPLE_CONNECTION,
      tariff: { name: 'Test' },
      validUntil: days(14).slice(0, 10),
    },
  };
  return { type, data: examples[type] } as Notice;
}

/** Each kind of notice, its meaning, and the fields of its `data`. */
export function noticeKinds(): { type: NoticeType; meaning: string; fields: readonly string[] }[] {
  return NOTICE_TYPES.map(type => ({ type, meaning: NOTICES[type], fields: Object.keys(DATA[type].shape) }));
}

/** JSON Schema of the body, open to fields and kinds of later versions. */
export function noticeSchema(): object {
  const envelope = (type: NoticeType) => ({
    title: type,
    description: NOTICES[type],
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid', description: 'The notice, as in the header `webhook-id`.' },
      type: { const: type, description: 'The kind of notice.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When the service noticed it.' },
      company: {
        type: 'object',
        description: 'The company that it is about.',
        properties: {
          id: { type: 'string', format: 'uuid', description: 'Its id.' },
          name: { type: 'string', description: 'Its name.' },
        },
        required: ['id', 'name'],
      },
      environment: {
        type: 'string',
        enum: ['live', 'sandbox'],
        description: 'Whether the company is a sandbox.',
      },
      data: jsonSchema(DATA[type]),
    },
    required: ['id', 'type', 'timestamp', 'company', 'environment', 'data'],
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Notice',
    description:
      'The body that is posted to a webhook endpoint of the topic `notices`. A notice has the same `id` on every attempt.',
    oneOf: NOTICE_TYPES.map(envelope),
  };
}

function jsonSchema(schema: z.ZodObject): object {
  const { $schema: _, ...stated } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  return { description: 'What happened.', ...stated };
}
