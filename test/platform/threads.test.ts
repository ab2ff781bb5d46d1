import { afterAll, describe, expect, test } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Fault } from '../../src/platform/fault.ts';
import { Work } from '../../src/platform/limits/work.ts';
import { closeThreads, inThread } from '../../src/platform/threads/threads.ts';

const FILE = new URL('../support/heavy.thread.ts', import.meta.url);
const [A, B, C] = ['a', 'b', 'c'] as unknown as [CompanyId, CompanyId, CompanyId];
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

  test('that takes too long is stopped, and the next task of the company runs', async () => {
    const endless = inThread({ companyId: A, taskMs: 300 }, FILE, 'endless', []);
    const next = addFor(A);
    const detail = 'The work for the request takes more than 0.3 s of processor time. Send less at once.';
    await expect(endless).rejects.toMatchObject({ code: 'request_too_expensive', options: { detail } });
    expect(await next).toBe(5);
  });

  test('is paid for by its request, and is stopped when it has used up what the request may cost', async () => {
    const tooMuch = () => new Fault('request_too_expensive', { detail: 'All is spent.' });
    const work = new Work(A, { units: 1_000_000, characters: 100 }, tooMuch);
    await inThread({ companyId: A, work }, FILE, 'busy', [200]);
    // 50 units a millisecond, and the start of a thread beside it.
    expect(work.spent).toBeGreaterThan(5_000);
    expect(work.spent).toBeLessThan(50_000);
    const poor = new Work(A, { units: 10_000, characters: 100 }, tooMuch);
    await expect(inThread({ companyId: A, work: poor }, FILE, 'endless', [])).rejects.toMatchObject({
      options: { detail: 'All is spent.' },
    });
  });

  test('is not started for a request that ended while it waited', async () => {
    const work = new Work(A, { units: 100, characters: 100 }, () => new Fault('request_too_expensive'));
    const first = inThread({ companyId: A }, FILE, 'busy', [100]);
    const second = inThread({ companyId: A, work }, FILE, 'endless', []);
    work.end(new Fault('graphql_timeout'));
    await expect(second).rejects.toMatchObject({ code: 'graphql_timeout' });
    await first;
  });

  test('waits for its own company, and for other companies only while all threads are in use', async () => {
    const work = workOf(A);
    const endless = inThread({ companyId: A, work }, FILE, 'endless', []);
    const done: string[] = [];
    const next = addFor(A).then(() => done.push('a'));
    expect(await addFor(B)).toBe(5);
    expect(done).toEqual([]);
    work.end(new Fault('graphql_timeout'));
    await expect(endless).rejects.toMatchObject({ code: 'graphql_timeout' });
    await next;
  });

  test('of a company with few tasks is the next one that starts, while two others send many', async () => {
    const works = [A, B].map(workOf);
    const endless = Promise.allSettled(
      [A, B].map((companyId, i) => inThread({ companyId, work: works[i] }, FILE, 'endless', [])),
    );
    const done: string[] = [];
    const noted = (companyId: CompanyId) => addFor(companyId).then(() => done.push(String(companyId)));
    const flood = Array.from({ length: 5 }, () => [noted(A), noted(B)]).flat();
    const calm = noted(C);
    works[0]?.end(new Fault('graphql_timeout'));
    await calm;
    expect(done).toEqual(['c']);
    works[1]?.end(new Fault('graphql_timeout'));
    await Promise.all(flood);
    expect((await endless).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

function workOf(companyId: CompanyId): Work {
  return new Work(companyId, { units: 1_000_000, characters: 100 }, () => new Fault('request_too_expensive'));
}
