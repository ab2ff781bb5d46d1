import { AccessAdministration } from '../domain/access/access.service.ts';
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
}

export function createKey({ company, label, scopes, expires }: KeyOptions) {
  return withDatabase(({ database }) =>
    new AccessAdministration(database).createKey({
      companyId: company,
      label,
      scopes: scopes.split(',').map(scope => scope.trim()),
      expiresAt: expires === undefined ? null : startOfDay(expires),
    }),
  );
}

export function listKeys({ company }: { company?: string }) {
  return withDatabase(({ database }) => new AccessAdministration(database).keys(company));
}

export function revokeKey({ key: apiKeyId }: { key: string }) {
  return withDatabase(async ({ database }) => {
    const { revokedAt } = await new AccessAdministration(database).revokeKey(apiKeyId);
    return { apiKeyId, revokedAt };
  });
}

function startOfDay(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${date}T00:00:00Z` : date;
}
