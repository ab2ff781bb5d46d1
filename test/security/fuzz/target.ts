import { Cases } from '../support/cases.ts';
import { Dice } from '../support/dice.ts';
import { nameOf } from '../support/failure-name.ts';
import type { Ids } from '../support/sdl.ts';

/** The target to fuzz, and the inputs. */
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

/** The outcome of all trials. */
export interface Fuzzed {
  readonly cases: Cases;
  /** How many had nothing wrong with them: a fuzz of which none is carried out would look at the first check only. */
  readonly carriedOut: number;
}

const AT_ONCE = 12;
const PATIENCE_MS = 30_000;

/** Sends trials as they are made, in the order of the seed and some at a time. */
export async function sendTrials({ url, seed }: Target, count: number, make: (dice: Dice) => Trial): Promise<Fuzzed> {
  const cases = new Cases();
  let carriedOut = 0;
  const dice = new Dice(seed);
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const trial = make(dice);
      const { fault, isCarriedOut } = await tried(url, trial);
      if (isCarriedOut) carriedOut++;
      cases.check(trial.what, fault === undefined, () => fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { cases, carriedOut };
}

async function tried(
  url: string,
  { path, init, faultOf }: Trial,
): Promise<{ fault: string | undefined; isCarriedOut: boolean }> {
  try {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
    const seen = { status: response.status, headers: response.headers, text: await response.text() };
    const isCarriedOut = response.ok && !seen.text.includes('"errors":[');
    return { fault: faultOf(seen), isCarriedOut };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; name: string } };
    return { fault: `no answer: ${nameOf(cause ?? (error as Error))}`, isCarriedOut: false };
  }
}
