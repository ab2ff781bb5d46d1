import { builder } from '../../../../graphql/builder.ts';
import type { LiveStream, RequestContext } from '../../../../graphql/context.ts';
import { inputType } from '../../../../graphql/input-type.ts';
import { ShipmentRef } from '../tracking.graphql.ts';
import {
  ChangeConnectionRef,
  DEFAULT_PAGE,
  MAX_PAGE,
  pageCost,
  pageSize,
  readCursor,
  shownPage,
} from './changes.graphql.ts';
import { changeFilter } from './changes.input.ts';
import { liveChanges, liveShipment } from './live-changes.service.ts';

/** The subscriptions on shipments. */

function liveOf({ live }: RequestContext): LiveStream {
  if (live === undefined) throw new Error('A subscription is not run as a request');
  return live;
}

builder.subscriptionField('changes', t =>
  t.field({
    type: ChangeConnectionRef,
    description: `The changes of the company's shipments, as the query \`changes\` returns them, each one as it happens. With a cursor, those that exist after it come first. An event has up to ${DEFAULT_PAGE} changes unless \`first\` (at most ${MAX_PAGE}) says otherwise. The id of an event is its \`cursor\`, and the header \`Last-Event-ID\` takes precedence over \`after\`. An event without changes shows how far the log has been read.`,
    authScopes: { scope: 'shipments:tracking' },
    args: {
      after: t.arg.string({ description: 'Only changes after this cursor; from now on if left out.' }),
      first: t.arg.int({
        defaultValue: DEFAULT_PAGE,
        description: `How many changes an event has at most, 1 to ${MAX_PAGE}.`,
      }),
      filter: t.arg({ type: inputType(changeFilter), description: 'Which changes.' }),
    },
    complexity: pageCost,
    subscribe: (_root, { after, first, filter }, context) => {
      const live = liveOf(context);
      const from = readCursor(live.lastEventId ?? after);
      return liveChanges(() => live.context.tenant, from ?? 'end', pageSize(first), filter ?? {});
    },
    resolve: ({ value }) => {
      if (value === undefined) throw new Error('There is no event to make of this');
      return shownPage(value) as never;
    },
  }),
);

builder.subscriptionField('trackingByNumber', t =>
  t.field({
    type: ShipmentRef,
    nullable: true,
    description:
      'The shipment with a number, as the query `trackingByNumber` finds it: first as it is now, then again after each change. Null if there is none, which ends the stream.',
    authScopes: { scope: 'shipments:tracking' },
    args: {
      trackingNumber: t.arg.string({
        required: true,
        description: 'Spaces, dots, case and a leading MUL do not matter.',
      }),
    },
    subscribe: (_root, { trackingNumber }, context) => {
      const live = liveOf(context);
      return liveShipment(() => live.context.tenant, trackingNumber);
    },
    resolve: ({ value }) => value ?? null,
  }),
);
