import { expect, test } from 'vitest';
import { laneMinutes, travel } from '../jobs/promises.ts';
import { connectCarrier, times } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';

const world = useWorld();
const promise = async (...args: string[]) => {
  const env = { DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  const { code, stdout, stderr } = await inProcess(['--json', 'promise', 'compute', ...args], env);
  return { code, answer: stdout === '' ? stderr : JSON.parse(stdout) };
};

test('`promise compute` calculates the table of one company, or of all, and the service uses it at once', async () => {
  const [one, other] = [await world.company(), await world.company()];
  const companies: { caller: Caller; carrierConnectionId: number }[] = [];
  for (const caller of [one, other]) {
    const carrierConnectionId = await connectCarrier(caller);
    await travel(
      caller,
      carrierConnectionId,
      times(30, () => 1_200),
    );
    companies.push({ caller, carrierConnectionId });
  }
  const estimates = () =>
    Promise.all(companies.map(({ caller, carrierConnectionId }) => laneMinutes(caller, { carrierConnectionId })));
  expect(await estimates()).toEqual([null, null]);

  const table = { groups: expect.any(Number), noted: 0 };
  expect(await promise('--company', one.companyId)).toEqual({
    code: 0,
    answer: [{ companyId: one.companyId, ...table }],
  });
  await expect.poll(estimates).toMatchObject([{ date: 1_200 }, null]);

  const { answer } = await promise();
  expect(answer).toEqual(expect.arrayContaining([one, other].map(({ companyId }) => ({ companyId, ...table }))));
  await expect.poll(estimates).toMatchObject([{ date: 1_200 }, { date: 1_200 }]);
});

test('`promise compute` ends with a sentence about a company that does not exist', async () => {
  const { code, answer } = await promise('--company', '00000000-0000-4000-8000-000000000000');
  expect(code).toBe(1);
  expect(answer).toContain('company must be the id of a company');
});
