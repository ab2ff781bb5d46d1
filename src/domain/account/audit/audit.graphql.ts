import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { connectionOf, PAGE_ARGS, pageById, pageCost } from '../../../graphql/lists.ts';
import { bigintKey, RecordId, uuidKey } from '../../../graphql/node-id.ts';
import { nodeType } from '../../../graphql/nodes.ts';
import { query } from '../../../graphql/query.ts';
import type { Actor } from '../../../platform/database/tenancy/actor.ts';
import { type AuditRow, countEntries, entriesPage, entryByNumber } from './audit.repository.ts';
import { AUDIT_ACTIONS, type AuditSubject } from './audit.rules.ts';

const scope = 'audit:read';

const AuditActionEnum = enumType('AuditAction', 'The action.', AUDIT_ACTIONS);

const ActorKindEnum = enumType<Actor['kind']>('AuditActorKind', 'An actor in a company.', {
  key: 'An API key of the company.',
  operator: 'The operator of the service, on the command line.',
  service: 'The service by itself.',
});

const ActorRef = builder.objectRef<Actor>('AuditActor').implement({
  description: 'The actor.',
  fields: t => ({
    kind: t.expose('kind', { type: ActorKindEnum, description: 'The kind of the actor.' }),
    apiKeyId: t.id({
      nullable: true,
      description: 'Id of the API key, a `CompanyApiKey`. Null for anybody else.',
      resolve: actor => (actor.kind === 'key' ? new RecordId('CompanyApiKey', actor.apiKeyId) : null),
    }),
    apiKeyLabel: t.string({
      nullable: true,
      description: 'The label that the API key had at that time. Null for anybody else.',
      resolve: actor => (actor.kind === 'key' ? actor.label : null),
    }),
    requestId: t.nullable(
      'String',
      'Id of the request, as in its `X-Request-Id`. Null for anybody but an API key.',
      actor => (actor.kind === 'key' ? actor.requestId : null),
    ),
  }),
});

const SubjectRef = builder.objectRef<AuditSubject>('AuditSubject').implement({
  description: 'The thing that was changed.',
  fields: t => ({
    type: t.exposeString('type', { description: 'Type of the record, such as `CompanyApiKey`.' }),
    key: t.value('String', 'Its UUID, number or name.', ({ key }) => String(key)),
    id: t.id({
      nullable: true,
      description: 'Its global id. Null for the company itself.',
      resolve: ({ type, key }) => (type === 'Company' ? null : new RecordId(type, key)),
    }),
  }),
});

const AuditEntryRef = builder.objectRef<AuditRow>('AuditEntry').implement({
  description: 'A recorded act in the company. The entry is written together with the act and never changed.',
  fields: t => ({
    databaseId: t.value('Long', 'Its number: 1 for the first act of the company, without a gap.', ({ id }) => id),
    recordedAt: t.value('DateTime', 'When it was done.', ({ content }) => new Date(content.at)),
    action: t.value(AuditActionEnum, 'The action.', ({ content }) => content.action),
    actor: t.field({ type: ActorRef, description: 'The actor.', resolve: ({ content }) => content.actor }),
    subject: t.value(SubjectRef, 'The thing that was changed.', ({ content }) => content.subject),
    detail: t.field({
      type: 'JSON',
      description: 'The values that were changed, in short. They never include a secret or a credential.',
      resolve: ({ content }) => content.detail ?? {},
    }),
    ...t.columns('String', {
      hash: 'SHA-256 of this entry and the hash of the one before it. Keep it, to see later that nothing was changed.',
    }),
  }),
});

nodeType(AuditEntryRef, {
  scope,
  // Each company numbers its entries from 1.
  keyOf: ({ companyId, id }) => `${companyId} ${id}`,
  readKey: text => {
    const [companyId = '', number = ''] = text.split(' ');
    const [ofCompany, id] = [uuidKey(companyId), bigintKey(number)];
    return ofCompany === undefined || id === undefined ? undefined : { companyId: ofCompany, id };
  },
  find: ({ companyId, id }, { tenant }) => (companyId === tenant.companyId ? entryByNumber(tenant, id) : undefined),
});

const Connection = connectionOf(AuditEntryRef);

query('auditLog', {
  type: Connection,
  description:
    'The changes of API keys, carrier connections, tariffs and webhook endpoints with their actors, newest first. 50 a page unless `first` (at most 250) says otherwise.',
  authScopes: { scope },
  args: builder.args(t => ({
    ...PAGE_ARGS,
    actions: t.field({ type: [AuditActionEnum], description: 'Only these actions.' }),
  })),
  complexity: pageCost,
  resolve: (_root, args, { tenant }) => {
    const actions = args.actions ?? null;
    return pageById(
      args,
      () => countEntries(tenant, actions),
      page => entriesPage(tenant, actions, page),
    );
  },
});
