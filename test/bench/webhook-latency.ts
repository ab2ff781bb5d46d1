import { setTimeout } from 'node:timers/promises';
import type { Running } from './processes.ts';
import { until } from './until.ts';
import { type BenchCompany, tell, type WebhookWorld } from './webhook-world.ts';

/** Calls at a steady pace, and the arrival times of their webhooks. */

/** Calls a second while latency is measured. */
export const PACE = 100;
const WARM_UP = 200;

/** One after the other, so that no call waits for another while the service compiles what it runs; milliseconds each, in the end. */
export async function warmUp(service: Running, company: BenchCompany): Promise<number> {
  for (let i = 0; i < WARM_UP; i++) await tell(service, company, 1);
  const startedAt = performance.now();
  for (let i = 0; i < WARM_UP; i++) await tell(service, company, 1);
  return (performance.now() - startedAt) / WARM_UP;
}

export interface Told {
  readonly company: BenchCompany;
  readonly description: string;
  readonly path: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Tells one event after the other, of companies by turns, whether those before were answered or not. */
export async function pace(
  service: Running,
  companies: readonly BenchCompany[],
  seconds: number,
): Promise<{ told: Told[]; refused: number }> {
  const startedAt = performance.now();
  const calls: Promise<Told | undefined>[] = [];
  for (let i = 0; i < seconds * PACE; i++) {
    await setTimeout(Math.max(0, startedAt + (i * 1000) / PACE - performance.now()));
    const call = tellOne(service, companies[i % companies.length] as BenchCompany);
    calls.push(call.catch(() => undefined));
  }
  const told = (await Promise.all(calls)).filter(call => call !== undefined);
  return { told, refused: calls.length - told.length };
}

async function tellOne(service: Running, company: BenchCompany): Promise<Told> {
  const sentAt = Date.now();
  const [description = ''] = await tell(service, company, 1);
  return { company, description, path: company.endpoints[0]?.path ?? '', sentAt, answeredAt: Date.now() };
}

interface Arrived extends Told {
  readonly arrivedAt: number;
}

/** When each event arrived at the companies' endpoints. Every event must have arrived. */
export async function latencies(
  { database, receiver }: WebhookWorld,
  companies: readonly BenchCompany[],
  told: readonly Told[],
): Promise<Arrived[]> {
  const { rows } = await database.pool.query<{ id: string; key: string }>(
    `select e.id, w.path || e.description as key
      from unnest($1::uuid[], $2::text[]) as w(company_id, path),
      lateral (select id, body::jsonb #>> '{data,event,description}' as description from webhook_event
        where company_id = w.company_id) e`,
    [companies.map(({ companyId }) => companyId), companies.map(({ endpoints }) => endpoints[0]?.path)],
  );
  const idOf = new Map(rows.map(({ id, key }) => [key, id]));
  const look = async () => {
    const arrivals = new Map<string, Record<string, number>>();
    for (const { endpoints } of companies) {
      const path = endpoints[0]?.path ?? '';
      arrivals.set(path, await receiver.arrivals(path));
    }
    return told.flatMap((one): Arrived[] => {
      const arrivedAt = arrivals.get(one.path)?.[idOf.get(one.path + one.description) ?? ''];
      return arrivedAt === undefined ? [] : [{ ...one, arrivedAt }];
    });
  };
  return until(look, ({ length }) => length === told.length, { everyMs: 200, timeoutMs: 60_000 });
}
