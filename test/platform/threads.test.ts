import { afterAll, describe, expect, test } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Fault } from '../../src/platform/fault.ts';
import { Work } from '../../src/platform/limits/work.ts';
import { closeThreads, inThread } from '../../src/platform/threads/threads.ts';

const FILE = new URL('../support/heavy.thread.ts', import.meta.url);
const [A, B] = ['a', 'b'] as unknown as [CompanyId, CompanyId];
const addFor = (companyId: CompanyId) => inThread<number>({ companyId }, FILE, 'add', [2, 3]);

afterAll(closeThreads);

describe('A task in a thread', () => {
  test('returns its result, and throws the fault that it ends with', async () => {
    expect(await addFor(A)).toBe(5);
    await expect(inThread({ companyId: A }, FILE, 'refuse', [])).rejects.toMatchObject({
      code: 'validation_failed',
      options: { detail: 'Wrong.', issues: [{ path: ['a', 1], code: 'required', message: 'x' }] },
    });
    await expect(inThread({ companyId: A }, FILE, 'refuse', [])).rejects.toBeInstanceOf(Fault);
    await expect(inThread({ companyId: A }, FILE, 'fail', [])).rejects.toThrow('broken');
  });

  test('that runs out of memory ends with an error for its caller, and nobody else', async () => {
    const growing = inThread({ companyId: A }, FILE, 'grow', []);
    const other = addFor(B);
    await expect(growing).rejects.toMatchObject({ code: 'request_too_expensive' });
    expect([await other, await addFor(A)]).toEqual([5, 5]);
  });

  test('is stopped with the work of its request, and the next task of the company runs', async () => {
    const work = new Work(A, { units: 100, characters: 100 }, () => new Fault('request_too_expensive'));
    const endless = inThread({ companyId: A, work }, FILE, 'endless', []);
    const next = addFor(A);
    work.end(new Fault('graphql_timeout'));
    await expect(endless).rejects.toMatchObject({ code: 'graphql_timeout' });
    expect(await next).toBe(5);
  });

  test('waits for its company alone: another company has its turn between two of them', async () => {
    const done: string[] = [];
    const all = [A, A, A, A, B].map((companyId, i) => addFor(companyId).then(() => done.push(`${companyId}${i}`)));
    await Promise.all(all);
    // One runs, and the next of the same company was there first.
    expect(done.indexOf('b4')).toBeLessThanOrEqual(2);
  });
});
