import { builder } from '../../graphql/builder.ts';
import { enumType } from '../../graphql/enum-type.ts';
import { ErrorCodeEnum } from '../../graphql/error-code.ts';
import type { Results } from '../../graphql/mutation.ts';
import { RecordId } from '../../graphql/node-id.ts';
import type { Issue } from '../../platform/fault.ts';
import { type ItemResult, publicIssue } from './batch.rules.ts';

const Outcome = enumType('ItemOutcome', 'The result of one item of a batch.', {
  created: 'The record was created.',
  updated: 'The record existed and was changed.',
  unchanged: 'The record existed and is the same as before.',
  rejected: 'The item was rejected. No part is stored.',
});

export const ItemErrorRef = builder.objectRef<Issue>('ItemError').implement({
  description: 'One thing wrong with an item.',
  fields: t => ({
    pointer: t.string({
      description: 'RFC 6901 pointer into the input, such as `/orders/3/parcels/0/weight`.',
      resolve: issue => publicIssue(issue).pointer,
    }),
    code: t.expose('code', { type: ErrorCodeEnum, description: 'What is wrong, for programs.' }),
    message: t.value('String', 'What is wrong, in a sentence that can be shown.', issue => publicIssue(issue).message),
  }),
});

const ItemResultRef = builder.objectRef<ItemResult>('ItemResult').implement({
  description: 'The result of one item, and the reasons if it was rejected.',
  fields: t => ({
    index: t.exposeInt('index', { description: 'Position in the list, from 0.' }),
    outcome: t.expose('outcome', { type: Outcome, description: 'The result.' }),
    id: t.id({
      nullable: true,
      description: 'Global id of the record. Null for a rejected item, and for an event that was stored before.',
      resolve: ({ type, id }) => (type === undefined || id === null ? null : new RecordId(type, id)),
    }),
    databaseId: t.nullable(
      'Int',
      'Number of the order or shipment. Null for a rejected item, and for an event, which has only an `id`.',
      ({ type, id }) => (type === 'TrackingEvent' || id === null ? null : Number(id)),
    ),
    code: t.nullable(ErrorCodeEnum, 'Code of the first error.', ({ issues }) => issues[0]?.code),
    pointer: t.string({
      nullable: true,
      description: 'RFC 6901 pointer of the first error, into `input`.',
      resolve: ({ issues }) => issues[0] && publicIssue(issues[0]).pointer,
    }),
    message: t.string({
      nullable: true,
      description: 'The message of the first error.',
      resolve: ({ issues }) => issues[0] && publicIssue(issues[0]).message,
    }),
    errors: t.value([ItemErrorRef], 'All errors. Empty unless the item was rejected.', ({ issues }) => issues),
  }),
});

/** The result of a mutation that records a batch. */
export const RECORDED = {
  created: { type: 'Int', description: 'How many were new.' },
  unchanged: { type: 'Int', description: 'How many existed already and did not change.' },
  rejected: { type: 'Int', description: 'How many were rejected.' },
  results: { type: [ItemResultRef], description: 'One for each item, in the order in which they were sent.' },
} satisfies Results;

/** The result of a batch of records, which may change. */
export const UPSERTED = { ...RECORDED, updated: { type: 'Int', description: 'How many changed.' } } satisfies Results;
