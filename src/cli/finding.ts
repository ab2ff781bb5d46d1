/** The finding of an examination: with `warn` the service works, with `fail` it does not or will not. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** The advice to the operator; null if there is nothing to do. */
  readonly advice: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, advice: null });

export const warn = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'warn',
  found,
  advice,
});

export const fail = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'fail',
  found,
  advice,
});
