import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into the service before its own code. On SIGUSR2 it writes down how much memory is in use after everything that
 * is not was collected: what the system shows also has what the collector has not looked at yet.
 */
const file = process.env.MEMORY_PROBE;

if (file) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let looks = 0;
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    // A reader sees the whole file.
    writeFileSync(
      `${file}.new`,
      JSON.stringify({ look: `${process.pid} ${++looks}`, megabytes: (heapUsed + external) / 1024 ** 2 }),
    );
    renameSync(`${file}.new`, file);
  });
}
