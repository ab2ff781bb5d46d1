import type { FaultOptions } from './faults.ts';
import { promotion } from './scenarios/promotion.ts';
import { THIS_RELEASE } from './service/release.ts';
import { FaultTable } from './service/table.ts';
import { underLoad } from './service/under-load.ts';

/** A primary and its synchronous standby change places again and again, under a load of all endpoints. */
export async function run({ promotions }: FaultOptions): Promise<boolean> {
  const table = new FaultTable();
  const pauses: number[] = [];
  const work = async (each: (scenario: ReturnType<typeof promotion>) => Promise<void>) => {
    for (let i = 0; i < promotions; i++) await each(promotion(pauses));
  };
  await underLoad(THIS_RELEASE, table, work, { hasStandby: true });
  table.print();
  const seconds = pauses.map(ms => ms / 1_000).toSorted((a, b) => a - b);
  const [least, median, most] = [0, 0.5, 1].map(share => seconds[Math.floor(share * (seconds.length - 1))]?.toFixed(2));
  process.stdout.write(
    `${pauses.length} promotions; without writes for ${median} s (median; ${least} to ${most} s), and no process restarted.\n`,
  );
  return table.isWhole && pauses.length === promotions;
}
