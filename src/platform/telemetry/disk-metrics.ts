import { statfs } from 'node:fs/promises';
import { sampled } from '../caches/sampled.ts';
import type { Metrics } from './metrics.ts';

const EVERY_MS = 15_000;

/** Room where the data folder is, which holds the embedded database. There is no value while the folder is not there. */
export function measureDisk(folder: string, metrics: Metrics): void {
  const room = sampled(() => statfs(folder), EVERY_MS);
  metrics.gauges('shipping_data_folder_free_bytes', 'Room on the disk of the data folder', [], async () => {
    const found = await room();
    return found ? [{ labels: {}, value: found.bavail * found.bsize }] : [];
  });
}
