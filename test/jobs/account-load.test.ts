import { expect, test } from 'vitest';
import type { Accounts } from '../../src/domain/shipping/carriers/accounts.service.ts';
import type { CarrierPort } from '../../src/domain/shipping/carriers/carrier.port.ts';
import { carrierOf } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { AccountLoads } from '../../src/domain/shipping/polling/account-load.service.ts';
import { pollShipments } from '../../src/domain/shipping/polling/poll.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { connectSandbox } from '../support/carriers.ts';
import { feedEvents, feedShipments } from '../support/platform-side.ts';
import { MINUTE } from '../support/time.ts';
import { useWorld } from '../support/world.ts';

// Nobody polls by the clock: the account is a live one, whose carrier a stub stands in for.
const world = useWorld({ ROLE: 'api' });
/** A carrier that knows nothing new of any number, and lets an account ask so many a minute. */
const carrierOfPace = (numbersPerMinute: number): CarrierPort => ({
  checkAddress: async () => ({ kind: 'unavailable' }),
  track: async (_account, numbers) => numbers.map(() => ({ kind: 'not_found' })),
  numbersPerMinute: () => numbersPerMinute,
});

// 30 in transit are 0.25 numbers a minute, and 3 out for delivery 0.3; nine tenths of a pace are used.
test.each([
  ['as its pace allows', 10, 120],
  ['and those on the road less often where its pace allows less', 0.5, 200],
  ['and those on the road once a day where its pace allows no more', 0.1, 24 * 60],
])('The service asks about parcels that are out for delivery every ten minutes, %s', async (_, pace, minutes) => {
  const caller = await world.company();
  const carrierConnectionId = await connectSandbox(caller, 'GLS', { environment: 'live' });
  const occurredAt = new Date().toISOString();
  const shipmentIds: number[] = [];
  for (const [statusCode, count] of [
    ['in_transit', 30],
    ['out_for_delivery', 3],
  ] as const) {
    const numbers = Array.from({ length: count }, (_one, n) => ({ trackingNumber: `${statusCode}${n}` }));
    shipmentIds.push(...(await feedShipments(caller, carrierConnectionId, ...numbers)));
    await feedEvents(caller, ...numbers.map(number => ({ ...number, occurredAt, statusCode })));
  }
  const companyId = caller.companyId as CompanyId;
  const leasedUntil = new Date(Date.now() + 30 * MINUTE).toISOString();
  await world.pool.query('update tracking_poll set due_at = $2 where company_id = $1', [companyId, leasedUntil]);
  const account = { key: 'k', carrierCode: 'GLS', environment: 'live', baseUrl: null, credentials: {} } as const;
  const { database: ofService, jobs, promises, log, metrics, url } = world.app;
  await pollShipments(
    new Tenant(companyId, ofService),
    { companyId, carrierCompanyId: carrierConnectionId, shipmentIds, leasedUntil },
    {
      carriers: carrierOfPace(pace),
      accounts: {
        of: async () => ({ carrier: carrierOf('GLS'), environment: 'live', account, lacks: null, sealed: null }),
      } as unknown as Accounts,
      loads: new AccountLoads(),
      announcer: { jobs, publicUrl: url, promises, metrics },
      caps: { shipmentEvents: 2_000 },
      log,
    },
  );
  const { rows } = await world.pool.query<{ status: string; count: number; least: number; most: number }>(
    `select status_code as status, count(*)::integer as count, min(minutes)::float8 as least, max(minutes)::float8 as most
      from (select s.status_code, extract(epoch from p.due_at - p.polled_at) / 60 as minutes
        from tracking_poll p join shipment s on s.company_id = p.company_id and s.id = p.shipment_id
        where p.company_id = $1 and p.polled_at is not null) asked
      group by 1 order by 1`,
    [companyId],
  );
  expect(rows.map(({ status, count }) => [status, count])).toEqual([
    ['in_transit', 30],
    ['out_for_delivery', 3],
  ]);
  for (const [row, wanted] of [
    [rows[0], minutes],
    [rows[1], 10],
  ] as const) {
    expect(row?.least).toBeGreaterThanOrEqual(wanted * 0.79);
    expect(row?.most).toBeLessThanOrEqual(wanted * 1.21);
  }
});
