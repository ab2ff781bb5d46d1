import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upgrade } from './scenarios/upgrade.ts';
import { ChangeCopy } from './service/change-copy.ts';
import { earlierReleases, THIS_RELEASE } from './service/release.ts';
import { FaultTable } from './service/table.ts';
import { underLoad } from './service/under-load.ts';

/**
 * Every release of the changelog is replaced by the next one, the last by this version, on one database and under one
 * load. In the end all acknowledged records are there, each webhook came, and a consumer has every change.
 */
export async function run(): Promise<boolean> {
  const table = new FaultTable();
  const folder = await mkdtemp(join(tmpdir(), 'shipping-faults-'));
  try {
    const releases = [...earlierReleases(folder), THIS_RELEASE];
    const [first, ...others] = releases;
    if (first === undefined || others.length === 0) {
      const text = 'not possible here: this is no clone with the commits of earlier releases';
      table.remark({ name: 'upgrade', text, verdict: 'skip' });
      return table.isWhole;
    }
    await underLoad(first, table, async (each, { fleet, company, postgres }) => {
      const copy = new ChangeCopy(fleet.urls, company);
      await copy.begin(postgres.url);
      let from = first;
      for (const to of others) {
        await each(upgrade(from, to, copy));
        from = to;
      }
      await copy.end();
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  table.print();
  return table.isWhole;
}
