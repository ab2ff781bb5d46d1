import { Cases } from '../support/cases.ts';
import { Dice } from '../support/dice.ts';
import { nameOf } from '../support/failure-name.ts';
import type { Ids } from '../support/sdl.ts';

/** Whom to fuzz, and with what. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly ids: Ids;
  readonly seed: number;
}

/** A request and what to say of its answer. */
export interface Trial {
  readonly what: string;
  readonly path: string;
  readonly init: RequestInit;
  readonly faultOf: (seen: { status: number; headers: Headers; text: string }) => string | undefined;
}

const AT_ONCE = 12;
const PATIENCE_MS = 30_000;

/** Sends trials as they are made, in the order of the seed and some at a time. */
export async function sendTrials({ url, seed }: Target, count: number, make: (dice: Dice) => Trial): Promise<Cases> {
  const cases = new Cases();
  const dice = new Dice(seed);
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const trial = make(dice);
      const fault = await tried(url, trial);
      cases.check(trial.what, fault === undefined, () => fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return cases;
}

async function tried(url: string, { path, init, faultOf }: Trial): Promise<string | undefined> {
  try {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
    return faultOf({ status: response.status, headers: response.headers, text: await response.text() });
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; name: string } };
    return `no answer: ${nameOf(cause ?? (error as Error))}`;
  }
}
