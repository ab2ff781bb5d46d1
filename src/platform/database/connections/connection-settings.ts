import { readFileSync } from 'node:fs';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { StartupError } from '../../startup-error.ts';
import { serverAddresses } from './server-addresses.ts';
import { clientOf, SERVER_ROLES, ServerChoice, type ServerRole, timelineOf } from './server-choice.ts';

/**
 * The settings of every connection to PostgreSQL: of the pool, of a replica, for LISTEN, for locks, of commands and of
 * migrations. Only this module reads the address: MikroORM ignores its parameters, and `pg` by itself takes
 * `sslmode=require` for `verify-full`. Here the modes mean what they mean to `psql`.
 */

/** The values of `sslmode`. `prefer` and `allow` are not offered, because an attacker could force clear text. */
const SSL_MODES = ['disable', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** The settings of a connection, which `pg.Pool` takes as well. */
export interface ConnectionSettings extends pg.ClientConfig {
  /** Present if the address leads to one of several servers. */
  readonly Client?: typeof pg.Client;
}

/** Without `sslmode`, `PGSSLMODE` is used, and otherwise no TLS. @throws StartupError for an invalid address */
export function connectionSettings(address: string): ConnectionSettings {
  const servers = serverAddresses(address);
  const role = roleOf(servers);
  const settings = settingsOf(servers[0]);
  return role === null ? settings : { ...settings, Client: clientOf(new ServerChoice(servers.map(settingsOf), role)) };
}

/** Null for the server of an address that names one only. */
function roleOf([first, ...others]: [URL, ...URL[]]): ServerRole | null {
  const role = first.searchParams.get('target_session_attrs') as ServerRole | null;
  if ((role === null && others.length === 0) || SERVER_ROLES.includes(role as ServerRole)) return role;
  const allowed = `one of ${SERVER_ROLES.join(', ')}`;
  throw new StartupError(`target_session_attrs of the database address must be ${allowed}; several hosts need it.`);
}

/** A connection of its own, which its user opens and closes. */
export function clientWith({ Client = pg.Client, ...settings }: ConnectionSettings): pg.Client {
  return new Client(settings);
}

function settingsOf(address: URL): pg.ClientConfig {
  const { searchParams } = address;
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

/** A server that an address names. */
export interface KnownServer {
  /** The host with its port, if the address has one. */
  readonly host: string;
  /** Its role, or the reason why it does not respond. */
  readonly is: 'primary' | 'standby' | Error;
}

/** Asks each server of an address what it is. */
export function knownServers(address: string): Promise<KnownServer[]> {
  return Promise.all(
    serverAddresses(address).map(async server => {
      const is = await timelineOf(settingsOf(server)).then(
        timeline => (timeline === null ? 'standby' : 'primary'),
        (error: Error) => error,
      );
      return { host: server.host, is };
    }),
  );
}

/** The address of the server that a connection leads to now, for a library that opens its own. */
export async function currentAddress(address: string): Promise<string> {
  const servers = serverAddresses(address);
  const role = roleOf(servers);
  const settings = servers.map(settingsOf);
  const chosen = role === null ? 0 : settings.indexOf(await new ServerChoice(settings, role).server());
  return addressForLibraries(servers[chosen] as URL);
}

/** `require` and `verify-ca` as in libpq, which lacks `no-verify`. */
function addressForLibraries(address: URL): string {
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
