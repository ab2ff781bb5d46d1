import { builder } from '../graphql/builder.ts';
import { enumType } from '../graphql/enums.ts';
import { globalId } from '../graphql/node-id.ts';
import type { Issue } from '../platform/fault.ts';
import { type BatchResult, type ItemResult, publicIssue } from './batch.rules.ts';

const Outcome = enumType('ItemOutcome', {
  description: 'What became of one item of a batch.',
  values: {
    created: { description: 'It was new and is stored.' },
    updated: { description: 'It was known and something of it changed.' },
    unchanged: { description: 'It was known and nothing of it changed.' },
    rejected: { description: 'It was not accepted; nothing of it is stored.' },
  } as const,
});

const ItemError = builder.objectRef<Issue>('ItemError').implement({
  description: 'One thing wrong with an item.',
  fields: t => ({
    pointer: t.string({
      description: 'RFC 6901 pointer to the field, from `input`.',
      resolve: issue => publicIssue(issue).pointer,
    }),
    code: t.exposeString('code', { description: 'Stable code of the reason.' }),
    message: t.exposeString('message', { description: 'What is allowed.' }),
  }),
});

const ItemResultRef = builder.objectRef<ItemResult>('ItemResult').implement({
  description: 'What became of one item, and for a rejected one why.',
  fields: t => ({
    index: t.exposeInt('index', { description: 'Position in `input`, from 0.' }),
    outcome: t.expose('outcome', { type: Outcome, description: 'What became of it.' }),
    id: t.id({
      nullable: true,
      description: 'Global id of the record; null where rejected, or for an event that is stored already.',
      resolve: ({ type, id }) => (type === undefined || id === null ? null : globalId(type, id)),
    }),
    databaseId: t.exposeID('id', { nullable: true, description: 'Number of the record, where it has an `id`.' }),
    code: t.string({
      nullable: true,
      description: 'Code of the first error.',
      resolve: ({ issues }) => issues[0]?.code,
    }),
    pointer: t.string({
      nullable: true,
      description: 'RFC 6901 pointer of the first error, from `input`.',
      resolve: ({ issues }) => issues[0] && publicIssue(issues[0]).pointer,
    }),
    message: t.string({
      nullable: true,
      description: 'What the first error says is allowed.',
      resolve: ({ issues }) => issues[0]?.message,
    }),
    errors: t.field({
      type: [ItemError],
      description: 'All errors; empty unless rejected.',
      resolve: ({ issues }) => issues,
    }),
  }),
});

export const UpsertResultRef = builder.objectRef<BatchResult>('UpsertResult').implement({
  description: 'What became of a batch of records.',
  fields: t => ({
    created: t.exposeInt('created', { description: 'How many were new.' }),
    updated: t.exposeInt('updated', { description: 'How many changed.' }),
    unchanged: t.exposeInt('unchanged', { description: 'How many were as they are already.' }),
    rejected: t.exposeInt('rejected', { description: 'How many were rejected.' }),
    results: t.field({
      type: [ItemResultRef],
      description: 'One for each input, in its order.',
      resolve: ({ results }) => results,
    }),
  }),
});

export const RecordEventsResultRef = builder.objectRef<BatchResult>('RecordEventsResult').implement({
  description: 'What became of a batch of tracking events.',
  fields: t => ({
    created: t.exposeInt('created', { description: 'How many were new.' }),
    unchanged: t.exposeInt('unchanged', { description: 'How many were stored already.' }),
    rejected: t.exposeInt('rejected', { description: 'How many were rejected.' }),
    results: t.field({
      type: [ItemResultRef],
      description: 'One for each input, in its order.',
      resolve: ({ results }) => results,
    }),
  }),
});
