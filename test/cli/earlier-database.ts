import { MikroORM } from '@mikro-orm/postgresql';
import { databaseOptions } from '../../mikro-orm.config.ts';
import type { Processes } from './processes.ts';

/** A database that lacks a migration and those after it; returns its URL. */
export async function migratedUpTo(processes: Processes, migration: string): Promise<string> {
  const url = await processes.database('empty');
  const orm = new MikroORM(databaseOptions(url, 2));
  try {
    const pending = await orm.migrator.getPending();
    for (const { name } of pending.filter(one => one.name < migration)) await orm.migrator.up(name);
  } finally {
    await orm.close(true);
  }
  return url;
}
