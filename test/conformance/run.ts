import { callsWith } from './calls.ts';
import { platformOf } from './platform.ts';
import type { Statement, Trial } from './statement.ts';

/** The result of a statement: why it was not tried, or how it failed, or neither. */
export interface Outcome {
  readonly notTried?: string;
  readonly failure?: string;
}

export async function trialOf(url: string, key: string, otherKey?: string): Promise<Trial> {
  const base = url.replace(/\/+$/, '');
  const callAs = (other: string | undefined) => callsWith(base, other);
  const { status, body } = await callAs(key)('GET', '/health');
  if (status !== 200) throw new Error(`GET /health with the key is ${status}: ${body.detail ?? 'no detail'}`);
  return {
    url: base,
    key,
    otherKey,
    call: callAs(key),
    callAs,
    platform: await platformOf(base, key, body.scopes),
  };
}

export async function outcomeOf({ needs = [], holds }: Statement, trial: Trial): Promise<Outcome> {
  if (needs.includes('platform') && !trial.platform)
    return { notTried: 'the key may not create orders, shipments and keys' };
  if (needs.includes('other company') && !trial.otherKey) return { notTried: 'needs --other-key' };
  try {
    await holds(trial);
    return {};
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
