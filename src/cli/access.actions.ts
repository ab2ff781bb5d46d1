import { AccessAdministration } from '../domain/access/access.service.ts';
import { startOfDay } from './options.ts';
import { withDatabase } from './session.ts';

export function createCompany({ name }: { name: string }) {
  return withDatabase(async ({ database }) => {
    const { companyId } = await new AccessAdministration(database).createCompany(name);
    return { companyId };
  });
}

export function listCompanies() {
  return withDatabase(({ database }) => new AccessAdministration(database).companies());
}

interface KeyOptions {
  readonly company: string;
  readonly label: string;
  readonly scopes: string;
  readonly expires?: string;
  readonly rateReads?: number;
  readonly rateQuotes?: number;
  readonly rateWrites?: number;
}

export function createKey({ company, label, scopes, expires, rateReads, rateQuotes, rateWrites }: KeyOptions) {
  const rates = { reads: rateReads, quotes: rateQuotes, writes: rateWrites };
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
