import { statfs } from 'node:fs/promises';
import { sampled } from '../caches/sampled.ts';
import type { Metrics } from './metrics.ts';

const EVERY_MS = 15_000;

/** Measures the free space at the embedded database. There is no value without its folder, as with another server. */
export function measureDisk(folder: string, metrics: Metrics): void {
  const room = sampled(() => statfs(folder), EVERY_MS);
  metrics.gauges('shipping_data_folder_free_bytes', 'Room on the disk of the embedded database', [], async () => {
    const found = await room();
    return found ? [{ labels: {}, value: found.bavail * found.bsize }] : [];
  });
}
