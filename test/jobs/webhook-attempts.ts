// The times at which a delivery is tried, and the jobs that wait for them.
import { expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../support/time.ts';
import type { World } from '../support/world.ts';
import { type Delivery, deliveryKey } from './webhooks.ts';

/** How long after each attempt the next one comes. */
export const SCHEDULE = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR)];

export const ms = (time: string | null) => Date.parse(time ?? '');

/** How long a delivery waits after its last attempt. */
export function wait({ attempts, nextAttemptAt }: Delivery): number {
  const last = attempts.at(-1);
  return ms(nextAttemptAt) - ms(last?.startedAt ?? null) - (last?.durationMs ?? 0);
}

/** Within 20 % of the stated delay. */
export function expectAbout(stated: number, actual: number, late = 300): void {
  expect(actual).toBeGreaterThanOrEqual(stated * 0.8 - 50);
  expect(actual).toBeLessThanOrEqual(stated * 1.2 + late);
}

/** How long it is until a delivery is due. */
export const untilDue = ({ nextAttemptAt }: Delivery) => Math.max(ms(nextAttemptAt) - Date.now(), 0);

/** Times between attempts. */
export function gaps({ attempts }: Delivery): number[] {
  return attempts.slice(1).map(({ startedAt }, i) => ms(startedAt) - ms(attempts[i]?.startedAt ?? null));
}

interface Job {
  readonly name: string;
  readonly state: string;
  readonly startAfter: Date;
}

/** The jobs of a delivery that are still to be done. */
export async function jobsOf({ pool }: Pick<World, 'pool'>, { id }: Pick<Delivery, 'id'>): Promise<Job[]> {
  const { rows } = await pool.query<Job>(
    `select name, state, start_after as "startAfter" from pgboss.job
      where data ->> 'deliveryId' = $1 and state < 'completed'`,
    [deliveryKey(id)],
  );
  return rows;
}
