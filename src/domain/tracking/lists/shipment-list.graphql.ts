import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { inputType } from '../../../graphql/input-type.ts';
import { PAGE_ARGS, pageByPosition, pageCost } from '../../../graphql/lists.ts';
import { carrierOf } from '../../carriers/carriers.catalog.ts';
import { CarrierRef } from '../../carriers/carriers.graphql.ts';
import { ShipmentConnectionRef } from '../shipment-lookups.graphql.ts';
import type { StatusCode } from '../status.rules.ts';
import { StatusCodeRef } from '../tracking.graphql.ts';
import { shipmentFilter } from './shipment-filter.input.ts';
import type { ShipmentGroup, ShipmentOrder } from './shipment-list.rules.ts';
import { type GroupCount, shipmentCounts, shipmentList } from './shipment-list.service.ts';

/** Counting looks through up to as many records as some hundred pages. */
const COUNTS = 1_000;

const OrderRef = enumType<ShipmentOrder>('ShipmentOrder', {
  description: 'In which order shipments are listed. Those that have the same time come by their ids.',
  values: {
    created_desc: { description: 'The newest first.' },
    created_asc: { description: 'The oldest first.' },
    updated_desc: { description: 'The last changed first.' },
    updated_asc: { description: 'The first changed first: for a copy that is brought up to date.' },
    delivered_desc: { description: 'The last delivered first; delivered shipments alone.' },
    delivered_asc: { description: 'The first delivered first; delivered shipments alone.' },
    expected_asc: {
      description:
        'Those that the carrier, or else the platform, expects first; only shipments with such a date that are not delivered.',
    },
    expected_desc: { description: 'Those expected last; as `EXPECTED_ASC`.' },
    last_news_asc: {
      description:
        'Those that are silent for longest: by `statusAt`, or their creation where that is later. None that are delivered.',
    },
    last_news_desc: { description: 'Those with the latest state; as `LAST_NEWS_ASC`.' },
  },
});

const GroupRef = enumType<ShipmentGroup>('ShipmentGroup', {
  description: 'What shipments are counted by.',
  values: {
    status: { description: 'Their states.' },
    carrier: { description: 'Their carriers.' },
    province: { description: "The recipients' provinces. Needs a filter that leaves few shipments." },
  },
});

builder.queryField('shipments', t =>
  t.field({
    type: ShipmentConnectionRef,
    description:
      "The company's shipments, 50 a page unless `first` (at most 250) says otherwise. A page may have fewer than that, or none, although `hasNextPage` is true: so many were looked through for those that match. Go on from `endCursor`.",
    authScopes: { scope: 'shipments:tracking' },
    args: {
      ...PAGE_ARGS,
      filter: t.arg({ type: inputType(shipmentFilter), description: 'Which shipments.' }),
      orderBy: t.arg({
        type: OrderRef,
        description:
          'By default that of the time that the filter has: `LAST_NEWS_ASC` for stalled ones, `EXPECTED_ASC` for late ones, `DELIVERED_DESC`, `UPDATED_DESC`; otherwise the newest first.',
      }),
    },
    complexity: pageCost,
    resolve: (_root, args, { tenant }) => {
      const { sortedBy, count, read } = shipmentList(tenant, args.filter ?? {}, args.orderBy ?? null);
      return pageByPosition(args, sortedBy, count, read);
    },
  }),
);

interface CountIn extends GroupCount {
  readonly by: ShipmentGroup;
}

const CountRef = builder.objectRef<CountIn>('ShipmentCount').implement({
  description: 'How many shipments a group has.',
  fields: t => ({
    statusCode: t.field({
      type: StatusCodeRef,
      nullable: true,
      description: 'The state, where they are counted by it.',
      resolve: ({ by, group }) => (by === 'status' ? (group as StatusCode | null) : null),
    }),
    carrier: t.field({
      type: CarrierRef,
      nullable: true,
      description: 'The carrier, where they are counted by it.',
      resolve: ({ by, group }) => (by === 'carrier' && group !== null ? carrierOf(group) : null),
    }),
    province: t.string({
      nullable: true,
      description:
        'The province, where they are counted by it: an Italian one by its abbreviation. Null for shipments without one.',
      resolve: ({ by, group }) => (by === 'province' ? group : null),
    }),
    count: t.exposeInt('count', { description: 'How many there are; at least, where `isExact` is false.' }),
    isExact: t.exposeBoolean('isExact', {
      description:
        'Whether all of them were counted. Up to 10,000 shipments of a group are looked through, and fewer of each where there are many groups.',
    }),
  }),
});

builder.queryField('shipmentCounts', t =>
  t.field({
    type: [CountRef],
    description:
      'How many shipments there are of each state, carrier or province; the most first. Groups without any are left out.',
    authScopes: { scope: 'shipments:tracking' },
    args: {
      by: t.arg({ type: GroupRef, required: true, description: 'What they are counted by.' }),
      filter: t.arg({ type: inputType(shipmentFilter), description: 'Which shipments.' }),
    },
    complexity: COUNTS,
    resolve: async (_root, { by, filter }, { tenant }) =>
      (await shipmentCounts(tenant, filter ?? {}, by)).map(group => ({ ...group, by })),
  }),
);
