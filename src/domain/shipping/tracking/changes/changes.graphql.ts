import { builder } from '../../../../graphql/builder.ts';
import type { RequestContext } from '../../../../graphql/context.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { inputType } from '../../../../graphql/input-type.ts';
import { checkSize } from '../../../../graphql/lists.ts';
import { RecordId } from '../../../../graphql/node-id.ts';
import { query } from '../../../../graphql/query.ts';
import { invalid } from '../../../../platform/fault.ts';
import { type EventRow, eventById } from '../shipment-parts.repository.ts';
import { RelationTypeRef, ShipmentRef, StatusCodeRef, TrackingEventRef } from '../tracking.graphql.ts';
import { shipmentById } from '../tracking.repository.ts';
import { changeFilter } from './changes.input.ts';
import { type ChangeLogState, changeLogState } from './changes.repository.ts';
import { type ChangeCursor, type ChangeKind, type ChangeRow, cursorIn, cursorText, TYPE_OF } from './changes.rules.ts';
import { type ChangePage, type CursorExpired, changesSince, endOf } from './changes.service.ts';

export const MAX_PAGE = 1_000;
export const DEFAULT_PAGE = 100;

/** @throws Fault `validation_failed` */
export function readCursor(cursor: string | null | undefined): ChangeCursor | null {
  if (cursor == null) return null;
  const read = cursorIn(cursor);
  if (read !== undefined) return read;
  throw invalid([{ path: ['after'], code: 'invalid_cursor', message: 'is not a cursor of `changes` or `changeLog`' }]);
}

/** @throws Fault `validation_failed` */
export function pageSize(first: number | null | undefined): number {
  checkSize('first', first, MAX_PAGE);
  return first ?? DEFAULT_PAGE;
}

export const pageCost = ({ first }: { first?: number | null }) => ({
  multiplier: Math.min(first ?? DEFAULT_PAGE, MAX_PAGE),
});

export const ChangeRef = builder.interfaceRef<ChangeRow>('Change').implement({
  description:
    "One change of a shipment. Changes are numbered from 1 without a gap in the company's change log, in the order in which they took effect.",
  resolveType: ({ kind }) => TYPE_OF[kind],
  fields: t => ({
    number: t.exposeInt('number', { description: 'The number of the change.' }),
    recordedAt: t.expose('at', { type: 'DateTime', description: 'When the service recorded it.' }),
    shipmentId: t.id({
      description: 'Id of the shipment, also once it has been deleted.',
      resolve: ({ shipmentId }) => new RecordId('Shipment', shipmentId),
    }),
    shipment: t.nullable(
      ShipmentRef,
      'The shipment as it is now. Null if it has been deleted.',
      ({ shipmentId }, _args, { tenant }) => shipmentById(tenant, shipmentId),
    ),
  }),
});

// Registered under its name, by which the input of the filter finds it.
enumType<ChangeKind>('ChangeKind', 'What a change is.', {
  created: 'A shipment was created: `ShipmentCreated`.',
  updated: 'The platform changed fields of a shipment: `ShipmentUpdated`.',
  status: 'An event moved a shipment to another status: `ShipmentStatusChanged`.',
  event: 'An event was recorded that did not change the status: `TrackingEventRecorded`.',
  estimate: 'The carrier expects the delivery at another time: `CarrierEstimateChanged`.',
  related: 'The carrier named another shipment that belongs to it: `RelatedShipmentAdded`.',
  delayed: 'The service found it late or silent: `ShipmentDelayed`.',
});

export const detailOf = <Detail>({ detail }: ChangeRow) => detail as unknown as Detail;

builder.objectType(builder.objectRef<ChangeRow>(TYPE_OF.created), {
  description: 'A shipment was created.',
  interfaces: [ChangeRef],
});

builder.objectType(builder.objectRef<ChangeRow>(TYPE_OF.updated), {
  description: 'The platform changed fields of a shipment.',
  interfaces: [ChangeRef],
  fields: t => ({
    fields: t.stringList({
      description: 'The fields of `ShipmentInput` that changed, in alphabetical order.',
      resolve: change => [...detailOf<{ fields: readonly string[] }>(change).fields],
    }),
  }),
});

builder.objectType(builder.objectRef<ChangeRow>(TYPE_OF.status), {
  description: 'A tracking event moved a shipment to another status.',
  interfaces: [ChangeRef],
  fields: t => ({
    statusCode: t.field({
      type: StatusCodeRef,
      description: 'The status that the event moved it to.',
      resolve: ({ statusCode }) => statusCode ?? 'unknown',
    }),
    previousStatusCode: t.field({
      type: StatusCodeRef,
      description: 'The status that the record showed before.',
      resolve: ({ previousStatusCode }) => previousStatusCode ?? 'unknown',
    }),
    eventId: t.id({
      description: 'Id of the event, also once it has been deleted.',
      resolve: ({ eventId }) => new RecordId('TrackingEvent', String(eventId)),
    }),
    event: t.nullable(TrackingEventRef, 'The event. Null if it has been deleted.', eventOf),
  }),
});

builder.objectType(builder.objectRef<ChangeRow>(TYPE_OF.event), {
  description:
    'A tracking event was recorded that did not move the shipment: it changed nothing at the end of the timeline, had the same status, or came after a final status.',
  interfaces: [ChangeRef],
  fields: t => ({
    eventId: t.id({
      description: 'Id of the event, also once it has been deleted.',
      resolve: ({ eventId }) => new RecordId('TrackingEvent', String(eventId)),
    }),
    event: t.nullable(TrackingEventRef, 'The event. Null if it has been deleted.', eventOf),
  }),
});

