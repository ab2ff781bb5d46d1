import type { DhlTracking } from '../../schema/carriers/dhl.d.ts';
import type { TrackingFinding } from '../domain/shipping/carriers/carrier.port.ts';
import { estimatedTimeOf } from './estimated-time.ts';
import { type Place, placeNamed, zoneOf } from './event-zone.ts';
import { carrierEvents, type Item, type Maybe, plainNumber } from './normalize.ts';
import { newestMs, placedTimes, withUncertainty } from './place-time.ts';

/** Finds the shipment or piece of a number in DHL's response, and reads its checkpoints as events. */

type Tracked = Extract<DhlTracking['trackShipment'], { __typename: 'Tracking' }>;
type Shipments = Tracked['shipments'];
type Shipment = Item<Shipments>;
type Piece = Item<Shipment['pieces']>;
type Checkpoint = Item<Shipment['events']>;

export function shipmentFinding(shipments: Shipments, number: string): TrackingFinding {
  const known = (shipments ?? []).filter(shipment => shipment != null);
  const asked = plainNumber(number);
  const found = known
    .filter(shipment => isOf(shipment, asked))
    .map(shipment => ({ shipment, checkpoints: checkpointsOf(shipment, asked) }))
    .map(each => ({ ...each, ms: newestMs(timesOf(each.shipment, each.checkpoints)) }))
    // A number that DHL has used again has several shipments.
    .toSorted((one, other) => other.ms - one.ms)[0];
  if (!found) return { kind: known.length > 0 || shipments?.length === 0 ? 'not_found' : 'unreadable' };
  const { shipment, checkpoints } = found;
  const times = timesOf(shipment, checkpoints);
  return {
    kind: 'events',
    events: carrierEvents(
      checkpoints.map(({ typeCode, description, serviceArea }, n) => ({
        timestamp: times[n]?.timestamp ?? '',
        code: typeCode,
        description,
        location: serviceArea?.find(area => area?.description)?.description,
        note: withUncertainty(null, times[n]),
      })),
    ),
    related: [],
    estimate: estimateOf(shipment, asked),
  };
}

function isOf(shipment: Shipment, asked: string): boolean {
  const number = plainNumber(shipment.shipmentTrackingNumber ?? '');
  return number === '' || number === asked || pieceOf(shipment, asked) !== undefined;
}

function pieceOf({ pieces }: Shipment, asked: string): Piece | undefined {
  return pieces?.find(piece => plainNumber(piece?.trackingNumber ?? '') === asked) ?? undefined;
}

/**
 * The checkpoints of the piece that is asked about, or of the shipment. If only the pieces have checkpoints, the piece
 * that is furthest behind counts: a shipment has not arrived before all of its pieces.
 */
function checkpointsOf(shipment: Shipment, asked: string): Checkpoint[] {
  const piece = pieceOf(shipment, asked);
  const checkpoints = oldestFirst(piece?.events?.length ? piece.events : shipment.events);
  if (checkpoints.length > 0) return checkpoints;
  const lists = (shipment.pieces ?? []).map(each => oldestFirst(each?.events)).filter(list => list.length > 0);
  const ranked = lists.map(checkpoints => ({ checkpoints, ms: newestMs(timesOf(shipment, checkpoints)) }));
  return ranked.toSorted((one, other) => one.ms - other.ms)[0]?.checkpoints ?? [];
}

/** DHL's document has the oldest first, a recorded answer the newest. */
function oldestFirst(checkpoints: Shipment['events']): Checkpoint[] {
  const known = (checkpoints ?? []).filter(checkpoint => checkpoint != null);
  const [first, last] = [known[0], known.at(-1)].map(each => each?.date ?? '');
  return first !== undefined && last !== undefined && first > last ? known.toReversed() : known;
}

function timesOf(shipment: Shipment, checkpoints: readonly Checkpoint[]) {
  return placedTimes(
    checkpoints.map(checkpoint => ({
      local: `${checkpoint.date ?? ''}T${checkpoint.time ?? ''}`,
      offset: checkpoint.GMTOffset,
      place: placeOf(shipment, checkpoint),
    })),
  );
}

/** By the name of the service area, or as the sender's or the recipient's if it has the same code. */
function placeOf({ shipperDetails, receiverDetails }: Shipment, { serviceArea }: Checkpoint): Place {
  const [area] = (serviceArea ?? []).filter(each => each != null);
  const named = placeNamed(area?.description);
  if (named.country) return named;
  const party = [shipperDetails, receiverDetails].find(each =>
    each?.serviceArea?.some(own => isSame(own?.code, area?.code)),
  );
  return { country: party?.postalAddress?.countryCode, state: party?.postalAddress?.provinceCode, city: named.city };
}

function isSame(one: Maybe<string>, other: Maybe<string>): boolean {
  return !!one && one.trim().toUpperCase() === other?.trim().toUpperCase();
}

function estimateOf(shipment: Shipment, asked: string): string | null {
  const piece = pieceOf(shipment, asked) ?? shipment.pieces?.find(each => each?.estimatedDeliveryDate);
  const { countryCode: country, provinceCode: state } = shipment.receiverDetails?.postalAddress ?? {};
  const sent = shipment.estimatedDeliveryDate || shipment.estimatedTimeOfDelivery || piece?.estimatedDeliveryDate;
  return estimatedTimeOf(sent, zoneOf({ country, state })?.zone);
}
