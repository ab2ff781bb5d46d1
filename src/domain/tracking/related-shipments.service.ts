import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { trackingKey } from '../common/number.rules.ts';
import { appendChangesAtEnd } from './changes/changes.repository.ts';
import { createRelated, insertRelations, type NamedShipment } from './related-shipments.repository.ts';
import { SHIPMENTS_LOCK } from './shipments.repository.ts';
import { MAX_NUMBER } from './shipments.rules.ts';
import { shipmentsCreated } from './tracking.announcements.ts';

/**
 * The shipments that a carrier names in its answer about another: one that carries it on, or back. The company need not
 * know their numbers, so that they are created from the answer, and followed like any other.
 */

/**
 * A shipment that is created so may name others in its turn. This is how far that goes from a shipment that the platform
 * sent: on, back, and on once more. Every carrier's numbers then come to an end, also those that name each other.
 */
const MAX_HOPS = 3;

/**
 * Links shipments with those that their carrier says belong to them, and creates the ones that the company does not have:
 * with the connection, the number of parcels and the measures of the shipment that they belong to.
 *
 * - A forward is the same delivery: it has the order, the warehouse and the recipient too.
 * - A return goes to the sender, whose warehouse is its recipient. It is not of the order: whoever reads the order's
 *   shipments would take the arrival of the return for the delivery.
 *
 * A number that any shipment of the company has, or a label of one, is not created again.
 */
export async function recordRelated(
  tenant: Tenant,
  named: readonly Omit<NamedShipment, 'relatedKey'>[],
): Promise<void> {
  const keyed = named
    .map(one => ({ ...one, relatedKey: trackingKey(one.trackingNumber) }))
    .filter(({ trackingNumber, relatedKey }) => relatedKey !== '' && trackingNumber.length <= MAX_NUMBER);
  if (keyed.length === 0) return;
  // Of two answers that name the same number, and of the platform that sends it meanwhile, one creates it.
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
