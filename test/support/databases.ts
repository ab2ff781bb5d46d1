import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The same server with another database. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes a database, empty or as a copy of a template; answers its name. */
export async function createDatabase(serverUrl: string, template?: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `create database ${name}${template ? ` template ${template}` : ''}`);
  return name;
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await administer(serverUrl, `drop database if exists ${name} with (force)`);
}
