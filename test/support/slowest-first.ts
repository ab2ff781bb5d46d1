import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start programs and servers, or wait for what comes in time: short as they may be, they take longest. */
const SLOW = [/\/test\/cli\//, /\/test\/jobs\//, /\.slow\.test/];

/**
 * Those that take longest begin first, or the run would end by waiting for one of them; and every other file is one that
 * starts no programs, or they would take the cores from each other. By place and size, since a fresh copy of the project
 * has no durations from an earlier run, and every run shall be the same.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const largestFirst = files.toSorted((one, other) => sizeOf(other) - sizeOf(one));
    const slow = largestFirst.filter(isSlow);
    const others = largestFirst.filter(file => !isSlow(file));
    return Array.from({ length: files.length }, (_, i) => [slow[i], others[i]])
      .flat()
      .filter(file => file !== undefined);
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return SLOW.some(pattern => pattern.test(moduleId));
}

function sizeOf({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size;
}
