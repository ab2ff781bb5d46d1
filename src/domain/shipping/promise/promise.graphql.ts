import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { inputType } from '../../../graphql/input-type.ts';
import { query } from '../../../graphql/query.ts';
import { QuoteRef } from '../../pricing/quotes/quote.graphql.ts';
import { CarrierConnectionRef, carrierConnectionOf, recordIdOfConnection } from '../carriers/carriers.graphql.ts';
import { type EstimateSource, expectedDateOf } from '../tracking/estimates/estimates.rules.ts';
import { SourceRef } from '../tracking/lists/shipment-list.graphql.ts';
import type { Promised } from '../tracking/promised.rules.ts';
import { ShipmentRef } from '../tracking/tracking.graphql.ts';
import { SHARES } from './distribution.rules.ts';
import { DESTINATION_LEVELS } from './lane.rules.ts';
import { deliveryEstimateInput } from './promise.input.ts';
import { type AccuracyRow, promiseAccuracy as deliveryAccuracy } from './promise.repository.ts';
import { carrierEstimateAt, laneEstimate } from './promise.service.ts';

/** An expected delivery and its source; times are milliseconds since 1970. */
interface DeliveryEstimate extends Partial<Omit<Promised, 'updatedAt'>> {
  readonly source: EstimateSource;
  readonly date: number;
  /** Read only if it is selected. */
  readonly updatedAt: number | null | (() => Promise<number | null>);
}

/** A promise in the form of an estimate. */
const estimateOf = (promised: Promised): DeliveryEstimate => ({ ...promised, source: 'SERVICE' });

const DeliveryEstimateRef = builder.objectRef<DeliveryEstimate>('DeliveryEstimate').implement({
  description:
    "When a parcel is expected. The service makes its own estimate when you ask for it, given that the parcel is not delivered yet: from the company's own deliveries of the last 90 days to the same country, counted each night in working days of the Italian calendar. No change is recorded when it moves.",
  fields: t => ({
    expectedAt: t.expose('date', { type: 'DateTime', description: 'The time by which it is expected.' }),
    earliestAt: t.expose('earliest', {
      type: 'DateTime',
      nullable: true,
      description: 'One such parcel in twenty that is not delivered yet arrives before this time. Only for `SERVICE`.',
    }),
    latestAt: t.expose('latest', {
      type: 'DateTime',
      nullable: true,
      description:
        'One such parcel in twenty that is not delivered yet arrives after this time. Only for `SERVICE`; null if the deliveries are too few to say it.',
    }),
    confidence: t.float({
      nullable: true,
      description: 'The share of such parcels, of 1, that arrive by `expectedAt`. Only for `SERVICE`.',
      resolve: ({ source }) => (source === 'SERVICE' ? SHARES.expected : null),
    }),
    source: t.expose('source', { type: SourceRef, description: 'The source of the estimate.' }),
    ...t.nullableColumns('Int', {
      sampleSize:
        'How many deliveries `expectedAt` was calculated from, at least 9 of the 30 or more to the country. Below 30, later times can come from deliveries to a wider area. Only for `SERVICE`.',
    }),
    updatedAt: t.nullable(
      'DateTime',
      "When the basis of the estimate last changed: when the carrier's estimate arrived, or the deliveries were counted, or the newest event happened. Null for the platform's date.",
      ({ updatedAt }) => (typeof updatedAt === 'function' ? updatedAt() : updatedAt),
    ),
  }),
});

builder.objectField(ShipmentRef, 'deliveryEstimate', t =>
  t.field({
    type: DeliveryEstimateRef,
    nullable: true,
    description:
      'When it is expected, and who gives the estimate: the carrier, otherwise the platform, otherwise the service itself while the shipment is open. The service never gives a date in the past. Null if there is no estimate.',
    resolve: (shipment, _args, { tenant, promises }): DeliveryEstimate | null | Promise<DeliveryEstimate | null> => {
      const date = expectedDateOf(shipment);
      if (date !== null) {
        const isOfCarrier = shipment.carrierExpectedAt !== null;
        const updatedAt = isOfCarrier ? () => carrierEstimateAt(tenant, shipment.id) : null;
        return { source: isOfCarrier ? 'CARRIER' : 'PLATFORM', date, updatedAt };
      }
      const promised = promises.promiseOf(shipment);
      return promised instanceof Promise
        ? promised.then(found => found && estimateOf(found))
        : promised && estimateOf(promised);
    },
  }),
);

builder.objectField(QuoteRef, 'deliveryEstimate', t =>
  t.field({
    type: DeliveryEstimateRef,
    nullable: true,
    description:
      "When it would arrive if it were scanned now, or at this time of day on a later `shipmentDate`. It is calculated from the company's own deliveries on the connection, by whatever service, and null if there are too few.",
    resolve: ({ promised }) => (promised === null ? null : estimateOf(promised)),
  }),
);

query('deliveryEstimate', {
  type: DeliveryEstimateRef,
  nullable: true,
  description:
    "When a parcel would arrive if its carrier scanned it now, calculated from the company's own deliveries to the same country. Null if there are too few.",
  authScopes: { scope: 'shipments:quote' },
  args: builder.args(t => ({
    input: t.field({ type: inputType(deliveryEstimateInput), required: true, description: 'The parcel.' }),
  })),
  resolve: async (_root, { input }, { tenant, promiseBook }) => {
    const promised = await laneEstimate(tenant, promiseBook, input);
    return promised && estimateOf(promised);
  },
});

/** The expected number for a company with some connections. */
const MAX_ROWS = 50;

const LevelRef = enumType<(typeof DESTINATION_LEVELS)[number]>(
  'DestinationLevel',
  'Which deliveries a promise was calculated from, from the nearest to the destination to the farthest.',
  {
    POSTAL_CODE: 'To the same postal code.',
    PROVINCE: 'To the same Italian province.',
    REGION: 'To the same Italian region.',
    COUNTRY: 'To the same country.',
  },
);

const AccuracyRef = builder.objectRef<AccuracyRow>('DeliveryAccuracy').implement({
  description: 'How many promises of one kind were kept, among those that were due in the last 90 days.',
  fields: t => ({
    carrierConnectionId: t.id({
      description: 'Id of the carrier connection.',
      resolve: ({ carrierConnectionId }) => recordIdOfConnection(carrierConnectionId),
    }),
    carrierConnection: t.field({
      type: CarrierConnectionRef,
      nullable: true,
      description: 'The carrier connection.',
      authScopes: { scope: 'carriers:read' },
      resolve: ({ carrierConnectionId }, _args, context) => carrierConnectionOf(context, carrierConnectionId),
    }),
    level: t.value(LevelRef, 'The source of the estimates.', ({ level }) => DESTINATION_LEVELS[level] ?? 'COUNTRY'),
    stated: t.exposeFloat('share', { description: 'The expected share of parcels, of 1: 0.05, 0.8 or 0.95.' }),
    measured: t.value('Float', 'The share that arrived in time.', ({ kept, promised }) => kept / promised),
    sampleSize: t.exposeInt('promised', { description: 'How many promises were measured.' }),
  }),
});

query('deliveryAccuracy', {
  type: [AccuracyRef],
  description:
    "How many of the service's promises were kept, by connection, level and stated share. A promise is made at the first scan of a shipment. The figures are calculated each night, from promises that were due. Empty until there are any.",
  authScopes: { scope: 'shipments:tracking' },
  complexity: { multiplier: MAX_ROWS },
  resolve: (_root, _args, { tenant }) => deliveryAccuracy(tenant),
});
