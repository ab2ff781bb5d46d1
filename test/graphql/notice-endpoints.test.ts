import { expect, test } from 'vitest';
import { CREATE_NOTICE, createNoticeEndpoint, expectNotice } from '../jobs/notice-calls.ts';
import { once } from '../jobs/webhooks.ts';
import { ask, askNodes, refusal, times } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';
import { CREATE, DELETE, PAUSE, REPLAY, RESUME, ROTATE, UPDATE, verifies } from './webhook-calls.ts';

const world = useWorld(REACHABLE);
const receiver = useReceiver();

const ENDPOINT = 'id topic label url events notices allCompanies filter { carriers } selection isActive state';
const NOTICES = `{ noticeEndpoints { nodes { ${ENDPOINT} } } }`;
const CHANGE = `mutation ($input: UpdateNoticeEndpointInput!) {
  updateNoticeEndpoint(input: $input) { webhookEndpoint { ${ENDPOINT} } userErrors { code pointer message } }
}`;
const REMOVE = `mutation ($id: ID!) {
  deleteNoticeEndpoint(input: { id: $id }) { webhookEndpoint { ${ENDPOINT} } userErrors { code pointer message } }
}`;
const TEST = `mutation ($id: ID!, $type: WebhookEventType) {
  sendTestEvent(input: { endpointId: $id, type: $type }) {
    webhookDelivery { id eventType sequence body } userErrors { code pointer message }
  }
}`;

const URL_ = 'https://93.184.215.14/notices';

interface Endpoint {
  readonly id: string;
  readonly state: string;
}

test('An endpoint for notices is created, listed, changed and deleted', async () => {
  const caller = await world.company();
  const notices = ['notice.key_expiring', 'notice.endpoint_failing', 'notice.key_expiring'];
  const made = await createNoticeEndpoint(caller, URL_, notices);
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id } = made.webhookEndpoint;
  const shown = {
    id,
    topic: 'notices',
    label: 'On-call',
    url: URL_,
    events: [],
    filter: null,
    selection: null,
    notices: ['notice.endpoint_failing', 'notice.key_expiring'],
    allCompanies: false,
    isActive: true,
    state: 'active',
  };
  expect(await askNodes(caller, NOTICES)).toEqual([shown]);
  expect(await ask(caller, `query ($id: ID!) { webhookEndpoint(id: $id) { ${ENDPOINT} } }`, { id })).toEqual(shown);
  const changed = await ask<Endpoint>(caller, CHANGE, { input: { id, label: 'Night', notices: ['notice.*'] } });
  expect(changed).toEqual({ ...shown, label: 'Night', notices: ['notice.*'] });
  expect(await ask<Endpoint>(caller, PAUSE, { id })).toMatchObject({ state: 'paused' });
  expect(await ask<Endpoint>(caller, RESUME, { id })).toMatchObject({ isActive: true });
  expect((await ask<{ secret: string }>(caller, ROTATE, { id })).secret).toMatch(/^whsec_/);
  expect(await ask<Endpoint>(caller, REMOVE, { id })).toMatchObject({ isActive: false, state: 'disabled' });
  expect(await askNodes<Endpoint>(caller, NOTICES)).toMatchObject([{ id, state: 'disabled' }]);
});

test.each<[string, object, string]>([
  ['no notices', { notices: [] }, '/notices required'],
  ['events of tracking', { notices: ['tracking.delivered'] }, '/notices/0 not_allowed'],
  ['a private address', { url: 'https://10.0.0.1/' }, '/url blocked_address'],
  ['a filter', { filter: { carriers: ['BRT'] } }, '/filter unknown_field'],
  ['all companies', { allCompanies: true }, '/allCompanies unknown_field'],
])('An endpoint for notices with %s is rejected', async (_what, fields, wrong) => {
  const caller = await world.company();
  const input = { label: 'On-call', url: URL_, notices: ['notice.*'], ...fields };
  expect(await refusal(caller, CREATE_NOTICE, { input })).toBe(`validation_failed: ${wrong}`);
  expect(await askNodes(caller, NOTICES)).toEqual([]);
});

