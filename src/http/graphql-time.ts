import { Fault } from '../platform/fault.ts';
import type { Work } from '../platform/limits/work.ts';

interface TimeLimit {
  readonly timeoutMs: number;
  /** Counts a response that took longer. */
  countTimeout(): void;
}

/** Ends work that exceeds the time limit. @throws Fault `graphql_timeout` */
export async function inTime<Result>(
  { timeoutMs, countTimeout }: TimeLimit,
  work: Work,
  answering: () => Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => {
    countTimeout();
    work.end(timedOut(timeoutMs));
  }, timeoutMs);
  try {
    return await work.within(answering());
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(timeoutMs: number): Fault {
  return new Fault('graphql_timeout', {
    detail: `The document took longer than ${timeoutMs / 1000} s and was stopped. Ask for less at once. If it was a mutation, the fields before the one that was running may have been carried out.`,
    headers: { 'retry-after': '10' },
  });
}
