import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { trackingKey } from '../../common/number.rules.ts';
import { appendChangesAtEnd } from './changes/changes.repository.ts';
import { createRelated, insertRelations, type NamedShipment } from './related-shipments.repository.ts';
import { SHIPMENTS_LOCK } from './shipments.repository.ts';
import { MAX_NUMBER } from './shipments.rules.ts';
import { shipmentsCreated } from './tracking.announcements.ts';

/**
 * The shipments that a carrier names in a response about another: one that forwards or returns it. The company need not
 * know their numbers, so they are created from the response, and polled like any other.
 */

/**
 * A created shipment may name further ones. This limits the distance from a shipment that the platform sent: forward,
 * return, and forward again. So the chain ends even if carriers' numbers name each other.
 */
const MAX_HOPS = 3;

/**
 * Links shipments with the related ones of their carrier, and creates those that the company does not have: with the
 * connection, the number of parcels and the measures of the original shipment.
 *
 * - A forward is part of the delivery: it has the order, the warehouse and the recipient too.
 * - A return goes to the sender, whose warehouse is its recipient. It is not part of the order: its arrival would be
 * taken for the order's delivery.
 *
 * A number of any shipment of the company, or of a label, is not created again.
 */
export async function recordRelated(
  tenant: Tenant,
  named: readonly Omit<NamedShipment, 'relatedKey'>[],
): Promise<void> {
  const keyed = named
    .map(one => ({ ...one, relatedKey: trackingKey(one.trackingNumber) }))
    .filter(({ trackingNumber, relatedKey }) => relatedKey !== '' && trackingNumber.length <= MAX_NUMBER);
  if (keyed.length === 0) return;
  // Only one of two simultaneous responses creates the shipment of a number, or the platform does if it sends the
  // shipment meanwhile.
  await tenant.exclusively(SHIPMENTS_LOCK, async tx => {
    const related = await insertRelations(tx, keyed);
    const created = await createRelated(tx, keyed, MAX_HOPS);
    if (created.length > 0) await shipmentsCreated.announce(tx, created);
    appendChangesAtEnd(tx, [
      ...created.map(shipmentId => ({ kind: 'created' as const, shipmentId })),
      ...related.map(({ shipmentId, ...detail }) => ({ kind: 'related' as const, shipmentId, detail })),
    ]);
  });
}
