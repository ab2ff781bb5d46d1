import { expect, test } from 'vitest';
import { outcomeOf, strange, update } from '../graphql/connection-calls.ts';
import { askedAt, CREDENTIALS, connectSandbox, useSandbox } from '../support/carriers.ts';
import { figure } from '../support/metrics.ts';
import { startProcess } from '../support/second-process.ts';
import { useWorld } from '../support/world.ts';

/** The metrics that alert an operator while carriers reject credentials. */

const sandbox = useSandbox();
const world = useWorld(askedAt(sandbox));

/** By a process that has measured nothing yet: one that has keeps it for some seconds. */
async function refused(...carriers: string[]): Promise<number[]> {
  const app = await startProcess(world, { ROLE: 'worker' });
  try {
    return await Promise.all(
      carriers.map(carrier => figure(app.metrics, `shipping_carrier_credentials_refused{carrier="${carrier}"}`)),
    );
  } finally {
    await app.stop();
  }
}

test('Connections whose credentials the carrier refuses are counted until it accepts them, also those that are refused with 200 or 400', async () => {
  const caller = await world.sandbox();
  const connect = async (carrier: 'BRT' | 'GLS' | 'UPS') => {
    const id = await connectSandbox(caller, carrier, { credentials: strange(carrier) });
    expect(await outcomeOf(caller, id)).toBe('refused');
    return id;
  };
  const [first, second] = [await connect('GLS'), await connect('GLS')];
  await connect('UPS');
  await connect('BRT');
  // Another question with the same answer says nothing new, and the connection still counts.
  expect(await outcomeOf(caller, first)).toBe('refused');
  expect(await refused('GLS', 'UPS', 'BRT', 'DHL')).toEqual([2, 1, 1, 0]);

  await update(caller, first, { credentials: CREDENTIALS.GLS });
  await update(caller, second, { isActive: false });
  expect(await refused('GLS', 'UPS')).toEqual([0, 1]);
  await update(caller, first, { credentials: strange('GLS', 'other') });
  expect(await outcomeOf(caller, first)).toBe('refused');
  expect(await refused('GLS')).toEqual([1]);
  // It is not asked about until the company is resumed, so there is nothing to mend.
  await world.pool.query('update company set suspended_at = now() where id = $1', [caller.companyId]);
  expect(await refused('GLS', 'UPS', 'BRT')).toEqual([0, 0, 0]);
});
