import { brtEvent, hoursAfter, PLACES, type Place, type SentShipment, WEIGHTS } from './sent-shipments.ts';

/** The shipments of October 2026, in the order in which they left. */

const SHIPMENTS = 40;

export const MONTH: readonly SentShipment[] = Array.from({ length: SHIPMENTS }, (_, i) => {
  const trackingNumber = `0840070261${String(i + 1).padStart(5, '0')}`;
  const day = String(1 + Math.floor((i * 3) / 4)).padStart(2, '0');
  const place = PLACES[i % PLACES.length] as Place;
  const shippedAt = new Date(`2026-10-${day}T09:00:00Z`);
  const deliveredAt = hoursAfter(shippedAt, 24 * place.days + 1);
  return {
    orderNumber: `OTT-${String(i + 1).padStart(3, '0')}`,
    trackingNumber,
    place,
    weight: WEIGHTS[i % WEIGHTS.length] as string,
    shippedAt,
    events: [
      brtEvent(trackingNumber, hoursAfter(shippedAt, 7), '701', 'RITIRATA', 'MILANO'),
      brtEvent(trackingNumber, deliveredAt, '704', 'CONSEGNATA', place.city.toUpperCase()),
    ],
  };
});
