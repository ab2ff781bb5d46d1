import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start programs and servers, or wait for what comes in time: short as they may be, they take longest. */
const SLOW = [/\/test\/cli\//, /\/embedded-postgres\.test/, /\/test\/jobs\//];

/**
 * Those that take longest begin first, or the run would end by waiting for one of them. By place and size, since a fresh
 * copy of the project has no durations from an earlier run, and every run shall be the same.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = ({ moduleId }: TestSpecification) =>
      statSync(moduleId).size + (SLOW.some(pattern => pattern.test(moduleId)) ? 1_000_000 : 0);
    return files.toSorted((one, other) => weight(other) - weight(one));
  }
}
