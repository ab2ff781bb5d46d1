import { Fault } from '../../src/platform/fault.ts';
import { asTask } from '../../src/platform/threads/task.ts';

/** Tasks of a test. */
export const add = asTask((one: number, other: number) => one + other);

export const refuse = asTask((): never => {
  throw new Fault('validation_failed', {
    detail: 'Wrong.',
    issues: [{ path: ['a', 1], code: 'required', message: 'x' }],
  });
});

export const fail = asTask((): never => {
  throw new TypeError('broken');
});

export const grow = asTask((): number => {
  const kept: number[][] = [];
  for (;;) kept.push(new Array(100_000).fill(0));
});

export const endless = asTask((): never => {
  for (;;);
});

/** Computes for so many milliseconds of processor time. */
export const busy = asTask((ms: number): number => {
  const before = process.threadCpuUsage();
  for (let turns = 0; ; turns++) if (process.threadCpuUsage(before).user > ms * 1_000) return turns;
});
