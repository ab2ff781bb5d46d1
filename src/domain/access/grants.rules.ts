import type { Environment } from '../../platform/environment.ts';
import type { Issue } from '../../platform/fault.ts';
import type { IssueCode } from '../../platform/issue-codes.ts';
import { ALL_RATE_CLASSES, type RateClass, type Rates, type RatesPatch } from '../../platform/limits/rates.ts';
import { ALL_SCOPES, isScope, type Scope } from '../../platform/scopes.ts';

/**
 * Who decides about keys. An operator may grant everything; a key gives no scope, no rate and no time that it lacks, and
 * leaves keys alone that have more than itself.
 */
export interface Grantor {
  readonly scopes: ReadonlySet<Scope>;
  /** That of the company that asks. */
  readonly environment: Environment;
  /** Of a key that asks; undefined for an operator. */
  readonly limits?: {
    readonly own: Partial<Rates>;
    readonly service: Rates;
    /** In whose counters those count that it issues, where these are not to have their own. */
    readonly rateKeyId: string | null;
    readonly expiresAt: Date | null;
    /** Keys that the company may have. */
    readonly maxKeys: number;
  };
}
export const SERVICE_RATES: RatesPatch = { reads: null, quotes: null, writes: null, cost: null };

/** A key gives no rate above its own and the service's, unless the other has as much already. */
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

/** Classes in which other rates are above the asking key's. */
export function ratesAbove({ limits }: Grantor, rates: Partial<Rates>): RateClass[] {
  if (!limits) return [];
  const theirs = effective(limits.service, rates);
  const own = effective(limits.service, limits.own);
  return ALL_RATE_CLASSES.filter(rateClass => theirs[rateClass] > own[rateClass]);
}

/** What is wrong with the environment of keys that are asked for: a sandbox has no live keys. */
export function environmentIssues(wanted: Environment | null | undefined, own: Environment): readonly Issue[] {
  if (own === 'live' || wanted !== 'live') return [];
  return [{ path: ['environment'], code: 'not_allowed', message: 'must be sandbox: a sandbox has no live keys' }];
}

/** A key's own rates, where they are below the service's: those that it issues get them too. */
export function lowerRates({ limits }: Grantor): Partial<Rates> {
  if (!limits) return {};
  const own = effective(limits.service, limits.own);
  const lower = ALL_RATE_CLASSES.filter(rateClass => own[rateClass] < limits.service[rateClass]);
  return Object.fromEntries(lower.map(rateClass => [rateClass, own[rateClass]]));
}

/** What a key may ask for: its own rates, and the service's where it has none. */
export function effective(service: Rates, own: Partial<Rates>): Rates {
  return { ...service, ...own };
}

/** As they are kept: those that are not the service's. */
export function storedRates(rates: RatesPatch): Partial<Rates> | null {
  const own = Object.entries(rates).filter(([, rate]) => rate != null);
  return own.length > 0 ? Object.fromEntries(own) : null;
}

/** The scopes of names that are asked for, in the order of the vocabulary; `all` are those that may be given. */
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
