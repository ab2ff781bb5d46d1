import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

const OBJECT_IN_USE = '55006';

/** The URL of the server with another database. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Creates a role that may log in and own nothing; answers the URL of the server with its name and password. */
export async function createServiceRole(serverUrl: string): Promise<string> {
  const [name, password] = [`service_${randomBytes(8).toString('hex')}`, randomBytes(16).toString('hex')];
  await withClient(serverUrl, client =>
    client.query(`create role ${name} login password '${password}'; grant pg_monitor to ${name}`),
  );
  return Object.assign(new URL(serverUrl), { username: name, password }).href;
}

/** A connection of one's own to a database, past every service. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs statements of an administrator of the whole server. */
export const administer = (...statements: string[]): Promise<void> =>
  withClient(inject('serverUrl'), async client => {
    for (const statement of statements) await client.query(statement);
  });

/** Makes a database, empty or as a copy of a template, after which it is named; answers its name. */
export async function createDatabase(serverUrl: string, template?: string): Promise<string> {
  const name = `${template ?? 'test'}_${randomBytes(8).toString('hex')}`;
  // The server need not log each page of the copy, which nothing will restore.
  const statement = `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`;
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      await withClient(serverUrl, client => client.query(statement));
      return name;
    } catch (error) {
      // A connection to the template that was closed a moment ago is still being taken down by the server.
      if ((error as { code?: string }).code !== OBJECT_IN_USE || Date.now() > deadline) throw error;
      await setTimeout(20);
    }
  }
}

/** Drops a template, and copies of it that nobody has dropped. */
export async function dropCopies(serverUrl: string, template: string): Promise<void> {
  const { rows } = await withClient(serverUrl, client =>
    client.query('select datname as name from pg_database where starts_with(datname, $1)', [template]),
  );
  for (const { name } of rows) await dropDatabase(serverUrl, name);
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, client => client.query(`drop database if exists ${name} with (force)`));
}
