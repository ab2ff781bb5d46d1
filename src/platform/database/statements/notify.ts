import type { EntityManager } from '@mikro-orm/postgresql';
import { serviceStatement } from './statements.ts';
import { rowsWithin } from './transaction.ts';

export const NOTIFY = serviceStatement('notify', 'select pg_notify($1, $2)');

/** Notifies the processes that listen to a channel, once the transaction is committed. */
export async function notify(em: EntityManager, channel: string, payload = ''): Promise<void> {
  await rowsWithin(em, NOTIFY, [channel, payload]);
}
