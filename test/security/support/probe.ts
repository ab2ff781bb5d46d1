import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the service before its own code: writes down when its event loop was blocked, and for how much of that its
 * thread was computing. On a busy machine a thread also waits for a processor, which is not the service's doing.
 */
const EVERY_MS = 2;
/** Shorter ones are of no interest. */
const LEAST_MS = 5;

const file = process.env.LOOP_BLOCKS;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

// A worker thread loads this too; nobody waits for its event loop.
if (file && isMainThread) {
  let before = { wall: performance.now(), cpu: cpuMs() };
  setInterval(() => {
    const now = { wall: performance.now(), cpu: cpuMs() };
    const blockedMs = now.wall - before.wall - EVERY_MS;
    if (blockedMs > LEAST_MS) {
      const computingMs = Math.min(blockedMs, now.cpu - before.cpu);
      appendFileSync(file, `${Date.now()} ${blockedMs.toFixed(1)} ${computingMs.toFixed(1)}\n`);
      // Writing it down is not to be counted.
      before = { wall: performance.now(), cpu: cpuMs() };
    } else before = now;
  }, EVERY_MS).unref();
}
