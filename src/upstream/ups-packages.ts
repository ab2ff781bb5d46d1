import type { UpsTracking } from '../../schema/carriers/ups.d.ts';
import type { TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';
import { estimatedTime } from './estimated-time.ts';
import { zoneOf } from './event-zone.ts';
import { carrierEvents, type Item, type Maybe, plainNumber } from './normalize.ts';
import { isLocalTime, newestMs, placedTimes, withUncertainty } from './place-time.ts';

/** Finds the package of a number in UPS' response, and reads its activities, newest first, as events, oldest first. */

type Tracked = Extract<UpsTracking['trackPackage'], { __typename: 'Tracking' }>;
type Shipments = NonNullable<Tracked['trackResponse']>['shipment'];
type Shipment = Item<Shipments>;
type Package = Item<Shipment['package']>;
type Activity = Item<Package['activity']>;

export function packageFinding(shipments: Shipments, number: string): TrackingFinding {
  const known = (shipments ?? []).filter(shipment => shipment != null);
  const packages = known.flatMap(shipment => shipment.package ?? []).filter(parcel => parcel != null);
  const parcel = packageOf(packages, known, plainNumber(number));
  if (parcel) return { kind: 'events', events: eventsOf(parcel), related: [], estimate: estimateOf(parcel) };
  const isUnknown =
    packages.length > 0 ||
    shipments?.length === 0 ||
    known.some(one => one.warnings?.length || one.package?.length === 0);
  return { kind: isUnknown ? 'not_found' : 'unreadable' };
}

/** The package of a number, of several the one with the newest activity; another package's delivery is not its own. */
function packageOf(packages: readonly Package[], shipments: readonly Shipment[], number: string): Package | undefined {
  const named = packages.filter(parcel => numbersOf(parcel).includes(number));
  const ours = named.length > 0 ? named : packages.filter(parcel => numbersOf(parcel).length === 0);
  if (ours.length === 0) return soleOf(packages, shipments, number);
  return ours.map(parcel => ({ parcel, ms: newestActivityMs(parcel) })).toSorted((one, other) => other.ms - one.ms)[0]
    ?.parcel;
}

const PACKAGE_NUMBER = /^1Z[0-9A-Z]{16}$/;

/** UPS may be asked by another kind of number, such as a notice's, and responds with the number of the package. */
function soleOf(packages: readonly Package[], shipments: readonly Shipment[], number: string): Package | undefined {
  if (packages.length !== 1 || PACKAGE_NUMBER.test(number)) return undefined;
  return shipments.some(({ inquiryNumber }) => plainNumber(inquiryNumber ?? '') === number) ? packages[0] : undefined;
}

function numbersOf({ trackingNumber, alternateTrackingNumber }: Package): string[] {
  const others = (alternateTrackingNumber ?? []).map(other => other?.number);
  return [trackingNumber, ...others].flatMap(number => (number ? [plainNumber(number)] : []));
}

function newestActivityMs({ activity }: Package): number {
  return newestMs(placedTimes((activity ?? []).filter(each => each != null).map(timeOf)));
}

/** UPS' types of delivery dates, the most relevant first; another type is the actual delivery. */
const ESTIMATES = ['RDD', 'SDD'];

function estimateOf({ deliveryDate, deliveryTime, packageAddress }: Package): string | null {
  const dates = ESTIMATES.map(type => deliveryDate?.find(date => date?.type?.trim() === type)?.date);
  // After the delivery the time is the actual one.
  const isToCome = deliveryTime?.type?.trim() !== 'DEL';
  const destination = packageAddress?.find(each => each?.type?.trim().toUpperCase() === 'DESTINATION')?.address;
  return estimatedTime({
    date: dates.find(date => date),
    time: isToCome ? deliveryTime?.endTime : null,
    zone: zoneOf(placeOf(destination))?.zone,
  });
}

function eventsOf({ activity }: Package) {
  const activities = (activity ?? []).filter(each => each != null).toReversed();
  const times = placedTimes(activities.map(timeOf));
  return carrierEvents(
    activities.map(({ status, location }, n) => ({
      timestamp: times[n]?.timestamp ?? '',
      code: `${status?.type?.trim() ?? ''}${status?.statusCode?.trim() ?? ''}`,
      description: status?.description,
      location: location?.address?.city || location?.address?.countryCode,
      note: withUncertainty(null, times[n]),
    })),
  );
}

/** UPS' time in GMT; the local time if UPS sends none in GMT that can be read. */
function timeOf({ date, time, gmtDate, gmtTime, gmtOffset, location }: Activity) {
  const place = placeOf(location?.address);
  const gmt = `${gmtDate ?? ''}T${sixDigits(gmtTime)}`;
  if (isLocalTime(gmt)) return { local: gmt, offset: 'Z', place };
  return { local: `${date ?? ''}T${sixDigits(time)}`, offset: gmtOffset, place };
}

/** UPS' document has a time without its first zero: `74700`. */
function sixDigits(time: Maybe<string>): string {
  const text = time?.trim() ?? '';
  return /^\d{5}$/.test(text) ? `0${text}` : text;
}

type Address = Maybe<NonNullable<NonNullable<Activity['location']>['address']>>;

function placeOf(address: Address) {
  return { country: address?.countryCode, state: address?.stateProvince, city: address?.city };
}
