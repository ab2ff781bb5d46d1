import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { programOf, readDockerfile } from '../support/dockerfile.ts';

const GROW = fileURLToPath(new URL('../support/grow-in-thread.ts', import.meta.url));
const flagsIn = (text: string | undefined) => text?.match(/--max-\S+/g) ?? [];
const unit = readFileSync(new URL('../../schema/ops/shipping@.service', import.meta.url), 'utf8');
const last = readDockerfile().at(-1);

/** How each of our starts calls Node. The manifests of Kubernetes and Compose start the image. */
const STARTS = {
  'npm start': flagsIn(packageJson.scripts.start),
  'npm run cli': flagsIn(packageJson.scripts.cli),
  'the image': last ? flagsIn(programOf(last, 'ENTRYPOINT').join(' ')) : [],
  'the systemd unit': flagsIn(/^ExecStart=.*$/m.exec(unit)?.[0]),
};

test.each(Object.entries(STARTS))(
  'A thread that grows ends at its limit if Node is started as by %s',
  async (_name, flags) => {
    expect(flags).toContainEqual(expect.stringContaining('--max-old-space-size='));
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, GROW]);
    const { peakMb, ...ended } = JSON.parse(stdout);
    const detail = 'The work for the request takes more than 192 MB of memory. Send less at once.';
    expect(ended).toEqual({ code: 'request_too_expensive', detail });
    // The limit, the young generation beside it, and the process itself. It takes 1.7 GB if the flag has the last word.
    expect(peakMb).toBeLessThan(450);
  },
);
