import { expect, test, vi } from 'vitest';
import { connectCarrier, shipment, upsertShipments } from '../support/platform-side.ts';
import { useErasures } from './erasure-calls.ts';
import type { Json } from './processes.ts';

const erasures = useErasures();
const { processes, world, run, suspend, erase, rowsOf, nameOf, found } = erasures;

test('An erasure that is killed continues when the command is run again, and counts each row once', async () => {
  const caller = await world.company();
  const { companyId } = caller;
  await upsertShipments(caller, [shipment(await connectCarrier(caller), 'K1')]);
  await rowsOf(
    `insert into tracking_change (company_id, number, kind, shipment_id) select $1, n, 'updated', 1 from generate_series(10, 40009) n`,
    companyId,
  );
  const changes = async () => {
    const [row] = await rowsOf(
      'select count(*)::integer as count from tracking_change where company_id = $1',
      companyId,
    );
    return row.count as number;
  };
  const total = await changes();
  await suspend(companyId);
  const name = await nameOf(companyId);
  const killed = processes.startCli(['company', 'erase', '--company', companyId, '--name', name], erasures.settings);
  await vi.waitFor(async () => expect(await changes()).toBeLessThan(total), { timeout: 20_000, interval: 5 });
  killed.kill('SIGKILL');
  await killed.ended();
  const left = await changes();
  expect(left).toBeGreaterThan(0);

  const resumed = await run('company', 'resume', '--company', companyId);
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('erasure has begun')]);
  const { stdout } = await run('doctor');
  const finding = (JSON.parse(stdout) as Json[]).find(({ check }) => check === 'companies');
  expect(finding).toMatchObject({ status: 'warn', found: expect.stringContaining(companyId) });

  const [proof] = await erase(companyId, name);
  expect(proof.counts.tracking_change).toBe(total);
  expect(await found(companyId)).toEqual({ erased_company: 1 });
});
