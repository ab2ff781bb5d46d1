import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  machine => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

/** The clock of one process, which can be set while it runs. Its steady clock continues. */
export interface Clock {
  /** Settings of the process. */
  readonly env: Record<string, string>;
  /** Seconds from the true time. */
  set(seconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Undefined where libfaketime is not installed. */
export async function openClock(): Promise<Clock | undefined> {
  const library = LIBRARIES.find(path => existsSync(path));
  if (library === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'shipping-clock-'));
  const file = join(folder, 'offset');
  const set = (seconds: number) => writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}`);
  await set(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
