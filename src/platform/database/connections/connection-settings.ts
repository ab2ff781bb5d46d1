import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { StartupError } from '../../startup-error.ts';

/**
 * The settings of every connection to PostgreSQL: of the pool, of a replica, for LISTEN, for locks, of commands and of
 * migrations. Only this module reads the address: MikroORM ignores its parameters, and `pg` by itself takes
 * `sslmode=require` for `verify-full`. Here the modes mean what they mean to `psql`.
 */

/** The values of `sslmode`. `prefer` and `allow` are not offered, because an attacker could force clear text. */
export const SSL_MODES = ['disable', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Without `sslmode`, `PGSSLMODE` is used, and otherwise no TLS. @throws StartupError for an invalid address */
export function connectionSettings(address: string): pg.ClientConfig {
  const { searchParams } = new URL(address);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode as SslMode)) {
    throw new StartupError(`sslmode of the database address must be one of ${SSL_MODES.join(', ')}.`);
  }
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    throw new StartupError('sslmode=verify-ca needs sslrootcert in the database address: the file of the authority.');
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) requireFile(name, searchParams.get(name));
  const parsed = parseIntoClientConfig(addressForLibraries(address));
  const { host, port, user, password, database, options, ssl } = parsed;
  // `ssl` is set even without TLS, so that one address never keeps the TLS of another.
  return { host, port, user, password, database, ssl, ...(options !== undefined && { options }) };
}

/** An address for a library that parses it: `require` and `verify-ca` as in libpq, which lacks `no-verify`. */
export function addressForLibraries(address: string): string {
  const url = new URL(address);
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && mode !== 'no-verify') url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}

function requireFile(name: string, path: string | null): void {
  if (path === null) return;
  try {
    readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`${name} of the database address, ${path}, cannot be read (${code}).`);
  }
}
