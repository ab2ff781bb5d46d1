import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { allStatements, partitionOf, type Touched, touchedBy } from '../support/declared-statements.ts';
import { partitionByCompany } from '../support/partitions.ts';

/**
 * The companies whose rows each statement of the service meets, as PostgreSQL plans it on tables that are partitioned
 * by company: a statement of one company that can read another partition lacks the company somewhere.
 */

const statements = await allStatements();
const ofOne = statements.filter(({ isOfOneCompany }) => isOfOneCompany);

/** Statements that meet the rows of all companies, each with the reason. */
const OF_ALL_COMPANIES: Readonly<Record<string, string>> = {
  'all-companies-with-tariffs-about-to-end': 'A schedule looks for tariffs to tell the operator of.',
  'companies-notified-of-all': "An erasure looks for the notices that the operator's companies were sent.",
  'companies-with-changes': 'A schedule deletes the old changes of every company.',
  'companies-with-connections': 'A schedule has the promises of every company calculated.',
  'companies-with-expiring-keys': 'A schedule looks for companies that are to be told of keys.',
  'companies-with-late-shipments': 'A schedule looks for companies that have late shipments.',
  'companies-with-stalled-shipments': 'A schedule looks for companies that have shipments without news.',
  'companies-with-tariffs-about-to-end': 'A schedule looks for companies that are to be told of tariffs.',
  'connections-to-follow-without-account': 'A schedule begins to ask carriers that need no account.',
  'connections-with-credentials': 'An operator looks at what the service does.',
  'connections-with-poll-rows-to-insert': 'A schedule looks for connections whose shipments are not all polled yet.',
  'due-tariff-drafts': 'A schedule looks for drafts of tariffs whose day has come.',
  'ending-tariffs': 'The metrics count the tariffs of all companies that end soon.',
  'endpoint-metrics': 'The metrics count the endpoints of all companies.',
  'expired-webhook-secrets': 'A schedule deletes what has expired.',
  'idempotency-sealed': 'An operator has all responses sealed by another key.',
  'lease-due-polls': 'A schedule leases what is due in one statement.',
  'late-polls': 'An operator looks at what the service does.',
  'oldest-carrier-call': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-ended': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-new-carrier-code': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-idempotent-request': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-tariff-simulation': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-timelines': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-tracking-change': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-webhook-attempt': 'The metrics say how old the oldest row is that leaves in time.',
  'oldest-webhook-event': 'The metrics say how old the oldest row is that leaves in time.',
  'rate-use-add': 'A process shares what all of its callers have used, each second.',
  'recent-new-carrier-codes': 'An operator looks at what the service does.',
  'recipients-of-all-notices': 'The endpoints of the operator, which are looked for only when there is a notice.',
  'refused-credentials': 'The metrics count the connections of all companies whose credentials are refused.',
  'sealed-credentials': 'An operator has all credentials sealed by another key.',
  'waiting-endpoints': 'An operator looks at what the service does.',
  'stalled-endpoints': 'A schedule looks for endpoints whose deliveries nothing moves.',
  'remove-expired-carrier-call': 'A schedule deletes what is too old.',
  'remove-expired-idempotent-request': 'A schedule deletes what is too old.',
  'remove-expired-new-carrier-code': 'A schedule deletes what is too old.',
  'remove-expired-tariff-simulation': 'A schedule deletes what is too old.',
  'remove-expired-webhook-attempt': 'A schedule deletes what is too old.',
  'webhook-selections': 'An operator has the selections of all endpoints checked.',
  'webhook-retention-events': 'A schedule deletes what is too old.',
  'webhook-secrets': 'An operator has all secrets sealed by another key.',
};

