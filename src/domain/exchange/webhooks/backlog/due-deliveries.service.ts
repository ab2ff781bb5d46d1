import type { Database } from '../../../../platform/database/database.ts';
import { type DueOfCompany, dueByCompany, laterByGroup } from '../../../../platform/jobs/pgboss-tables.ts';
import { deadDeliveries, deliveries } from '../webhooks.queues.ts';

/** Deliveries that workers can send now, by company, of the `max` that have been due for longest. */
export function dueDeliveries(database: Database, max: number): Promise<DueOfCompany[]> {
  return dueByCompany(database, deliveries.queue, max);
}

/** When the first delivery that is tried later is due, by endpoint, of the `max` that are due first; in milliseconds since 1970. */
export async function laterDeliveries(database: Database, max: number): Promise<ReadonlyMap<string, number>> {
  const later = await laterByGroup(database, deliveries.queue, max);
  return new Map(later.map(({ group, nextAt }) => [group, nextAt]));
}

/** Whether the jobs of a queue are deliveries, which fail with their receivers. */
export function isOfDeliveries(queue: string): boolean {
  return queue === deliveries.queue || isOfDeadDeliveries(queue);
}

/** Whether a queue has deliveries that failed for good. */
export function isOfDeadDeliveries(queue: string): boolean {
  return queue === deadDeliveries.queue;
}