async function eventOf({ eventId }: ChangeRow, _args: object, { tenant }: RequestContext): Promise<EventRow | null> {
  return eventId === null ? null : ((await eventById(tenant, eventId)) ?? null);
}

interface EstimateDetail {
  readonly expectedAt: string;
  readonly previousExpectedAt: string | null;
}

builder.objectType(builder.objectRef<ChangeRow>(TYPE_OF.estimate), {
  description: 'The carrier expects the delivery at another time, or gave its first estimate.',
  interfaces: [ChangeRef],
  fields: t => ({
    expectedAt: t.field({
      type: 'DateTime',
      description: 'When the carrier expects the delivery.',
      resolve: change => new Date(detailOf<EstimateDetail>(change).expectedAt),
    }),
    previousExpectedAt: t.nullable('DateTime', 'Its previous estimate. Null if this is the first one.', change => {
      const { previousExpectedAt } = detailOf<EstimateDetail>(change);
      return previousExpectedAt === null ? null : new Date(previousExpectedAt);
    }),
  }),
});

interface RelationDetail {
  readonly type: 'parent' | 'forward' | 'return' | 'child';
  readonly relatedKey: string;
}

builder.objectType(builder.objectRef<ChangeRow>(TYPE_OF.related), {
  description: 'The carrier named another shipment that belongs to this one.',
  interfaces: [ChangeRef],
  fields: t => ({
    type: t.field({
      type: RelationTypeRef,
      description: 'Relation of the other shipment to this one.',
      resolve: change => detailOf<RelationDetail>(change).type,
    }),
    trackingNumber: t.string({
      description: 'Its tracking number, in upper case and without spaces and dots.',
      resolve: change => detailOf<RelationDetail>(change).relatedKey,
    }),
  }),
});

/** A page as the graph shows it. */
interface ShownPage {
  readonly nodes: readonly ChangeRow[];
  readonly edges: readonly { readonly node: ChangeRow; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string;
  };
  readonly cursor: string;
  readonly hasGap: boolean;
}

/** After a gap, a consumer continues from the end of the log, because it lists its shipments again. */
export function shownPage(page: ChangePage | CursorExpired): ShownPage {
  const hasGap = !('changes' in page);
  const { changes, hasMore, hasEarlier } = hasGap ? NOTHING : page;
  const cursor = cursorText(endOf(page));
  const [first] = changes;
  return {
    nodes: changes,
    get edges() {
      return changes.map(node => ({ node, cursor: cursorText(node) }));
    },
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage: hasEarlier,
      startCursor: first ? cursorText(first) : null,
      endCursor: cursor,
    },
    cursor,
    hasGap,
  };
}

const NOTHING = { changes: [], hasMore: false, hasEarlier: true } as const;

export const ChangeConnectionRef = builder.connectionObject(
  {
    type: ChangeRef,
    name: 'ChangeConnection',
    description: 'A page of the change log, oldest first.',
    fields: t => ({
      nodes: t.field({
        type: [ChangeRef],
        description: 'The page, without cursors.',
        // The connection counts them already.
        complexity: { field: 0, multiplier: 1 },
        resolve: page => [...(page as unknown as ShownPage).nodes],
      }),
      cursor: t.string({
        description:
          'Where to continue: send it as `after`. It is the same as `endCursor`, which a page without changes has too.',
        resolve: page => (page as unknown as ShownPage).cursor,
      }),
      hasGap: t.boolean({
        description:
          'Whether changes after the cursor are missing: they are no longer kept, or the operator has restored the database or upgraded the service. In this case the page is empty. List your shipments again, and continue from `cursor`, which is the end of the log.',
        resolve: page => (page as unknown as ShownPage).hasGap,
      }),
    }),
  },
  { name: 'ChangeEdge' },
);

query('changes', {
  type: ChangeConnectionRef,
  description: `The changes of the company's shipments since a cursor, oldest first, ${DEFAULT_PAGE} a page unless \`first\` (at most ${MAX_PAGE}) says otherwise. It returns every change exactly once. Ask again with \`cursor\`, also after an empty page.`,
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    after: t.string({ description: 'Only changes after this cursor; from the oldest one that is kept if left out.' }),
    first: t.int({ defaultValue: DEFAULT_PAGE, description: `How many at most, 1 to ${MAX_PAGE}.` }),
    filter: t.field({ type: inputType(changeFilter), description: 'Which changes.' }),
  })),
  complexity: pageCost,
  resolve: async (_root, { after, first, filter }, { tenant }) =>
    shownPage(await changesSince(tenant, readCursor(after), pageSize(first), filter ?? {})) as never,
});

const ChangeLogRef = builder.objectRef<ChangeLogState>('ChangeLog').implement({
  description: 'What the change log of the company holds.',
  fields: t => ({
    oldest: t.int({
      nullable: true,
      description: 'The number of the oldest change that is kept. Null if none is.',
      resolve: ({ forgotten, last }) => (forgotten < last ? forgotten + 1 : null),
    }),
    latest: t.int({
      nullable: true,
      description: 'The number of the latest change. Null if there has been none.',
      resolve: ({ last }) => (last > 0 ? last : null),
    }),
    cursor: t.string({
      description:
        'Where the log ends now. Take it before you list the shipments, and then ask for the changes after it.',
      resolve: ({ epoch, last }) => cursorText({ epoch, number: last }),
    }),
  }),
});

query('changeLog', {
  type: ChangeLogRef,
  description: 'What the change log holds, and the cursor of its end.',
  authScopes: { scope: 'shipments:tracking' },
  resolve: (_root, _args, { tenant }) => changeLogState(tenant),
});
