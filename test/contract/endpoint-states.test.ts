import { readFileSync } from 'node:fs';
import type { GraphQLEnumType } from 'graphql';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import {
  ENDPOINT_STATES,
  type EndpointState,
  endpointState,
} from '../../src/domain/exchange/webhooks/endpoints/endpoint.rules.ts';
import { enumName } from '../../src/graphql/enum-type.ts';
import { schema } from '../../src/graphql/schema.ts';

const STATES = Object.keys(ENDPOINT_STATES);

describe('The state of an endpoint', () => {
  const paused = '2026-11-22T10:00:00Z';
  const cases: [isActive: boolean, pausedAt: string | null, breaker: string | null, state: EndpointState][] = [
    [true, null, null, 'active'],
    [true, null, 'open', 'backing_off'],
    [true, null, 'draining', 'catching_up'],
    [true, paused, null, 'paused'],
    [true, paused, 'open', 'paused'],
    [true, paused, 'draining', 'paused'],
    [false, null, null, 'disabled'],
    [false, paused, 'open', 'disabled'],
  ];

  test('follows from whether it is active, whether it is paused, and its breaker', async () => {
    const client = new pg.Client({ connectionString: inject('serverUrl') });
    await client.connect();
    const { rows } = await client.query(
      `select ${endpointState('w')} as state
        from rows from (unnest($1::boolean[]), unnest($2::timestamptz[]), unnest($3::text[]))
          with ordinality as w(is_active, paused_at, breaker, position) order by position`,
      [0, 1, 2].map(column => cases.map(one => one[column])),
    );
    await client.end();
    expect(rows.map(({ state }) => state)).toEqual(cases.map(([, , , state]) => state));
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(STATES));
  });

  test('has the same words in GraphQL and in the guide', () => {
    const values = (schema.getType('WebhookEndpointState') as GraphQLEnumType).getValues();
    expect(new Set(values.map(({ value }) => value))).toEqual(new Set(STATES));

    const page = readFileSync(new URL('../../src/docs/webhook-endpoints.md', import.meta.url), 'utf8');
    for (const [state, meaning] of Object.entries(ENDPOINT_STATES)) {
      expect(page).toContain(`| \`${enumName(state)}\` | ${meaning} |`);
    }
  });
});
