import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ASKED, askedAt, CREDENTIALS, connectSandbox, useSandbox } from '../support/carriers.ts';
import { figure } from '../support/metrics.ts';
import { ask, askNodes, feedShipments, times } from '../support/platform-side.ts';
import { type Caller, useWorld } from '../support/world.ts';

const sandbox = useSandbox();
const world = useWorld(Object.assign(askedAt(sandbox), { ROLE: 'api' }));

interface Call {
  readonly id: string;
  readonly startedAt: string;
  readonly purpose: string;
  readonly isTokenRequest: boolean;
  readonly requestId: string | null;
  readonly method: string;
  readonly url: string;
  readonly outcome: string;
  readonly responseStatus: number | null;
  readonly failure: string | null;
  readonly durationMs: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly carrierConnection: { readonly databaseId: number };
}

const FIELDS = `id databaseId startedAt purpose isTokenRequest requestId method url outcome responseStatus failure durationMs
  requestHeaders requestBody responseHeaders responseBody carrierConnection { databaseId }`;
const CALLS = `query ($filter: CarrierCallFilter) { carrierCalls(filter: $filter) { nodes { ${FIELDS} } } }`;

const ADDRESS = { address: 'Via Roma 1', city: 'Verona', zip: '37137', provincia: 'VR', country: 'IT' };

const callsOf = (caller: Caller, filter: object = {}) => askNodes<Call>(caller, CALLS, { filter });