test('Operations on notice endpoints require the scope webhooks:manage', async () => {
  const caller = await world.company(['shipments:tracking', 'health:read']);
  for (const [document, variables] of [
    [NOTICES, {}],
    [CREATE_NOTICE, { input: { label: 'x', url: URL_, notices: ['notice.*'] } }],
  ] as const) {
    expect((await caller.graphql(document, variables)).errors?.[0]?.extensions.code).toBe('insufficient_scope');
  }
});

test('REST and the operations on tracking endpoints find no notice endpoints, and vice versa', async () => {
  const caller = await world.company();
  const { id } = (await createNoticeEndpoint(caller, URL_)).webhookEndpoint;
  const tracking = await caller.rest('POST', '/webhooks', { label: 'Shop', url: URL_, events: ['tracking.*'] });
  const { body: listed } = await caller.rest('GET', '/webhooks');
  expect(listed.map((one: Endpoint) => one.id)).toEqual([tracking.body.id]);
  expect((await caller.rest('DELETE', `/webhooks/${id}`)).status).toBe(404);
  expect(await askNodes<Endpoint>(caller, '{ webhookEndpoints { nodes { id } } }')).toEqual([{ id: tracking.body.id }]);
  const change = { input: { id, label: 'x' } };
  expect([await refusal(caller, UPDATE, change), await refusal(caller, DELETE, { id })]).toEqual([
    'webhook_not_found',
    'webhook_not_found',
  ]);
  const other = tracking.body.id;
  expect(await refusal(caller, CHANGE, { input: { id: other, label: 'x' } })).toBe('webhook_not_found');
  expect(await refusal(caller, REMOVE, { id: other })).toBe('webhook_not_found');
  expect(await askNodes<Endpoint>(caller, NOTICES)).toMatchObject([{ id, state: 'active', label: 'On-call' }]);
});

test('Ten endpoints for each topic can be active', async () => {
  const caller = await world.company();
  for (const _ of times(10, () => null)) await createNoticeEndpoint(caller, URL_);
  const input = { label: 'x', url: URL_, notices: ['notice.*'] };
  expect(await refusal(caller, CREATE_NOTICE, { input })).toMatch(/^webhook_limit_reached/);
  const { id } = (
    await ask<{ webhookEndpoint: Endpoint }>(caller, CREATE, {
      input: { label: 'x', url: URL_, events: ['tracking.*'] },
    })
  ).webhookEndpoint;
  expect(id).toEqual(expect.any(String));
});

test('An example of each notice is sent, signed, and matches the schema', async () => {
  const caller = await world.company();
  const { webhookEndpoint, secret } = await createNoticeEndpoint(caller, `${receiver.url}/examples`);
  const { id } = webhookEndpoint;
  const { enumValues } = await ask<{ enumValues: { name: string }[] }>(
    caller,
    '{ __type(name: "NoticeSubscription") { enumValues { name } } }',
  );
  const types = enumValues
    .map(({ name }) => name.toLowerCase().replace('notice_', 'notice.'))
    .filter(name => !name.endsWith('.all'));
  expect(types).toHaveLength(7);
  for (const type of [undefined, ...types]) {
    const { id: deliveryId, ...sent } = await ask<{ id: string; body: string }>(caller, TEST, { id, type });
    expect(sent).toMatchObject({ eventType: type ?? 'notice.endpoint_failing', sequence: 0 });
    await once(caller, deliveryId, { status: 'success' });
    const [request] = receiver.requests.filter(({ json }) => json.id === JSON.parse(sent.body).id);
    expect(request && verifies(request, secret)).toBe(true);
    expectNotice(request?.json);
  }
  expect(await refusal(caller, TEST, { id, type: 'tracking.delivered' })).toBe('validation_failed: /type not_allowed');
  // Examples are not sent again.
  const range = {
    id,
    since: new Date(Date.now() - 3_600_000).toISOString(),
    until: new Date(Date.now() + 3_600_000).toISOString(),
  };
  expect(await ask(caller, REPLAY, range)).toBe(0);
});
