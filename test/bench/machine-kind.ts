import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { withCpu } from './contest.ts';
import { measure, median, warmUp } from './load.ts';
import { postgresCpuMs, running, startProcess } from './processes.ts';

/**
 * The kind of a machine: what a request and a statement cost that do nothing. The service saves both, and does more in
 * between, so a ratio to a peer depends on their cost.
 */
export interface MachineKind {
  /** CPU microseconds of a request, in the server's process. */
  readonly request: number;
  /** CPU microseconds that a statement adds, in the server's process and in PostgreSQL. */
  readonly statement: number;
}

const ROUNDS = 3;
const SECONDS = 1;
const WARM_UP = 2_000;

export async function machineKind(): Promise<MachineKind> {
  const dataDir = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const postgres = await openEmbeddedPostgres({ dataDir, as: 'service', throwaway: true });
  const costs = { request: [] as number[], statement: [] as number[] };
  try {
    await running(async keep => {
      const peer = new URL('peers/nothing.ts', import.meta.url).pathname;
      const server = keep(await startProcess([peer], { DATABASE_URL: postgres.url }));
      const cost = async (path: string) => {
        const requests = [{ method: 'GET', path, headers: {} }] as const;
        await warmUp(server.url, requests, WARM_UP);
        const { cpu } = await withCpu(
          server,
          () => postgresCpuMs(dataDir),
          () => measure(server.url, requests, SECONDS),
        );
        return cpu;
      };
      for (let round = 0; round < ROUNDS; round++) {
        const { server: request } = await cost('/');
        const { server: own, postgres: theirs = 0 } = await cost('/statement');
        costs.request.push(request);
        costs.statement.push(own - request + theirs);
      }
    });
  } finally {
    await postgres.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return { request: median(costs.request), statement: median(costs.statement) };
}

/** Machines of one kind differ by less than a half: the speed of one machine drifts by a fifth. */
export function nameOfKind({ request, statement }: MachineKind): string {
  const rough = (cost: number) => 2 ** Math.round(Math.log2(Math.max(cost, 1)));
  return `request-${rough(request)}-statement-${rough(statement)}`;
}

export function kindText({ request, statement }: MachineKind): string {
  return `A request that does nothing takes ${request.toFixed(0)} µs of CPU, and a statement that does nothing ${statement.toFixed(0)} µs more.`;
}
