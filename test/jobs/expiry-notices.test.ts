import { expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { connectWith, flat, italianDay } from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { DAY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { kindsOf, useNotices } from './notice-calls.ts';
import { runSchedule } from './webhooks.ts';

/** Notices about things that end soon, each sent once. */

const world = useWorld(REACHABLE);
const { listen } = useNotices();

const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const look = () => runSchedule(world, 'webhooks.expiries');

interface IssuedKey {
  readonly apiKey: string;
  readonly key: { readonly uuid: string; readonly last4: string };
}

async function issueKey(
  caller: Caller,
  label: string,
  expiresAt: string | null,
  fields: object = {},
): Promise<IssuedKey['key'] & Pick<IssuedKey, 'apiKey'>> {
  const { apiKey, key } = await ask<IssuedKey>(
    caller,
    `mutation ($input: CreateApiKeyInput!) {
      createApiKey(input: $input) { apiKey key { uuid: id last4 } userErrors { code pointer message } }
    }`,
    { input: { label, scopes: ['HEALTH_READ'], ...(expiresAt && { expiresAt }), ...fields } },
  );
  return { ...key, apiKey };
}

const changeKey = (caller: Caller, name: string, id: string) =>
  ask(caller, `mutation ($id: ID!) { ${name}(input: { id: $id }) { userErrors { code pointer message } } }`, { id });

test('A key that expires within 14 days causes one notice, unless it was revoked, rotated or issued for a day', async () => {
  const caller = await world.company();
  const expiresAt = inDays(13.9);
  const soon = await issueKey(caller, 'soon', expiresAt);
  await issueKey(caller, 'later', inDays(14.1));
  await issueKey(caller, 'never', null);
  await issueKey(caller, 'for a day', inDays(0.9));
  await changeKey(caller, 'revokeApiKey', (await issueKey(caller, 'revoked', inDays(9))).uuid);
  const rotated = await issueKey(caller, 'rotated', inDays(20));
  await changeKey(caller, 'rotateApiKey', rotated.uuid);
  // There is no recipient yet, so the notice comes later.
  const others = await listen(await world.company());
  await look();
  const told = await listen(caller);
  await look();
  await look();
  const key = { id: soon.uuid, label: 'soon', last4: soon.last4 };
  expect(await told.first(1)).toMatchObject([{ type: 'notice.key_expiring', data: { key, expiresAt } }]);
  const { rows } = await world.pool.query('select type from webhook_event where company_id = $1', [caller.companyId]);
  expect(rows).toEqual([{ type: 'notice.key_expiring' }]);
  expect(others.soFar()).toEqual([]);
});

test('All expiring keys cause notices, even if there are more than one transaction takes', async () => {
  const caller = await world.company();
  const told = await listen(caller, ['notice.key_expiring']);
  await world.pool.query(
    `insert into api_key (company_id, id, secret_hash, last4, label, scopes, created_at, expires_at)
      select $1, gen_random_uuid(), sha256(n::text::bytea), '0000', 'Key ' || n, '{}', now() - interval '1 year', now() + interval '1 day'
        from generate_series(1, 105) n`,
    [caller.companyId],
  );
  await look();
  const labels = (await told.first(105)).map(({ data }) => data.key.label);
  expect(new Set(labels).size).toBe(105);
});

test('A tariff that ends within 14 days causes one notice, and another one when its last day changes', async () => {
  const caller = await world.company();
  const told = await listen(caller, ['notice.tariff_ending']);
  const until = (days: number, name: string) => ({ ...flat(1, { validUntil: italianDay(days) }), name });
  const [soon] = [await connectWith(caller, until(14, 'Soon')), await connectWith(caller, until(15, 'Later'))];
  await connectWith(caller, flat(1));
  await connectWith(caller, until(5, 'Inactive'), 'GLS', false);
  const followed = await connectWith(caller, until(5, 'Followed'), 'DHL');
  const draft = await ask<{ id: string }>(
    caller,
    `mutation ($input: CreateTariffDraftInput!) {
      createTariffDraft(input: $input) { tariffRevision { id } userErrors { code pointer message } }
    }`,
    { input: { carrierConnectionId: followed, tariff: flat(2) } },
  );
  await ask(
    caller,
    `mutation ($input: PublishTariffInput!) {
      publishTariff(input: $input) { tariffRevision { id } userErrors { code pointer message } }
    }`,
    { input: { id: draft.id, publishDate: italianDay(6) } },
  );
  await look();
  await look();
  const connection = { id: soon, carrierCode: 'BRT', label: 'Conto' };
  const first = {
    type: 'notice.tariff_ending',
    data: { connection, tariff: { name: 'Soon' }, validUntil: italianDay(14) },
  };
  expect(await told.first(1)).toMatchObject([first]);
  await importTariff(caller, soon as number, until(3, 'Soon'));
  await look();
  expect(await told.first(2)).toMatchObject([first, { data: { validUntil: italianDay(3) } }]);
  expect(kindsOf(told.soFar())).toEqual(['tariff_ending', 'tariff_ending']);
});

test('The endpoints of a company and of its sandbox receive notices only of their own keys', async () => {
  const live = await world.company();
  const sandbox = await world.key(live.companyId, ['all'], undefined, 'sandbox');
  const told = [await listen(live), await listen(sandbox)];
  await issueKey(live, 'live', inDays(3));
  await issueKey(live, 'sandbox', inDays(3), { environment: 'SANDBOX' });
  await look();
  for (const one of told) await one.first(1);
  expect(told.map(one => one.soFar().map(({ environment, data }) => [environment, data.key.label]))).toEqual([
    [['live', 'live']],
    [['sandbox', 'sandbox']],
  ]);
});

test('The operator receives the notices of companies without endpoints', async () => {
  const [operator, caller] = [await world.company(), await world.company()];
  const told = await listen(operator, ['notice.key_expiring']);
  await world.pool.query('update webhook_endpoint set all_companies = true where id = $1', [told.id]);
  const { uuid: id } = await issueKey(caller, 'soon', inDays(3));
  await connectWith(caller, flat(1, { validUntil: italianDay(3) }));
  await look();
  await told.receiver.waitFor(1, ({ json }) => json.data.key.id === id);
  const mine = told.soFar().filter(({ company }) => company.id === caller.companyId);
  expect(kindsOf(mine)).toEqual(['key_expiring']);
  // Nobody asked for tariffs.
  const { rows } = await world.pool.query('select end_told as "endTold" from tariff where company_id = $1', [
    caller.companyId,
  ]);
  expect(rows).toEqual([{ endTold: null }]);
});
