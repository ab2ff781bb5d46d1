import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { HttpLimits } from '../../src/platform/limits/http-limits.ts';
import { noteSettings } from './log-watch.ts';
import { SECRETS_KEY, UNLIMITED, type World } from './world.ts';

/** Another process of the service over a world's database, with its log; the caller stops it. */
export async function startProcess(
  { app, databaseUrl }: World,
  env: Record<string, string> = {},
  http: Partial<HttpLimits> = {},
): Promise<App> {
  const common = { PORT: '0', DATABASE_POOL_SIZE: '4', DATABASE_URL: databaseUrl, SECRETS_KEY };
  const settings = { ...common, ...UNLIMITED, ...env };
  noteSettings(settings);
  const config = readConfig(settings);
  return createApp({ ...config, http: { ...config.http, ...http }, databaseUrl }, app.log);
}

/** A second process for all tests of a file. */
export function useSecondProcess(world: World): Pick<App, 'url'> {
  const second = {} as { -readonly [Key in keyof App]: App[Key] };
  beforeAll(async () => {
    Object.assign(second, await startProcess(world));
  });
  afterAll(() => second.stop?.());
  return second;
}

/** Cuts off every process that listens to notifications of a client's database; answers how many. */
export async function cutListeners(client: pg.Client | pg.Pool): Promise<number> {
  const { rows } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() 
        and query ~* '^(listen |select pg_advisory_)'`,
  );
  return rows.length;
}