/** The calls once there are so many: they are written beside what they are made for. */
async function written(caller: Caller, count: number, filter: object = {}): Promise<readonly Call[]> {
  let calls: readonly Call[] = [];
  await vi.waitFor(
    async () => {
      calls = await callsOf(caller, filter);
      expect(calls.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 10_000, interval: 100 },
  );
  expect(calls).toHaveLength(count);
  return calls;
}

/** Checks an address. Returns the id of the request. */
async function check(caller: Caller, carrierCompanyId: number, zip = '37137'): Promise<string> {
  const { headers } = await caller.rest('POST', '/addresses/check-address', { carrierCompanyId, ...ADDRESS, zip });
  return headers.get('x-request-id') ?? '';
}

const testAccount = (caller: Caller, id: number) =>
  ask(
    caller,
    `mutation { testCarrierConnection(input: { id: ${id} }) { outcome userErrors { code pointer message } } }`,
  );

// The interface of a carrier is loaded with its first call, which has to wait for it.
beforeAll(async () => {
  const caller = await world.sandbox();
  for (const code of ASKED) await check(caller, await connectSandbox(caller, code));
});

describe('Calls to carriers', () => {
  test('are listed with the purpose, the request and the outcome', async () => {
    const caller = await world.sandbox();
    const ups = await connectSandbox(caller, 'UPS');
    const requestId = await check(caller, ups);
    const [question, token] = await written(caller, 2);
    expect(question).toMatchObject({
      purpose: 'address_check',
      isTokenRequest: false,
      requestId,
      method: 'POST',
      outcome: 'answered',
      responseStatus: 200,
      failure: null,
      requestHeaders: { authorization: '…', transactionSrc: 'shipping-integrations' },
      responseHeaders: { 'content-type': expect.stringContaining('application/json') },
      carrierConnection: { databaseId: ups },
    });
    expect(question?.url).toBe(`${sandbox.url}/ups/api/shipments/v1/transittimes`);
    expect(JSON.parse(question?.requestBody ?? '')).toMatchObject({
      destinationPostalCode: '37137',
      destinationCountryCode: 'IT',
      destinationCityName: '…',
    });
    expect(JSON.parse(question?.responseBody ?? '')).toMatchObject({ emsResponse: { destinationCityName: '…' } });
    expect(token).toMatchObject({ isTokenRequest: true, requestId, outcome: 'answered', responseStatus: 200 });
    expect(JSON.parse(token?.requestBody ?? '')).toEqual({ grant_type: 'client_credentials' });
    expect(JSON.parse(token?.responseBody ?? '')).toMatchObject({ access_token: '…', token_type: expect.any(String) });
  });

  test('have the parameters of an address that may be kept, and the data of an XML response', async () => {
    const caller = await world.sandbox();
    await check(caller, await connectSandbox(caller, 'GLS'));
    const [call] = await written(caller, 1);
    expect(call?.url).toContain('CheckAddress?SiglaProvincia=VR&Cap=37137&Localita=…&Indirizzo=…');
    expect(call?.url).toContain('PasswordClienteGls=…');
    const { AddressList } = JSON.parse(call?.responseBody ?? '');
    expect(AddressList[0]).toMatchObject({ SiglaProvincia: 'VR', Cap: '37137', Indirizzo: '…', Comune: '…' });
  });

  test('include failures: rejected credentials, pages in place of data, and missing responses', async () => {
    const caller = await world.sandbox();
    const wrong = await connectSandbox(caller, 'BRT', {
      credentials: { ...CREDENTIALS.BRT, userId: 'someone', password: 'something' },
    });
    await testAccount(caller, wrong);
    // BRT is asked about an address and about a shipment.
    const [refused] = await written(caller, 2);
    expect(refused).toMatchObject({ purpose: 'credentials_test', outcome: 'refused', responseStatus: 200 });
    const live = await world.company();
    const away = await connectSandbox(live, 'DHL', {
      baseUrl: 'https://nobody.invalid/mydhl',
      credentials: { username: 'someone', password: 'something' },
    });
    await testAccount(live, away);
    const [unreachable] = await written(live, 1, { carrierConnectionId: away });
    expect(unreachable).toMatchObject({
      outcome: 'unavailable',
      responseStatus: null,
      failure: 'unresolvable_host',
      responseHeaders: null,
      responseBody: null,
    });
    expect(unreachable?.url).toMatch(/^https:\/\/nobody\.invalid\/mydhl\/address-validate\?/);
    const [id] = await feedShipments(caller, await connectSandbox(caller, 'GLS'), { trackingNumber: 'C HTML' });
    await ask(
      caller,
      `mutation { refreshTracking(input: { shipmentId: ${id} }) { shipment { id } userErrors { code pointer message } } }`,
    );
    const [page] = await written(caller, 1, { outcomes: ['UNREADABLE'] });
    expect(page).toMatchObject({ purpose: 'tracking_refresh', responseStatus: 200 });
    expect(page?.responseBody).toMatch(/^\[\d+ bytes of text\/html\]$/);
  });

  test('are filtered by connection, request, outcome and time, and paged from the newest', async () => {
    const caller = await world.sandbox();
    const [brt, gls] = [await connectSandbox(caller, 'BRT'), await connectSandbox(caller, 'GLS')];
    const wrong = await connectSandbox(caller, 'BRT', {
      credentials: { ...CREDENTIALS.BRT, userId: 'someone', password: 'something' },
    });
    const requests: string[] = [];
    for (const id of [brt, gls, wrong, brt]) requests.push(await check(caller, id));
    const all = await written(caller, 4);
    expect(all.map(({ requestId }) => requestId)).toEqual(requests.toReversed());
    const of = async (filter: object) =>
      (await callsOf(caller, filter)).map(({ requestId }) => requests.indexOf(requestId ?? ''));
    expect(await of({ carrierConnectionId: brt })).toEqual([3, 0]);
    expect(await of({ requestId: requests[1] })).toEqual([1]);
    expect(await of({ requestId: requests[1], carrierConnectionId: brt })).toEqual([]);
    expect(await of({ outcomes: ['REFUSED'] })).toEqual([2]);
    expect(await of({ outcomes: ['REFUSED', 'ANSWERED'] })).toEqual([3, 2, 1, 0]);
    expect(await of({ outcomes: ['ANSWERED'], carrierConnectionId: gls })).toEqual([1]);
    const [newest, , , oldest] = all;
    expect(await of({ startedAt: { from: newest?.startedAt } })).toEqual([3]);
    expect(await of({ startedAt: { to: all[2]?.startedAt } })).toEqual([0]);
    expect(await of({ requestId: requests[0], startedAt: { from: newest?.startedAt } })).toEqual([]);
    const page = (args: string) =>
      ask<{ nodes: Call[]; totalCount: number; pageInfo: { endCursor: string; hasNextPage: boolean } }>(
        caller,
        `{ carrierCalls(${args}) { totalCount nodes { id } pageInfo { endCursor hasNextPage } } }`,
      );
    const first = await page('first: 3');
    expect([first.nodes.length, first.totalCount, first.pageInfo.hasNextPage]).toEqual([3, 4, true]);
    const second = await page(`first: 3, after: "${first.pageInfo.endCursor}"`);
    expect([second.nodes.map(({ id }) => id), second.pageInfo.hasNextPage]).toEqual([[oldest?.id], false]);
  });

  test('with numbers beyond 32 bits are listed and found like others', async () => {
    const caller = await world.sandbox();
    const brt = await connectSandbox(caller, 'BRT');
    await check(caller, brt);
    await written(caller, 1);
    await world.pool.query(
      "update carrier_call set id = 9000000000001, at = at - interval '1 hour' where company_id = $1",
      [caller.companyId],
    );
    await check(caller, brt);
    const calls = await written(caller, 2);
    const first = await ask<{ pageInfo: { endCursor: string } }>(
      caller,
      '{ carrierCalls(first: 1) { pageInfo { endCursor } } }',
    );
    const rest = await askNodes<Call>(
      caller,
      `{ carrierCalls(after: "${first.pageInfo.endCursor}") { nodes { id } } }`,
    );
    expect(rest.map(({ id }) => id)).toEqual([calls[1]?.id]);
    const before = await askNodes<Call>(caller, `{ carrierCalls(last: 1) { nodes { id databaseId } } }`);
    expect(before).toEqual([{ id: calls[1]?.id, databaseId: 9000000000001 }]);
  });

  test('are visible only to their company, with the scope carriers:manage', async () => {
    const [caller, other] = [await world.sandbox(), await world.sandbox()];
    await check(caller, await connectSandbox(caller, 'BRT'));
    const [call] = await written(caller, 1);
    expect(await callsOf(other)).toEqual([]);
    expect(await callsOf(other, { requestId: call?.requestId })).toEqual([]);
    const reader = await world.key(caller.companyId, ['carriers:read']);
    expect((await reader.graphql(CALLS)).errors?.[0]?.extensions?.code).toBe('insufficient_scope');
  });
});

describe('The recorder of calls to carriers', () => {
  test('drops and counts records that the database rejects, while the calls continue', async () => {
    const caller = await world.sandbox();
    const brt = await connectSandbox(caller, 'BRT');
    const dropped = () => figure(world.app.metrics, 'shipping_carrier_calls_not_recorded_total');
    const before = await dropped();
    await world.pool.query(
      `alter table carrier_call add constraint planted check (carrier_connection_id <> ${brt}) not valid`,
    );
    await Promise.all(times(3, () => check(caller, brt)));
    await vi.waitFor(async () => expect(await dropped()).toBe(before + 3), { timeout: 10_000 });
    await world.pool.query('alter table carrier_call drop constraint planted');
    await check(caller, brt);
    await written(caller, 1);
  });
});
