import { beforeAll, describe, expect, test } from 'vitest';
import { connectCarrier, recordEvents, shipment, upsertShipments } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { type Env, expectSentence, type Json, useProcesses } from './processes.ts';

// `changes`: the change log of a company on the command line.

const processes = useProcesses();
const world = useWorld({ ROLE: 'api' });
let settings: Env;
let caller: Caller;
let connection: number;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  caller = await world.company();
  connection = await connectCarrier(caller);
  await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
  await recordEvents(caller, [
    { trackingNumber: 'A', occurredAt: '2026-11-20T10:00:00Z', statusCode: 'shipped' },
    { trackingNumber: 'B', occurredAt: '2026-11-20T10:00:00Z', statusCode: 'delivered' },
  ]);
});

const run = (...args: string[]) => inProcess(args, settings);
const linesOf = (text: string): Json[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

describe('changes', () => {
  test('prints the changes that are kept, a line each', async () => {
    const { code, stdout, stderr } = await run('changes', '--company', caller.companyId);
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

  test('prints JSON lines, after a number and through a filter', async () => {
    const { stdout } = await run('--json', 'changes', 'list', '--company', caller.companyId, '--after', '2');
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({ number: 3, kind: 'status', trackingNumber: 'A', statusCode: 'shipped' }),
      expect.objectContaining({ number: 4, previousStatusCode: 'created', eventId: expect.stringMatching(/^\d+$/) }),
    ]);
    const numbers = async (...filter: string[]) => {
      const { stdout } = await run('--json', 'changes', '--company', caller.companyId, ...filter);
      return linesOf(stdout).map(({ number }) => number);
    };
    expect(await numbers('--kinds', 'created')).toEqual([1, 2]);
    expect(await numbers('--statuses', 'delivered,held')).toEqual([4]);
    expect(await numbers('--shipment', String(linesOf(stdout)[0].shipmentId))).toEqual([1, 3]);
  });

  test('names an invalid option, and a company that does not exist', async () => {
    const misused = await run('changes', '--company', caller.companyId, '--kinds', 'x');
    expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('created, updated, status') });
    const unknown = await run('changes', '--company', '00000000-0000-4000-8000-000000000000');
    expect(unknown.code).toBe(1);
    expectSentence(unknown.stderr);
  });

  test('asks before every cursor expires, and does it', async () => {
    expect((await run('changes', 'expire')).stderr).toContain('--yes');
    const { code, stdout } = await run('--json', 'changes', 'expire', '--yes');
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { companies: 1 } });
  });
});
