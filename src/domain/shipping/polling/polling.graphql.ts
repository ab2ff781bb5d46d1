import { builder } from '../../../graphql/builder.ts';
import { CARRIER_CALL, CARRIER_CALL_WORK } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { mutation, numberId } from '../../../graphql/mutation.ts';
import { ShipmentRef } from '../tracking/tracking.graphql.ts';
import { type FollowingRow, followingOf } from './following.repository.ts';
import { refreshTracking } from './following.service.ts';
import type { AskOutcome } from './poll.rules.ts';

const PollOutcomeRef = enumType<AskOutcome>(
  'PollOutcome',
  'The result of a request to a carrier about a shipment. More values can be added.',
  {
    answered: 'The carrier returned the tracking of the shipment.',
    not_found: 'The carrier does not know the number, or not yet.',
    not_asked:
      'The carrier was not asked, because it did not answer the requests before. It is asked again within minutes, and this does not count as a failure.',
    unavailable: 'The carrier could not be reached, or asked for a pause.',
    unreadable: "The carrier's response could not be read.",
    rejected:
      'The carrier rejected the request for a reason that does not concern the shipment, such as a setting of the account.',
    refused: 'The carrier rejected the credentials of the connection.',
  },
);

const PollingRef = builder.objectRef<FollowingRow>('ShipmentPolling').implement({
  description: 'How the service asks the carrier about a shipment, and how up to date its tracking is.',
  fields: t => ({
    lastPolledAt: t.expose('carrierAskedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the carrier was last asked. Null before the first time.',
    }),
    nextPollAt: t.expose('nextAskAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the next request is due, or was due if it has not been made yet. Null if the service no longer asks by itself.',
    }),
    ...t.nullableColumns(PollOutcomeRef, {
      outcome:
        'The outcome of the last request, or `NOT_ASKED` if none was made when it was due. Null before the first.',
    }),
    consecutiveFailures: t.exposeInt('misses', {
      description: 'How many requests in a row the carrier did not answer. The pause grows with each.',
    }),
  }),
});

builder.objectField(ShipmentRef, 'polling', t =>
  t.field({
    type: PollingRef,
    nullable: true,
    description:
      'How the service asks the carrier about it. Null if the service does not ask: the shipment is delivered or cancelled, was returned a week ago, is older than 60 days, or its connection cannot be asked, and `refreshTracking` has not been called since.',
    resolve: async ({ id }, _args, { tenant }) => (await followingOf(tenant, id)) ?? null,
  }),
);

mutation('refreshTracking', {
  description:
    'Asks the carrier about a shipment now, even if the shipment has ended, records what the carrier returns, and returns the shipment. `polling` has the outcome. A shipment can be refreshed once in a minute (`rate_limited`, with `retryAfter` in seconds). `CARRIER_NOT_ASKED` if the service cannot ask through its connection. The call counts as an address check.',
  // It records only the carrier's response, so a key that may read tracking may refresh it.
  scope: 'shipments:tracking',
  ids: { shipmentId: numberId('Shipment', 'The shipment.') },
  payload: { shipment: { type: ShipmentRef, description: 'The shipment as it is now.' } },
  complexity: CARRIER_CALL,
  work: CARRIER_CALL_WORK,
  resolve: async (
    { shipmentId },
    { tenant, carriers, promiseBook: promises, jobs, publicUrl, caps, log, metrics, requestId, place },
  ) => {
    const tools = {
      carriers: carriers.port,
      accounts: carriers.accounts,
      announcer: { jobs, publicUrl, promises, metrics },
      caps,
      log: log.child({ requestId }),
    };
    return { shipment: await place.outside(() => refreshTracking(tenant, shipmentId, tools)) };
  },
});
