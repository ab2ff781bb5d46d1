import type pg from 'pg';

/** Inserts a recorded call to a carrier on each of the connections. */
export async function insertCarrierCalls(
  client: pg.Client | pg.Pool,
  companyId: string,
  connectionIds: readonly number[],
): Promise<void> {
  await client.query(
    `insert into carrier_call (company_id, carrier_connection_id, at, purpose, is_token_request, request_id, method, address,
        outcome, status, duration_ms, request_headers, response_headers, response_body)
      select $1, id, now() - n * interval '1 second', 'address_check', false, 'request-' || n, 'GET', 'https://carrier.example/',
          'answered', 200, 20, '{}', '{}', '{}'
        from unnest($2::integer[]) with ordinality as connection(id, n)`,
    [companyId, connectionIds],
  );
}
