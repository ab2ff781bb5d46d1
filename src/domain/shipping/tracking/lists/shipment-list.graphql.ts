import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { inputType } from '../../../../graphql/input-type.ts';
import { PAGE_ARGS, pageByPosition, pageCost } from '../../../../graphql/lists.ts';
import { query } from '../../../../graphql/query.ts';
import { isSelected } from '../../../../graphql/selected-fields.ts';
import { carrierOf } from '../../carriers/carriers.catalog.ts';
import { CarrierRef } from '../../carriers/carriers.graphql.ts';
import { ShipmentConnectionRef } from '../shipment-lookups.graphql.ts';
import { SHORT_TIMELINE } from '../shipment-parts.repository.ts';
import type { StatusCode } from '../status.rules.ts';
import { StatusCodeRef } from '../tracking.graphql.ts';
import { shipmentFilter } from './shipment-filter.input.ts';
import type { ShipmentGroup, ShipmentOrder } from './shipment-list.rules.ts';
import { type GroupCount, shipmentCounts, shipmentList } from './shipment-list.service.ts';

export const SourceRef = enumType('DeliveryEstimateSource', 'The source of an estimate of a delivery.', {
  CARRIER: 'The carrier, by its latest estimate.',
  PLATFORM: 'The platform, which sent the date with the shipment.',
  SERVICE: "The service, by the company's own deliveries.",
});

/** Counting may look through as many records as some hundred pages. */
const COUNTS = 1_000;

const OrderRef = enumType<ShipmentOrder>(
  'ShipmentOrder',
  'In which order shipments are listed. Those that have the same time come by their ids.',
  {
    created_desc: 'The newest first.',
    created_asc: 'The oldest first.',
    updated_desc: 'The last changed first.',
    updated_asc: 'The earliest change first, to update a copy.',
    delivered_desc: 'Latest delivery first. Only delivered shipments.',
    delivered_asc: 'Earliest delivery first. Only delivered shipments.',
    expected_asc:
      "Earliest expected date first, by the carrier's date, otherwise the platform's. Only shipments that have a date and are not delivered.",
    expected_desc: 'The reverse of `EXPECTED_ASC`.',
    status_changed_asc:
      'Longest silence first, by `statusAt` or the creation, whichever is later. No delivered shipments.',
    status_changed_desc: 'The reverse of `STATUS_CHANGED_ASC`.',
  },
);

const GroupRef = enumType<ShipmentGroup>('ShipmentGroup', 'What shipments are counted by.', {
  status: 'Their states.',
  carrier: 'Their carriers.',
  province: "The recipients' provinces. Needs a filter that leaves few shipments.",
});

/** A shorter end of a timeline is read alone: with the shipments, up to 50 events would be read for the price of one. */
const isWhole = ({ last }: { readonly last?: number | null }) => (last ?? SHORT_TIMELINE) >= SHORT_TIMELINE;

query('shipments', {
  type: ShipmentConnectionRef,
  description:
    "The company's shipments, 50 a page unless `first` (at most 250) says otherwise. A page can have fewer, or none, although `hasNextPage` is true, since a request examines a limited number of records. Continue from `endCursor`.",
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    ...PAGE_ARGS,
    filter: t.field({ type: inputType(shipmentFilter), description: 'Which shipments.' }),
    orderBy: t.field({
      type: OrderRef,
      description:
        'The default follows the filter: `STATUS_CHANGED_ASC` for stalled shipments, `EXPECTED_ASC` for late ones, `DELIVERED_DESC` or `UPDATED_DESC` for a range of these times, otherwise newest first. Beside `text`, `orderNumber` or `trackingNumbers`, only `CREATED_DESC` and `CREATED_ASC` are allowed.',
    }),
  })),
  complexity: pageCost,
  resolve: (_root, args, { tenant }, info) => {
    const { sortedBy, count, read } = shipmentList(tenant, args.filter ?? {}, args.orderBy ?? null, {
      hasTimelines: isSelected(info, 'Shipment', 'timeline', isWhole),
      hasWarehouses: isSelected(info, 'Shipment', 'warehouse'),
    });
    return pageByPosition(args, sortedBy, count, read);
  },
});

interface CountIn extends GroupCount {
  readonly by: ShipmentGroup;
}

const CountRef = builder.objectRef<CountIn>('ShipmentCount').implement({
  description: 'How many shipments a group has.',
  fields: t => ({
    statusCode: t.nullable(StatusCodeRef, 'The state, if shipments are counted by state.', ({ by, group }) =>
      by === 'status' ? (group as StatusCode | null) : null,
    ),
    carrier: t.nullable(CarrierRef, 'The carrier, if shipments are counted by carrier.', ({ by, group }) =>
      by === 'carrier' && group !== null ? carrierOf(group) : null,
    ),
    province: t.nullable(
      'String',
      'The province, if shipments are counted by province. Italian provinces are abbreviated. Null for shipments without one.',
      ({ by, group }) => (by === 'province' ? group : null),
    ),
    count: t.exposeInt('count', { description: 'How many there are. A lower bound if `isExact` is false.' }),
    isExact: t.exposeBoolean('isExact', {
      description:
        'Whether all of them were counted. At most 10,000 shipments of a group are examined, and fewer of each if there are many groups.',
    }),
  }),
});

query('shipmentCounts', {
  type: [CountRef],
  description:
    'How many shipments each state, carrier or province has, largest group first. Empty groups are left out.',
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    by: t.field({ type: GroupRef, required: true, description: 'The property by which they are counted.' }),
    filter: t.field({ type: inputType(shipmentFilter), description: 'Which shipments.' }),
  })),
  complexity: COUNTS,
  resolve: async (_root, { by, filter }, { tenant }) =>
    (await shipmentCounts(tenant, filter ?? {}, by)).map(group => ({ ...group, by })),
});
