import { type Command, InvalidArgumentError } from 'commander';
import { isOperatorName } from '../platform/secrets/operators.ts';
import { SIGNALS } from './interruption.ts';

/** @param also other accepted values, for the message */
export function wholeNumber(min: number, max: number, also = ''): (value: string) => number {
  return value => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}${also}.`);
  };
}

/** A name for the setting OPS_USERS. */
export function operatorName(value: string): string {
  if (isOperatorName(value)) return value;
  throw new InvalidArgumentError('It must be 1 to 40 of A-Z, a-z, 0-9, dot, hyphen and underscore.');
}

/** A date becomes its start in UTC; any other text stays unchanged. */
export function startOfDay(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00:00Z` : date;
}

/** For commands that print their results themselves. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** The words of a comma-separated list. */
export function words(text: string): string[] {
  return text.split(',').map(word => word.trim());
}

/**
 * For commands that run until Ctrl-C or another signal, or until their output is no longer read.
 *
 * @returns the signal, if there was one
 */
export function stopCalled(): Promise<NodeJS.Signals | undefined> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | undefined>();
  for (const signal of SIGNALS) process.on(signal, () => resolve(signal));
  process.stdout.on('error', () => resolve(undefined));
  return promise;
}

/** The option that confirms a command which cannot be undone. */
export const YES = ['--yes', 'do it without asking'] as const;
