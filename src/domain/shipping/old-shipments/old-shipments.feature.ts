import type { Feature } from '../../../feature.ts';
import * as scan from './old-shipment-scan.entity.ts';
import { OLD_SHIPMENT_RETENTION_RULES } from './old-shipments.jobs.ts';

/** Old shipments, which lose their recipients and events. */
export const oldShipments: Feature = {
  entities: [scan],
  retention: OLD_SHIPMENT_RETENTION_RULES,
};
