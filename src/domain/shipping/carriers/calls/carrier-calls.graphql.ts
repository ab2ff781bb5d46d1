import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { inputType } from '../../../../graphql/input-type.ts';
import { connectionOf, PAGE_ARGS, pageByPosition, pageCost } from '../../../../graphql/lists.ts';
import { bigintKey } from '../../../../graphql/node-id.ts';
import { numberedNode } from '../../../../graphql/nodes.ts';
import { query } from '../../../../graphql/query.ts';
import { CarrierConnectionRef, carrierConnectionOf } from '../carriers.graphql.ts';
import { CALL_OUTCOMES, CALL_PURPOSES } from './call-purposes.rules.ts';
import { carrierCallFilter } from './carrier-call-filter.input.ts';
import { type CarrierCallRow, callById } from './carrier-calls.repository.ts';
import { callList } from './carrier-calls.service.ts';

const scope = 'carriers:manage';

const Purpose = enumType('CarrierCallPurpose', 'Why the service asks a carrier.', CALL_PURPOSES);

const Outcome = enumType('CarrierCallOutcome', 'The outcome of a call to a carrier.', CALL_OUTCOMES);

const CallRef = builder.objectRef<CarrierCallRow>('CarrierCall').implement({
  description:
    'A request of the service to a carrier. Credentials, tokens, names and streets are left out: `…` stands in their place.',
  fields: t => ({
    databaseId: t.field({ type: 'Long', description: 'Its number.', resolve: ({ id }) => id }),
    startedAt: t.field({ type: 'DateTime', description: 'When it was sent.', resolve: ({ at }) => new Date(at) }),
    carrierConnection: t.field({
      type: CarrierConnectionRef,
      description: 'The carrier connection whose account was used, also one that was disconnected.',
      resolve: ({ carrierConnectionId }, _args, context) => carrierConnectionOf(context, carrierConnectionId),
    }),
    purpose: t.expose('purpose', { type: Purpose, description: 'Why the carrier was asked.' }),
    ...t.columns('Boolean', { isTokenRequest: 'Whether it asked for an access token, which later requests send.' }),
    ...t.nullableColumns('String', {
      requestId: '`X-Request-Id` of the request that it was sent for. Null if the service asked by itself.',
      failure: 'Why there was no response, such as `timeout` or `connection_failed`. Null if there was one.',
      requestBody: 'Body that the service sent, as JSON, at most 4,000 characters. Null without a body.',
      responseBody:
        'Body of the response, as JSON, at most 4,000 characters. If the body is not read, its size in brackets. Null without a body.',
    }),
    method: t.exposeString('method', { description: 'HTTP method.' }),
    url: t.exposeString('address', { description: 'URL, with the parameters that are kept.' }),
    outcome: t.expose('outcome', { type: Outcome, description: 'The outcome.' }),
    responseStatus: t.exposeInt('status', { nullable: true, description: 'HTTP status. Null without a response.' }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, milliseconds.' }),
    requestHeaders: t.value('JSON', 'Headers that the service sent.', ({ requestHeaders }) => requestHeaders),
    responseHeaders: t.nullable(
      'JSON',
      'Headers of the response that name it or say what it has. Null without a response.',
      ({ responseHeaders }) => responseHeaders,
    ),
  }),
});

numberedNode(CallRef, scope, callById, bigintKey);

const Connection = connectionOf(CallRef);

query('carrierCalls', {
  type: Connection,
  description:
    "The service's requests to carriers, newest first, for as many days as the operator keeps them (7 by default). They are listed about a second after they were sent. 50 a page unless `first` (at most 250) says otherwise. A page can have fewer, or none, although `hasNextPage` is true, since a request examines a limited number of records. Continue from `endCursor`.",
  authScopes: { scope },
  args: builder.args(t => ({
    ...PAGE_ARGS,
    filter: t.field({ type: inputType(carrierCallFilter), description: 'Which calls.' }),
  })),
  complexity: pageCost,
  resolve: (_root, args, { tenant }) => {
    const { sortedBy, count, read } = callList(tenant, args.filter ?? {});
    return pageByPosition(args, sortedBy, count, read);
  },
});
