import table from '../../schema/carriers/inpost.codes.json' with { type: 'json' };
import type { InpostTracking, InpostTrackingVariables } from '../../schema/carriers/inpost.d.ts';
import type { TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';
import { type CarrierAdapter, words } from './adapter.ts';
import { numberComplaint } from './complaint.ts';
import { carrierEvents, type Item, type Maybe, pathSegment, plainNumber, textOf } from './normalize.ts';
import { placedTimes, sentTime } from './place-time.ts';

/** InPost Italy: a public interface, which asks nobody who they are. */
export const inpost: CarrierAdapter = {
  document: 'inpost',
  statuses: [400, 404, 422],
  // Neither the locker nor its address, which say where the recipient lives.
  kept: words('tracking_number status origin_status datetime expiryDate error message'),
  tracking: {
    url: 'https://api-shipx-it.easypack24.net',
    operation: 'trackShipment',
    numbersPerRequest: 1,
    // InPost publishes no limit. It is a public interface, which blocks those who ask too much.
    requestsPerMinute: 60,
    variables: ([number = '']): InpostTrackingVariables => ({ trackingNumber: pathSegment(plainNumber(number)) }),
    read: (data: InpostTracking, [number = '']) => [trackingFinding(data, number)],
  },
  // A number that InPost does not have may come without a body, and a client has seen places as objects.
  json: body => JSON.parse(body.toString('utf8').trim() || '{}', placeByName),
};

function placeByName(name: string, value: unknown): unknown {
  const isPlace = name === 'location' && typeof value === 'object' && value !== null;
  if (!isPlace) return value;
  return 'name' in value ? value.name : null;
}

/** InPost sends the status alone, and lists its text elsewhere. */
const TEXTS: ReadonlyMap<string, string> = new Map(table.codes.map(({ code, text }) => [code, text]));

type Tracking = Partial<Extract<InpostTracking['trackShipment'], { __typename: 'Tracking' }>>;
type Attributes = NonNullable<Tracking['custom_attributes']>;
type Detail = Item<Tracking['tracking_details']>;

function trackingFinding({ trackShipment: answer }: InpostTracking, number: string): TrackingFinding {
  if (answer?.__typename === 'NotFound') return { kind: 'not_found' };
  if (answer?.__typename === 'Invalid') return { kind: numberComplaint([answer.error, answer.message]) };
  if (!answer?.tracking_details) return { kind: 'unreadable' };
  const told = plainNumber(answer.tracking_number ?? '');
  if (told !== '' && told !== plainNumber(number)) return { kind: 'not_found' };
  return { kind: 'events', events: eventsOf(answer), related: [], estimate: null };
}

/** Statuses of a parcel that waits in the locker, or has left it for its recipient. */
const AT_TARGET: ReadonlySet<string> = new Set(
  words(`
    ready_to_pickup ready_for_collection ready_to_pickup_from_pok ready_to_pickup_from_pok_registered pickup_reminder_sent pickup_time_expired
    not_collected delivered collected_by_customer
  `),
);
/** Statuses of a parcel that its sender has put into a locker or brought to a shop. */
const AT_DROPOFF: ReadonlySet<string> = new Set(
  words('dispatched_by_sender dispatched_by_sender_to_pok taken_by_courier taken_by_courier_from_pok'),
);
/** A parcel that goes to another locker: the response has the new one alone. */
const REDIRECTION = /redirect|readdressed/;
const READY = /^ready_/;

function eventsOf({ tracking_details, custom_attributes, expiryDate }: Tracking) {
  const details = fromOldest((tracking_details ?? []).filter(detail => detail != null));
  const times = placedTimes(details.map(({ datetime }) => sentTime(datetime, { country: 'IT' })));
  const redirected = details.findLastIndex(({ status }) => REDIRECTION.test(status));
  const ready = details.findLastIndex(({ status }) => READY.test(status));
  return carrierEvents(
    details.map((detail, n) => ({
      timestamp: times[n]?.timestamp ?? '',
      code: detail.status,
      description: TEXTS.get(detail.status),
      location: locationOf(detail, n > redirected ? custom_attributes : null),
      note: n === ready ? collectionNote(custom_attributes, expiryDate) : null,
    })),
  );
}

/** From oldest to newest; InPost has the newest first, which its clients do not rely on. */
function fromOldest(sent: readonly Detail[]) {
  const details = sent.map(({ status, origin_status, ...rest }) => ({
    ...rest,
    status: (textOf(status) ?? textOf(origin_status) ?? '').toLowerCase(),
  }));
  const [first = 0, last = 0] = [details[0], details.at(-1)].map(detail => Date.parse(detail?.datetime ?? ''));
  return first < last ? details : details.toReversed();
}

/** The locker that the status is about, or else the place that InPost states. */
function locationOf(
  { agency, location, status }: ReturnType<typeof fromOldest>[number],
  attributes: Maybe<Attributes>,
): Maybe<string> {
  const { target_machine_id, target_machine_detail, dropoff_machine_id, dropoff_machine_detail } = attributes ?? {};
  const machine = AT_TARGET.has(status)
    ? machineOf(target_machine_id, target_machine_detail)
    : AT_DROPOFF.has(status) && machineOf(dropoff_machine_id, dropoff_machine_detail);
  return machine || location || agency;
}

/** Name and address of a locker: `MIL01A, Via Dante 3, 20121 Milano`. */
function machineOf(id: Maybe<string>, machine: Attributes['target_machine_detail']): string | null {
  return joined([machine?.name || id, machine?.address?.line1, machine?.address?.line2], ', ');
}

const ROME = new Intl.DateTimeFormat('it-IT', { timeZone: 'Europe/Rome', dateStyle: 'short', timeStyle: 'short' });

/** Where the locker is, and until when the parcel waits in it. */
function collectionNote(attributes: Maybe<Attributes>, expiryDate: Maybe<string>): string | null {
  const { location_description, opening_hours } = attributes?.target_machine_detail ?? {};
  const [deadline] = placedTimes([sentTime(expiryDate, { country: 'IT' })]);
  const ms = Date.parse(deadline?.timestamp ?? '');
  const until = Number.isFinite(ms) ? `Da ritirare entro il ${ROME.format(ms)}` : null;
  return joined([location_description, opening_hours, until], ' · ');
}

function joined(parts: readonly Maybe<string>[], separator: string): string | null {
  const texts = parts.map(part => textOf(part)).filter(part => part !== null);
  return texts.length === 0 ? null : texts.join(separator);
}
