import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ROW, SANDBOXED_TABLES, sandboxText } from '../../src/platform/database/sandbox-text.ts';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { allStatements, type Declared, scansOf } from '../support/declared-statements.ts';

/**
 * Every statement of a company as a sandbox key runs it. PostgreSQL itself says what it reads and changes: no table whose
 * rows belong to a connection, an endpoint or a key may be met in another way than through the condition on its rows.
 */

const SUFFIX = '-in-sandbox';
const statements = (await allStatements()).filter(({ isOfOneCompany }) => isOfOneCompany);
const declared = statements.filter(({ name }) => !name.endsWith(SUFFIX));
const inSandbox = new Map(statements.map(statement => [statement.name, statement]));

/** Columns by which a row belongs to a connection, an endpoint or a key. */
const BELONGS =
  /^(environment|carrier_connection_id|shipment_id|tariff_id|invoice_id|simulation_id|endpoint_id|delivery_id)$/;

const companyId = randomUUID();
let name: string;
let client: pg.Client;

beforeAll(async () => {
  name = await createDatabase(inject('serverUrl'), inject('template'));
  client = new pg.Client({ connectionString: urlOf(inject('serverUrl'), name) });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await dropDatabase(inject('serverUrl'), name);
});

/** Tables that a text meets past the condition on their rows. */
async function unguarded(statement: Pick<Declared, 'text'>): Promise<string[]> {
  const scans = await scansOf(client, statement, companyId);
  const isGuarded = ({ alias, condition }: (typeof scans)[number]) =>
    // What is read by its name, what a condition reads, and the rows of a change, by the condition on them.
    alias.startsWith(ROW) ||
    alias.startsWith('of_sandbox') ||
    /'sandbox'|\+ 0\)|InitPlan|SubPlan|ANY \(\$\d/.test(condition);
  return scans.filter(scan => SANDBOXED_TABLES.includes(scan.table) && !isGuarded(scan)).map(({ table }) => table);
}

describe('A sandbox key', () => {
  test('has a text of its own for every statement that names a table of the sandbox', async () => {
    const names = new RegExp(`\\b(from|join|update)\\s+(${SANDBOXED_TABLES.join('|')})\\b`);
    const lacking = declared.filter(({ name, text }) => names.test(text) && !inSandbox.has(`${name}${SUFFIX}`));
    expect(lacking.map(({ name }) => name)).toEqual([]);
    expect(statements.length - declared.length).toBeGreaterThan(200);
  });

  test('is given the place of a row where a statement asks for it', async () => {
    const text = `delete from shipment where company_id = $1 and ctid = any(array(
      select t.ctid from shipment t where t.company_id = $1))`;
    expect(await unguarded({ text: sandboxText('places', text) })).toEqual([]);
    expect(await unguarded({ text })).not.toEqual([]);
  });

  test('meets no row of a connection, an endpoint or a key past the condition on it', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const { name, text } of declared) {
      const tables = await unguarded({ text: inSandbox.get(`${name}${SUFFIX}`)?.text ?? text });
      if (tables.length > 0) found[name] = tables;
    }
    expect(found).toEqual({});
  });

  test('reads in part every table whose rows belong to a connection, an endpoint or a key', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
        where table_schema = 'public' and column_name ~ $1 order by 1`,
      [BELONGS.source],
    );
    const missing = rows.map(({ name }) => name).filter(name => !SANDBOXED_TABLES.includes(name));
    expect(missing).toEqual([]);
  });

  const forgotten: [what: string, text: string][] = [
    ['a table after a comma', 'select s.id from company c, shipment s where s.company_id = $1 and c.id = s.company_id'],
    ['a table of a schema', 'select s.id from public.shipment s where s.company_id = $1'],
    ['a table in quotes', 'select s.id from "shipment" s where s.company_id = $1'],
    ['a table alone', 'select s.id from only shipment s where s.company_id = $1'],
  ];
  test.each(forgotten)('would be seen to meet %s, which the text does not find', async (_, text) => {
    expect(await unguarded({ text: sandboxText('forgotten', text) })).toEqual(['shipment']);
  });

  test('changes nothing by a statement whose rows have no predicate of their own', () => {
    const text = 'update shipment s set hops = 1 from company c where c.id = $1 and s.company_id = c.id';
    expect(() => sandboxText('careless', text)).toThrow('Statement careless changes shipment without company_id = $1');
  });
});
