import { builder } from '../../graphql/builder.ts';
import { CARRIER_CALL, CARRIER_CALL_WORK } from '../../graphql/costs.ts';
import { enumType } from '../../graphql/enum-type.ts';
import { mutation, numberId } from '../../graphql/mutation.ts';
import { ShipmentRef } from '../tracking/tracking.graphql.ts';
import type { FollowingRow } from './following.repository.ts';
import { followingOf, refreshTracking } from './following.service.ts';
import type { AskOutcome } from './poll.rules.ts';

const AskOutcomeRef = enumType('FollowingOutcome', {
  description: 'What came of asking a carrier about a shipment. More may be added.',
  values: {
    answered: { description: 'The carrier said what it knows of the shipment.' },
    not_found: { description: 'The carrier does not know the number, or not yet.' },
    unavailable: { description: 'The carrier could not be reached, or asked to be left alone for a while.' },
    unreadable: { description: "The carrier's response made no sense." },
    refused: { description: 'The carrier rejected the credentials of the connection.' },
  } as const satisfies Record<AskOutcome, object>,
});

const FollowingRef = builder.objectRef<FollowingRow>('ShipmentFollowing').implement({
  description: 'How the service asks the carrier about a shipment, and how fresh its tracking is by that.',
  fields: t => ({
    carrierAskedAt: t.expose('carrierAskedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the carrier was asked last; null before the first time.',
    }),
    nextAskAt: t.expose('nextAskAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it is due to be asked next, or was due if its turn has not come yet; null where the service does not ask any more by itself.',
    }),
    outcome: t.expose('outcome', {
      type: AskOutcomeRef,
      nullable: true,
      description: 'What came of it the last time; null before the first.',
    }),
    misses: t.exposeInt('misses', {
      description: 'How many times in a row the carrier gave no answer. The pause grows with each.',
    }),
  }),
});

builder.objectField(ShipmentRef, 'following', t =>
  t.field({
    type: FollowingRef,
    nullable: true,
    description:
      'How its carrier is asked about it. Null where the service does not ask, since it has ended, is older than 60 days, or is of a connection that can not be asked, and nobody had it asked by `refreshTracking` since.',
    resolve: async ({ id }, _args, { tenant }) => (await followingOf(tenant, id)) ?? null,
  }),
);

mutation('refreshTracking', {
  description:
    'Asks the carrier about a shipment now, also one that has ended, records what it says, and returns the shipment; `following` says what came of it. At most once a minute for a shipment (`rate_limited`, with `retryAfter` in seconds). `carrier_not_asked` where its connection can not be asked. It counts as an address check.',
  // What it records is the carrier's word and nothing of the caller's, so that whoever may read tracking may have it refreshed.
  scope: 'shipments:tracking',
  ids: { shipmentId: numberId('Shipment', 'The shipment.') },
  payload: { shipment: { type: ShipmentRef, description: 'The shipment as it is now.' } },
  complexity: CARRIER_CALL,
  work: CARRIER_CALL_WORK,
  resolve: async (
    { shipmentId },
    { tenant, carriers, promiseBook: promises, jobs, publicUrl, caps, log, requestId, place },
  ) => {
    const tools = {
      carriers: carriers.port,
      accounts: carriers.accounts,
      announcer: { jobs, publicUrl, promises },
      caps,
      log: log.child({ requestId }),
    };
    return { shipment: await place.outside(() => refreshTracking(tenant, shipmentId, tools)) };
  },
});
