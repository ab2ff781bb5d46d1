import type { FedexTracking } from '../../schema/carriers/fedex.d.ts';
import { carrierEvents, type Item, type Maybe, textOf } from './normalize.ts';
import { newestMs, placedTimes, sentTime, withUncertainty } from './place-time.ts';

/** Reads FedEx' scans, newest first, as events, oldest first. */

type Tracked = Extract<FedexTracking['trackNumbers'], { __typename: 'Tracking' }>;
type NumberResult = Item<NonNullable<Tracked['output']>['completeTrackResults']>;
type Scans = Item<NumberResult['trackResults']>['scanEvents'];
type Scan = Item<Scans>;

export function fedexEvents(newestFirst: Scans) {
  const scans = (newestFirst ?? []).filter(scan => scan != null).toReversed();
  const times = timesOf(scans);
  const events = scans.map(
    ({ eventType, derivedStatusCode, eventDescription, exceptionDescription, scanLocation }, n) => ({
      timestamp: times[n]?.timestamp ?? '',
      code: eventType,
      group: derivedStatusCode,
      description: eventDescription,
      location: scanLocation?.city || scanLocation?.countryCode,
      note: withUncertainty(exceptionDescription, times[n]),
    }),
  );
  return carrierEvents(inOrder(scans, events));
}

/** The time of the newest scan; less than any time without scans that have one. */
export function newestScanMs(scans: Scans): number {
  return newestMs(timesOf((scans ?? []).filter(scan => scan != null)));
}

function timesOf(scans: readonly Scan[]) {
  return placedTimes(
    scans.map(({ date, scanLocation: at }) =>
      sentTime(dayOf(date) ?? date, { country: at?.countryCode, state: at?.stateOrProvinceCode, city: at?.city }),
    ),
  );
}

/** The day of a scan of which FedEx knows only the day: it sends midnight without an offset. */
function dayOf(date: Maybe<string>): string | null {
  return /^(\d{4}-\d\d-\d\d)(?:T00:00(?::00(?:\.0+)?)?)?$/.exec(textOf(date) ?? '')?.[1] ?? null;
}

/** The general code of a label. */
const LABEL = 'IN';

const NO_TIME = 'Orario non indicato dal corriere';

/**
 * FedEx sorts a scan of a day as the first of its day, even before a label that was made on the day. Such a scan gets
 * the time of the label, since it cannot be earlier; without a label it is placed within its day by the rule for all
 * carriers.
 */
function inOrder<Event extends { timestamp: string; note: Maybe<string> }>(
  scans: readonly Scan[],
  events: readonly Event[],
): Event[] {
  return events
    .map((event, n) => {
      const day = dayOf(scans[n]?.date);
      const label =
        day === null
          ? -1
          : scans.findLastIndex(scan => scan.derivedStatusCode === LABEL && textOf(scan.date)?.startsWith(`${day}T`));
      if (label <= n) return { event, place: n };
      const { timestamp } = events[label] as Event;
      return {
        event: { ...event, timestamp, note: [event.note, NO_TIME].filter(Boolean).join(' · ') },
        place: label + 0.5,
      };
    })
    .toSorted((one, other) => one.place - other.place)
    .map(({ event }) => event);
}
