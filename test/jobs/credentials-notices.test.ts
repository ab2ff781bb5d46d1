import { expect, test } from 'vitest';
import { check, outcomeOf, strange, update } from '../graphql/connection-calls.ts';
import { askedAt, CREDENTIALS, connectSandbox, useSandbox } from '../support/carriers.ts';
import { feedShipments } from '../support/platform-side.ts';
import { REACHABLE, type Reply, useReceiver } from '../support/receiver.ts';
import { HOUR } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { kindsOf, useNotices } from './notice-calls.ts';
import { usePolls } from './polls.ts';

/** Notices that carriers reject or accept credentials, each sent once. */

const sandbox = useSandbox();
/** A proxy of the sandbox, which answers by default. */
const carrier = useReceiver();
const world = useWorld(Object.assign(askedAt(carrier), REACHABLE));
const { listen } = useNotices();
const { pollAfter } = usePolls(world);

const atSandbox = async ({ method, path, headers, body }: (typeof carrier.requests)[number]): Promise<Reply> => {
  const { host: _, connection: __, 'content-length': ___, ...kept } = headers as Record<string, string>;
  const response = await fetch(sandbox.url + path, {
    method,
    headers: kept,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const contentType = response.headers.get('content-type') ?? '';
  return { status: response.status, headers: { 'content-type': contentType }, body: await response.bytes() };
};

test('Credentials that a carrier rejects cause one notice, and another one when it accepts them again', async () => {
  carrier.answer(atSandbox);
  const [caller, stranger] = [await world.sandbox(), await world.sandbox()];
  const [told, elsewhere] = [await listen(caller), await listen(stranger)];
  const id = await connectSandbox(caller, 'DHL', { label: 'Conto' });
  expect(await outcomeOf(caller, id)).toBe('accepted');
  await update(caller, id, { credentials: strange('DHL') });
  expect([await outcomeOf(caller, id), await outcomeOf(caller, id)]).toEqual(['refused', 'refused']);
  const connection = { id, carrierCode: 'DHL', label: 'Conto' };
  expect(await told.first(1)).toMatchObject([{ type: 'notice.credentials_refused', data: { connection } }]);

  // Others that are refused as well are news, and so is it that they are taken.
  await update(caller, id, { credentials: strange('DHL', 'other') });
  expect([await outcomeOf(caller, id), await outcomeOf(caller, id)]).toEqual(['refused', 'refused']);
  await update(caller, id, { credentials: CREDENTIALS.DHL });
  expect([await outcomeOf(caller, id), await outcomeOf(caller, id)]).toEqual(['accepted', 'accepted']);
  const refusedTwice = ['credentials_refused', 'credentials_refused', 'credentials_accepted'];
  expect(kindsOf(await told.first(3))).toEqual(refusedTwice);

  await update(caller, id, { credentials: strange('DHL') });
  await outcomeOf(caller, id);
  expect(kindsOf(await told.first(4))).toEqual([...refusedTwice, 'credentials_refused']);
  expect(elsewhere.soFar()).toEqual([]);
});

test('Rejections during polls and address checks count as well', async () => {
  carrier.answer(atSandbox);
  const caller = await world.sandbox();
  const told = await listen(caller);
  const id = await connectSandbox(caller, 'DHL', { credentials: strange('DHL') });
  await feedShipments(caller, id, { trackingNumber: '2000000001' });
  await pollAfter(caller, 24 * HOUR);
  expect(kindsOf(await told.first(1))).toEqual(['credentials_refused']);
  expect(await check(caller, id)).toBe('VERIFICATION_ERROR');
  await update(caller, id, { credentials: CREDENTIALS.DHL });
  expect(await check(caller, id)).not.toBe('VERIFICATION_ERROR');
  await pollAfter(caller, 24 * HOUR);
  expect(kindsOf(await told.first(2))).toEqual(['credentials_refused', 'credentials_accepted']);
  expect(told.soFar()).toHaveLength(2);
});

test('The response to former credentials causes no notice about the credentials that replaced them', async () => {
  const caller = await world.sandbox();
  const told = await listen(caller);
  const id = await connectSandbox(caller, 'DHL', { credentials: strange('DHL') });
  const before = carrier.requests.length;
  const answer = carrier.hang();
  const tested = outcomeOf(caller, id);
  await carrier.waitFor(before + 1);
  await update(caller, id, { credentials: CREDENTIALS.DHL });
  answer({ status: 403 });
  expect(await tested).toBe('refused');
  carrier.answer(atSandbox);
  expect(await outcomeOf(caller, id)).toBe('accepted');
  await update(caller, id, { credentials: strange('DHL') });
  await outcomeOf(caller, id);
  // Had the first answer counted, there would be two before it.
  expect(kindsOf(await told.first(1))).toEqual(['credentials_refused']);
  const { rows } = await world.pool.query('select type from webhook_event where company_id = $1', [caller.companyId]);
  expect(rows).toEqual([{ type: 'notice.credentials_refused' }]);
});
