import { beforeAll } from 'vitest';
import { REACHABLE } from '../support/receiver.ts';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, useProcesses } from './processes.ts';

// The commands that suspend and erase companies, and the rows that an erasure leaves.

/** Companies in a database of the test, for its commands. */
export function useErasures() {
  const processes = useProcesses();
  const world = useWorld({ ...REACHABLE, CARRIER_SANDBOX_URL: 'http://127.0.0.1:9' });
  let settings: Env;
  beforeAll(async () => {
    settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  });

  const run = (...args: string[]) => inProcess(['--json', ...args], settings);
  const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args));
  const suspend = (companyId: string) => json('company', 'suspend', '--company', companyId, '--yes');
  const erase = (companyId: string, name: string) =>
    json('company', 'erase', '--company', companyId, '--name', name, '--by', 'Anna Neri');

  async function rowsOf<Row = Json>(text: string, ...values: unknown[]): Promise<Row[]> {
    return (await world.pool.query(text, values)).rows;
  }

  async function nameOf(companyId: string): Promise<string> {
    const [company] = await rowsOf('select name from company where id = $1', companyId);
    return company.name;
  }

  /** Every table of the database that has rows of its own. */
  const tables = () =>
    rowsOf<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r'
        and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`,
    );

  /** How many rows of each table have a text somewhere, those alone that have any. */
  async function found(text: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name } of await tables()) {
      const [row] = await rowsOf(`select count(*)::integer as count from ${name} t where t::text like $1`, `%${text}%`);
      if (row.count > 0) counts[name] = row.count;
    }
    return counts;
  }

  return {
    processes,
    world,
    run,
    json,
    suspend,
    erase,
    rowsOf,
    nameOf,
    found,
    get settings(): Env {
      return settings;
    },
  };
}
