import { InvalidArgumentError } from 'commander';
import { AccessAdministration } from '../domain/access/access.service.ts';
import { startOfDay } from './options.ts';
import { withDatabase } from './session.ts';

/** Sets up an embedded database that is still empty: a company is the first thing in it. */
export function createCompany({ name }: { name: string }) {
  return withDatabase(
    async ({ database }) => {
      const { companyId } = await new AccessAdministration(database).createCompany(name);
      return { companyId };
    },
    { setsUpEmpty: true },
  );
}

export function listCompanies() {
  return withDatabase(({ database }) => new AccessAdministration(database).companies());
}

interface RateOptions<Rate> {
  readonly rateReads?: Rate;
  readonly rateQuotes?: Rate;
  readonly rateWrites?: Rate;
  readonly rateCost?: Rate;
}

interface KeyOptions extends RateOptions<number> {
  readonly company: string;
  readonly label: string;
  readonly scopes: string;
  readonly expires?: string;
}

export function createKey(options: KeyOptions) {
  const { company, label, scopes, expires, rateReads, rateQuotes, rateWrites, rateCost } = options;
  const rates = { reads: rateReads, quotes: rateQuotes, writes: rateWrites, cost: rateCost };
  return withDatabase(({ database }) =>
    new AccessAdministration(database).createKey({
      companyId: company,
      label,
      scopes: scopes.split(',').map(scope => scope.trim()),
      expiresAt: expires === undefined ? null : startOfDay(expires),
      rates,
    }),
  );
}

export function listKeys({ company }: { company?: string }) {
  return withDatabase(({ database }) => new AccessAdministration(database).keys(company));
}

interface UpdateOptions extends RateOptions<number | 'default'> {
  readonly key: string;
  readonly label?: string;
}

export async function updateKey({ key, label, ...options }: UpdateOptions) {
  const rates = {
    reads: ownRate(options.rateReads),
    quotes: ownRate(options.rateQuotes),
    writes: ownRate(options.rateWrites),
    cost: ownRate(options.rateCost),
  };
  if ([label, ...Object.values(rates)].every(value => value === undefined)) {
    throw new InvalidArgumentError(
      'error: say what to change by --label, --rate-reads, --rate-quotes, --rate-writes or --rate-cost.',
    );
  }
  return withDatabase(async ({ database }) => {
    const updated = await new AccessAdministration(database).updateKey(key, { label, rates });
    return { apiKeyId: updated.apiKeyId, label: updated.label, rates: updated.rates };
  });
}

/** Null for the service's own. */
function ownRate(rate: number | 'default' | undefined): number | null | undefined {
  return rate === 'default' ? null : rate;
}

interface RotateOptions {
  readonly key: string;
  readonly overlapHours: number;
}

export function rotateKey({ key: apiKeyId, overlapHours }: RotateOptions) {
  return withDatabase(({ database }) => new AccessAdministration(database).rotateKey({ apiKeyId, overlapHours }));
}

export function revokeKey({ key: apiKeyId }: { key: string }) {
  return withDatabase(async ({ database }) => {
    const { revokedAt } = await new AccessAdministration(database).revokeKey(apiKeyId);
    return { apiKeyId, revokedAt };
  });
}
