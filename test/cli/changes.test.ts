import { describe, expect, test } from 'vitest';
import { linesOf, useChanges } from './change-log.ts';
import { expectSentence } from './processes.ts';

// `changes`: the change log of a company on the command line.

const given = useChanges();
const { run } = given;

describe('`changes`', () => {
  test('prints the changes that are kept, one per line', async () => {
    const { code, stdout, stderr } = await run('changes', '--company', given.caller.companyId);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout.split('\n').map(line =>
        line
          .trim()
          .split(/\s{2,}/)
          .toSpliced(1, 1),
      ),
    ).toEqual([
      ['1', 'created', 'A'],
      ['2', 'created', 'B'],
      ['3', 'status', 'A', 'created → shipped'],
      ['4', 'status', 'B', 'created → delivered'],
      [''],
    ]);
  });

  test('prints JSON lines, from a given number and through a filter', async () => {
    const { stdout } = await run('--json', 'changes', 'list', '--company', given.caller.companyId, '--after', '2');
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({ number: 3, kind: 'status', trackingNumber: 'A', statusCode: 'shipped' }),
      expect.objectContaining({ number: 4, previousStatusCode: 'created', eventId: expect.stringMatching(/^\d+$/) }),
    ]);
    const numbers = async (...filter: string[]) => {
      const { stdout } = await run('--json', 'changes', '--company', given.caller.companyId, ...filter);
      return linesOf(stdout).map(({ number }) => number);
    };
    expect(await numbers('--kinds', 'created')).toEqual([1, 2]);
    expect(await numbers('--statuses', 'delivered,held')).toEqual([4]);
    expect(await numbers('--shipment', String(linesOf(stdout)[0].shipmentId))).toEqual([1, 3]);
  });

  test('names an invalid option, and a company that does not exist', async () => {
    const misused = await run('changes', '--company', given.caller.companyId, '--kinds', 'x');
    expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('created, updated, status') });
    const unknown = await run('changes', '--company', '00000000-0000-4000-8000-000000000000');
    expect(unknown.code).toBe(1);
    expectSentence(unknown.stderr);
  });

  test('makes every cursor expire, after a confirmation', async () => {
    expect((await run('changes', 'expire')).stderr).toContain('--yes');
    const { code, stdout } = await run('--json', 'changes', 'expire', '--yes');
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { companies: 1 } });
  });
});
