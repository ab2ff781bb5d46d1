import pg from 'pg';
import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const hasty = useWorld({ GRAPHQL_TIMEOUT_SECONDS: '0.3' });

/** As it is seen first, and compiled, since it came back. */
const TIMES = 5;

test('A response that takes too long is aborted', async () => {
  const company = await hasty.company();
  const client = new pg.Client({ connectionString: hasty.ownerUrl });
  await client.connect();
  await client.query('begin; lock table warehouse in access exclusive mode');
  for (let i = 0; i < TIMES; i++) {
    const { status, errors } = await company.graphql('{ warehouses { nodes { id: databaseId } } }');
    expect([status, errors]).toMatchObject([503, [{ extensions: { code: 'graphql_timeout', status: 503 } }]]);
  }
  const accept = 'application/graphql-response+json';
  const response = await fetch(`${hasty.app.url}/graphql?query={warehouses{nodes{id}}}`, {
    headers: { 'x-api-key': company.apiKey, accept },
  });
  expect([response.status, response.headers.get('retry-after'), response.headers.get('content-type')]).toEqual([
    503,
    '10',
    `${accept}; charset=utf-8`,
  ]);
  await client.query('rollback');
  await client.end();
  await expect
    .poll(() => company.graphql('{ warehouses { nodes { id: databaseId } } }'))
    .toEqual({ status: 200, data: { warehouses: { nodes: [] } } });
});
