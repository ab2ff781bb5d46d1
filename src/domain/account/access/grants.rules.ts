import type { Environment } from '../../../platform/environment.ts';
import type { Issue } from '../../../platform/fault.ts';
import type { IssueCode } from '../../../platform/issue-codes.ts';
import { ALL_RATE_CLASSES, type RateClass, type Rates, type RatesPatch } from '../../../platform/limits/rates.ts';
import { ALL_SCOPES, isScope, type Scope } from '../../../platform/scopes.ts';

/**
 * The one who manages keys. An operator may grant everything. A key grants no scope, rate or time that it lacks, and
 * cannot change keys that have more than itself.
 */
export interface Grantor {
  readonly scopes: ReadonlySet<Scope>;
  /** The environment of the caller's company. */
  readonly environment: Environment;
  /** The limits of a key that manages keys; undefined for an operator. */
  readonly limits?: {
    readonly own: Partial<Rates>;
    readonly service: Rates;
    /** The key whose counters the issued keys share, unless they have their own. */
    readonly rateKeyId: string | null;
    readonly expiresAt: Date | null;
    /** The limit on the keys of the company. */
    readonly maxKeys: number;
  };
}
export const SERVICE_RATES: RatesPatch = { reads: null, quotes: null, writes: null, cost: null };

/** A key grants no rate above its own and the service's, unless the other key has as much already. */
export function grantableIssues(rates: RatesPatch, before: Partial<Rates>, grantor: Grantor): readonly Issue[] {
  if (!grantor.limits) return [];
  const { service } = grantor.limits;
  const highest = effective(service, lowerRates(grantor));
  const old = effective(service, before);
  return ALL_RATE_CLASSES.flatMap(rateClass => {
    const rate = rates[rateClass];
    const most = Math.max(highest[rateClass], old[rateClass]);
    if (rate === undefined || (rate ?? service[rateClass]) <= most) return [];
    const message = `must be at most ${most}: only an operator gives more`;
    return [{ path: ['rates', rateClass], code: 'not_allowed', message }];
  });
}

/** Classes in which rates exceed the rates of the caller's key. */
export function ratesAbove({ limits }: Grantor, rates: Partial<Rates>): RateClass[] {
  if (!limits) return [];
  const theirs = effective(limits.service, rates);
  const own = effective(limits.service, limits.own);
  return ALL_RATE_CLASSES.filter(rateClass => theirs[rateClass] > own[rateClass]);
}

/** Issues of a requested environment: a sandbox has no live keys. */
export function environmentIssues(wanted: Environment | null | undefined, own: Environment): readonly Issue[] {
  if (own === 'live' || wanted !== 'live') return [];
  return [{ path: ['environment'], code: 'not_allowed', message: 'must be sandbox: a sandbox has no live keys' }];
}

/** A key's own rates below the service's, which the keys that it issues get too. */
export function lowerRates({ limits }: Grantor): Partial<Rates> {
  if (!limits) return {};
  const own = effective(limits.service, limits.own);
  const lower = ALL_RATE_CLASSES.filter(rateClass => own[rateClass] < limits.service[rateClass]);
  return Object.fromEntries(lower.map(rateClass => [rateClass, own[rateClass]]));
}

/** The rates of a key: its own, and the service's for the rest. */
export function effective(service: Rates, own: Partial<Rates>): Rates {
  return { ...service, ...own };
}

/** Rates as they are stored: only those that differ from the service's. */
export function storedRates(rates: RatesPatch): Partial<Rates> | null {
  const stated = Object.entries(rates).filter(([, rate]) => rate != null);
  return stated.length > 0 ? Object.fromEntries(stated) : null;
}

/** The requested scopes in the order of the vocabulary; `all` selects those that may be granted. */
export function grantedScopes(
  names: readonly string[],
  { scopes }: Grantor,
): { readonly scopes: readonly Scope[]; readonly issues: readonly Issue[] } {
  const grantable = ALL_SCOPES.filter(scope => scopes.has(scope));
  if (names.length === 1 && names[0] === 'all') return { scopes: grantable, issues: [] };
  const issues: Issue[] = [];
  const add = (code: IssueCode, message: string) => issues.push({ path: ['scopes'], code, message });
  if (names.length === 0) add('required', `must name at least one of ${grantable.join(', ')}, or be all`);
  const others = names.filter(name => !isScope(name) || !scopes.has(name));
  if (others.length > 0) {
    add('not_allowed', `has ${others.join(', ')}, but must be among ${grantable.join(', ')}, or be all`);
  }
  return { scopes: grantable.filter(scope => names.includes(scope)), issues };
}
