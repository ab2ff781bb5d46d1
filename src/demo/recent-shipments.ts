import { brtEvent, hoursAfter, PLACES, type Place, type SentShipment, WEIGHTS } from './sent-shipments.ts';

/**
 * Shipments of the weeks before the demo company was made: deliveries, from which the service learns its estimates, and
 * four parcels that are late.
 */

/** Nine to each of four provinces, which is as many as an estimate for a province needs. */
const DELIVERED = 36;
/** Their deliveries all ended before. */
const NEWEST_DAYS_AGO = 8;

export function recentShipments(now: Date): readonly SentShipment[] {
  return [
    ...Array.from({ length: DELIVERED }, (_, i) => delivered(i, now)),
    ...LATE.map((late, i) => lateOne(late, i, now)),
  ];
}

function delivered(i: number, now: Date): SentShipment {
  const place = PLACES[i % 4] as Place;
  const shippedAt = hoursAfter(now, -24 * (NEWEST_DAYS_AGO + Math.floor(i / 2)));
  const shipment = numbered(`NOV-${String(i + 1).padStart(3, '0')}`, `0840070271${String(i + 1).padStart(5, '0')}`, i);
  // Every sixth takes a day longer than usual.
  const days = place.days + (i % 6 === 5 ? 1 : 0);
  return {
    ...shipment,
    place,
    shippedAt,
    events: [
      brtEvent(shipment.trackingNumber, hoursAfter(shippedAt, 2), '701', 'RITIRATA', 'MILANO'),
      brtEvent(
        shipment.trackingNumber,
        hoursAfter(shippedAt, 24 * days),
        '704',
        'CONSEGNATA',
        place.city.toUpperCase(),
      ),
    ],
  };
}

/** Where a late parcel goes, how many days ago it left and was expected, and its last news. */
const LATE = [
  { place: PLACES[3], shippedDaysAgo: 6, expectedDaysAgo: 3, code: '703', text: 'ARRIVATA IN FILIALE', at: 'PALERMO' },
  { place: PLACES[2], shippedDaysAgo: 5, expectedDaysAgo: 3, code: 'MIC', text: 'IN CONSEGNA', at: 'NAPOLI' },
  { place: PLACES[5], shippedDaysAgo: 5, expectedDaysAgo: 2, code: '702', text: 'PARTITA', at: 'MILANO' },
  { place: PLACES[1], shippedDaysAgo: 4, expectedDaysAgo: 2, code: '702', text: 'PARTITA', at: 'MILANO' },
] as const;

function lateOne(
  { place, shippedDaysAgo, expectedDaysAgo, code, text, at }: (typeof LATE)[number],
  i: number,
  now: Date,
): SentShipment {
  const shipment = numbered(`LATE-${i + 1}`, `084007028100${String(i + 1).padStart(3, '0')}`, i);
  const shippedAt = hoursAfter(now, -24 * shippedDaysAgo);
  return {
    ...shipment,
    place,
    shippedAt,
    expectedAt: hoursAfter(now, -24 * expectedDaysAgo),
    events: [
      brtEvent(shipment.trackingNumber, hoursAfter(shippedAt, 2), '701', 'RITIRATA', 'MILANO'),
      brtEvent(shipment.trackingNumber, hoursAfter(shippedAt, 30), code, text, at),
    ],
  };
}

function numbered(orderNumber: string, trackingNumber: string, i: number) {
  return { orderNumber, trackingNumber, weight: WEIGHTS[i % WEIGHTS.length] as string };
}
