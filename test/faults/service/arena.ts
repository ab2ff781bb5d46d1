import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecretsKey } from '../../../src/platform/secrets/secret-box.ts';
import { startSandbox } from '../../../src/sandbox/stand-ins.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { OwnPostgres } from '../own-postgres.ts';
import { type Company, prepareCompany } from './company.ts';
import { Fleet } from './fleet.ts';
import { Load } from './load.ts';
import { type Release, THIS_RELEASE } from './release.ts';
import { startUnreliableServer, type UnreliableServer } from './unreliable-server.ts';
import { WebhookReceiver } from './webhooks.ts';

/** The whole service under load, and everything that can be broken of it. */
export interface Arena {
  /** The release of the processes at first. */
  readonly release: Release;
  /** The server that the processes use just now. */
  postgres: OwnPostgres;
  /** Follows that server synchronously; undefined where the arena was opened without one. */
  standby: OwnPostgres | undefined;
  /** Between the processes and PostgreSQL. */
  readonly line: TcpProxy;
  readonly fleet: Fleet;
  readonly load: Load;
  readonly company: Company;
  readonly receiver: WebhookReceiver;
  /** In front of the carriers' sandbox. */
  readonly carriers: UnreliableServer;
  /** For files of the scenarios. */
  readonly folder: string;
  /** A small disk on which PostgreSQL has its data; undefined where this machine does not allow to make one. */
  readonly disk: string | undefined;
  close(): Promise<void>;
}

const APIS = 2;
const WORKERS = 2;
export const POOL_SIZE = 16;
const DISK_MB = 3_000;
/** So that no limit is measured. */
const LIMITS = {
  GRAPHQL_MAX_COST: '100000000',
  MAX_WAREHOUSES: '10000',
  MAX_CARRIER_CONNECTIONS: '10000',
  MAX_API_KEYS: '10000',
  MAX_WEBHOOK_ENDPOINTS: '10000',
};

export const LOOPBACK = { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' };

export interface ArenaOpening {
  /** Whether the processes know a primary and a standby, without a line in between. */
  readonly hasStandby?: boolean;
}

export async function openArena(
  release: Release = THIS_RELEASE,
  { hasStandby = false }: ArenaOpening = {},
): Promise<Arena> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-faults-'));
  const mountPoint = await mkdtemp(join(tmpdir(), 'shipping-faults-disk-'));
  const disk = mountDisk(mountPoint);
  const postgres = await OwnPostgres.start(disk);
  const line = await openTcpProxy(postgres.url);
  const standby = hasStandby ? await postgres.replica(disk) : undefined;
  const receiver = await WebhookReceiver.start();
  const sandbox = await startSandbox();
  const carriers = await startUnreliableServer(async ({ method = 'GET', url = '', headers }, body, response) => {
    const { host: _host, connection: _connection, 'transfer-encoding': _coding, ...passed } = headers;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const answer = await fetch(sandbox.url + url, {
      method,
      headers: passed as Record<string, string>,
      body: hasBody ? new Uint8Array(body) : null,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const env = {
    DATABASE_URL: standby ? addressOf(standby, postgres) : line.url,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    DEMO: 'false',
    LOG_LEVEL: 'info',
    SECRETS_KEY: newSecretsKey(),
    CARRIER_SANDBOX_URL: carriers.url,
    MIGRATE_ON_START: 'false',
    ...LIMITS,
    ...LOOPBACK,
  };
  const fleet = new Fleet(env, folder, release.root);
  const arena = {
    release,
    postgres,
    standby,
    line,
    fleet,
    receiver,
    carriers,
    folder,
    disk,
    close: async () => {
      await fleet.close();
      await line.close();
      await arena.postgres.close();
      await arena.standby?.close();
      receiver.close();
      carriers.close();
      await sandbox.close();
      if (disk !== undefined) spawnSync('umount', [disk]);
      for (const one of [folder, mountPoint]) await rm(one, { recursive: true, force: true });
    },
  };
  try {
    const key = await release.prepare({ ...env, DATABASE_URL: postgres.url });
    for (let i = 1; i <= APIS; i++) await fleet.add(`api ${i}`, 'api');
    for (let i = 1; i <= WORKERS; i++) await fleet.add(`worker ${i}`, 'worker');
    const company = await prepareCompany(fleet.urls[0] ?? '', key, receiver.url);
    const load = new Load(fleet.urls, company, receiver, release !== THIS_RELEASE);
    return Object.assign(arena, { load, company });
  } catch (error) {
    await arena.close();
    throw error;
  }
}

/** An address of several servers, of which the primary is to be used. */
function addressOf(...servers: readonly OwnPostgres[]): string {
  const [first, ...others] = servers.map(({ url }) => new URL(url)) as [URL, ...URL[]];
  const hosts = [first, ...others].map(({ host }) => host).join(',');
  return `${first.href.replace(first.host, hosts)}?target_session_attrs=read-write`;
}

function mountDisk(folder: string): string | undefined {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0755`, 'shipping-faults', folder]);
  return status === 0 ? folder : undefined;
}