/** Places that send SQL without a declared statement, each with the reason. */
const NOT_DECLARED: Readonly<Record<string, string>> = {
  'platform/database/connections/notifications.ts': 'LISTEN takes no parameter.',
  'platform/database/connections/pooler.ts':
    'It compares the server processes of two transactions before any is declared.',
  'platform/database/connections/server-choice.ts': 'It asks each of several servers what it is.',
  'platform/database/database.ts': 'It runs those that are declared, and sets and locks on connections of its own.',
  'platform/database/migrations/migrations.ts': 'Settings of the session of a migration.',
  'platform/database/server/service-role.ts': 'GRANT takes no parameter, and only operators know the role.',
  'platform/database/server/vacuum.ts': 'VACUUM takes no parameter, and none of its tables is known before.',
  'platform/database/statements/transaction.ts':
    'BEGIN, COMMIT, and a lock in the same text as BEGIN, which has no parameters then.',
  'platform/database/tenancy/snapshot.ts': 'BEGIN with its isolation; it runs those that are declared.',
  'platform/jobs/jobs.ts': "pg-boss' own statements on its own tables.",
};

const companyId = randomUUID();
let name: string;
let client: pg.Client;
let home: string;
let companyTables: ReadonlySet<string>;

beforeAll(async () => {
  name = await createDatabase(inject('serverUrl'), inject('template'));
  client = new pg.Client({ connectionString: urlOf(inject('serverUrl'), name) });
  await client.connect();
  await partitionByCompany(client);
  home = `_p${await partitionOf(client, companyId)}`;
  const { rows } = await client.query(
    "select relname from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace",
  );
  companyTables = new Set(rows.map(({ relname }) => relname));
});
afterAll(async () => {
  await client?.end();
  await dropDatabase(inject('serverUrl'), name);
});

const elsewhere = ({ partitions }: Touched) => partitions.filter(partition => !partition.endsWith(home));

describe('On tables that are partitioned by company', () => {
  test('there are statements and tables to check', () => {
    expect(ofOne.length).toBeGreaterThan(100);
    expect(companyTables.size).toBeGreaterThan(20);
    expect(companyTables).toContain('tracking_poll');
  });

  test('every statement of a company touches the partition of its company alone', async () => {
    const left: Record<string, readonly string[]> = {};
    let within = 0;
    for (const statement of ofOne) {
      const touched = await touchedBy(client, statement, companyId);
      if (touched.partitions.length > 0) within++;
      if (elsewhere(touched).length > 0) left[statement.name] = elsewhere(touched);
    }
    expect(left).toEqual({});
    // The others insert without reading, or read keys.
    expect(within / ofOne.length).toBeGreaterThan(0.9);
  });

  test('every other statement reads no rows of companies, or is listed with its reason', async () => {
    const found: string[] = [];
    for (const statement of statements.filter(({ isOfOneCompany }) => !isOfOneCompany)) {
      const { tables } = await touchedBy(client, statement, companyId);
      if (tables.some(table => companyTables.has(table))) found.push(statement.name);
    }
    expect(found.toSorted()).toEqual(Object.keys(OF_ALL_COMPANIES).toSorted());
  });

  const SHIPMENT = 'select s.id from shipment s where s.company_id = $1';
  const leaving: [what: string, text: string][] = [
    ['a join by the id alone', `${SHIPMENT} and exists (select from tracking_event e where e.shipment_id = s.id)`],
    [
      'a subquery that takes the company from a row',
      `select s.id, (select count(*) from tracking_event e where e.company_id = s.company_id and e.shipment_id = s.id)
        from shipment s where s.company_id = $1`,
    ],
    [
      'the companies of many rows',
      'select s.id from unnest($1::uuid[]) as each(company_id) join shipment s on s.company_id = each.company_id',
    ],
  ];
  test.each(leaving)('the check notices %s', async (_, text) => {
    expect(elsewhere(await touchedBy(client, { text }, companyId))).not.toEqual([]);
  });
});

test('SQL is sent by declared statements alone, except where a reason is listed', () => {
  const folder = new URL('../../src/', import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sending = files.filter(
    file =>
      /^(domain|platform|http)\/.*\.ts$/.test(file) &&
      /\.(query|execute|executeQuery|raw)\(/.test(readFileSync(`${folder}${file}`, 'utf8')),
  );
  expect(sending.toSorted()).toEqual(Object.keys(NOT_DECLARED));
});
