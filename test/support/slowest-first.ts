import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start programs and servers, or wait for timers: short as they may be, they take longest. */
const SLOW = [/\/test\/cli\//, /\/test\/jobs\//, /\.slow\.test/];

/**
 * The longest files begin first, because the run would otherwise end by waiting for one of them. Every second file
 * starts no programs, because programs would take the cores from each other. By place and size, since a fresh copy of
 * the project has no durations from an earlier run, and all runs must be equal.
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
