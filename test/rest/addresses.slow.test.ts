import { expect, test } from 'vitest';
import { ASKED } from '../support/carriers.ts';
import { result, SLOW, useAddressChecks } from './address-checks.ts';

const { world, check, connections } = useAddressChecks();

test('A carrier that does not respond is given up after eight seconds', async () => {
  const asked = ASKED.map(async carrier => {
    const startMs = performance.now();
    const { status, body } = await check(connections[carrier], { zip: SLOW });
    const tookMs = performance.now() - startMs;
    expect([status, body]).toEqual([200, result(carrier, 'UNAVAILABLE')]);
    expect(tookMs).toBeGreaterThan(7_000);
    expect(tookMs).toBeLessThan(12_000);
  });
  await Promise.all(asked);
  // As one that did not respond in time, and not as one that this service gave up for another reason.
  const metrics = await world.app.metrics.registry.metrics();
  for (const carrier of ASKED) {
    const requests = `shipping_carrier_request_duration_seconds_count{carrier="${carrier}",purpose="address",outcome=`;
    expect(metrics).toContain(`${requests}"timeout"} 1`);
    expect(metrics).not.toContain(`${requests}"aborted"}`);
  }
});
