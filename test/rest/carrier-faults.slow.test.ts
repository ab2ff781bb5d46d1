import { describe, expect, test } from 'vitest';
import { ASKED } from '../support/carriers.ts';
import { type Account, dripping, hasTokens, useAccounts } from './carrier-accounts.ts';
import { expectNoToken, faultsAt, faultsOfTokens, UNAVAILABLE } from './carrier-faults.ts';

const { carrier, connect } = useAccounts();

test.each(faultsAt(carrier))(
  'The fault "%s" has the same outcome for every carrier',
  async (_what, answer, code, requests) => {
    const accounts = await Promise.all(ASKED.map(carrierCode => connect(carrierCode)));
    for (const account of accounts) account.answer = answer(account);
    const outcomes = await Promise.all(accounts.map(account => account.check()));
    expect(outcomes).toEqual(ASKED.map(() => code));
    expect(accounts.map(({ checks }) => checks.length)).toEqual(ASKED.map(() => requests));
  },
);

describe.each(['UPS', 'FEDEX'] as const)('A token of %s', carrierCode => {
  test.each(faultsOfTokens(carrier))('is not accepted: %s', async (_what, grant, code, requests) => {
    await expectNoToken(await connect(carrierCode), grant, code, requests);
  });
});

test('A response or a token that never ends is given up after eight seconds, and not requested again', async () => {
  const accounts: [what: string, account: Account, asked: number[]][] = [];
  for (const code of ASKED) {
    const answering = await connect(code, { answer: () => ({ body: dripping() }) });
    accounts.push(['drips', answering, hasTokens(code) ? [1, 1] : [1]]);
    if (!hasTokens(code)) continue;
    accounts.push(['drips a token', await connect(code, { grant: () => ({ body: dripping() }) }), [0, 1]]);
    accounts.push(['sends no token', await connect(code, { grant: { delay: 12_000 } }), [0, 1]]);
  }
  expect(accounts).toHaveLength(9);
  const checks = accounts.map(async ([what, account, asked]) => {
    const startMs = performance.now();
    expect([what, account.carrierCode, await account.check()]).toEqual([what, account.carrierCode, UNAVAILABLE]);
    const tookMs = performance.now() - startMs;
    expect([what, account.asked, tookMs > 7_000, tookMs < 14_000]).toEqual([what, asked, true, true]);
  });
  await Promise.all(checks);
});
