import { builder } from '../../../../graphql/builder.ts';
import { inputType } from '../../../../graphql/input-type.ts';
import { query } from '../../../../graphql/query.ts';
import { CarrierConnectionRef, carrierConnectionOf, recordIdOfConnection } from '../../carriers/carriers.graphql.ts';
import { SourceRef } from '../../tracking/lists/shipment-list.graphql.ts';
import { scorecardPeriod } from './scorecard.input.ts';
import type { ScoreRow } from './scorecard.repository.ts';
import { carrierScorecard } from './scorecard.service.ts';

/** Reading the deliveries takes as long as some hundred pages of shipments. */
const COST = 1_000;

const ScoreRef = builder.objectRef<ScoreRow>('CarrierScore').implement({
  description: 'How the deliveries of a carrier connection compare with the dates on which they were expected.',
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
    deliveries: t.exposeInt('deliveries', { description: 'How many shipments were delivered.' }),
    dated: t.exposeInt('dated', { description: 'How many of them had an expected date.' }),
    inTime: t.value('Int', 'How many of these were delivered by it.', ({ dated, late }) => dated - late),
    late: t.exposeInt('late', { description: 'How many of these were delivered after it.' }),
    inTimeShare: t.float({
      nullable: true,
      description: 'The share of `inTime` in `dated`, of 1. Null if none had an expected date.',
      resolve: ({ dated, late }) => (dated === 0 ? null : (dated - late) / dated),
    }),
    ...t.nullableColumns('Float', {
      medianDaysLate:
        "Half of the late ones came at most so many days after their date; working days for the service's estimate. Null if none was late.",
    }),
  }),
});

query('carrierScorecard', {
  type: [ScoreRef],
  description:
    'How many deliveries of each carrier connection came by the date on which they were expected, for the shipments that were delivered in a period. Connections without a delivery are left out. `shipments` lists the late ones with the filters `deliveredAt` and `wasLate`.',
  authScopes: { scope: 'shipments:tracking' },
  args: builder.args(t => ({
    deliveredIn: t.field({
      type: inputType(scorecardPeriod),
      required: true,
      description: 'When they were delivered.',
    }),
    against: t.field({
      type: SourceRef,
      description:
        "The source of the date that counts: the carrier's last one before the delivery, the platform's, or the service's estimate at the first scan, which is kept for 90 days and compared in the night after the delivery. By default the carrier's, otherwise the platform's.",
    }),
  })),
  complexity: COST,
  resolve: async (_root, { deliveredIn, against }, { tenant }) => [
    ...(await carrierScorecard(tenant, deliveredIn, against ?? null)),
  ],
});
