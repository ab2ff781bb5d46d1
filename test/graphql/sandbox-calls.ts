// A company whose connections are live and of the sandbox, with a key of each kind.

import { feedEvents, feedShipments, importTariff, TARIFF } from '../rest/feed.ts';
import type { Caller, World } from '../support/world.ts';
import { ask, type Item } from './platform-side.ts';

/** Sandbox connections can be made; nobody answers there. */
export const WITH_SANDBOX = { CARRIER_SANDBOX_URL: 'http://127.0.0.1:9' };

export const CONNECT = `mutation ($input: ConnectCarrierInput!) {
  connectCarrier(input: $input) { carrierConnection { carrierCompanyId environment } userErrors { code pointer message } }
}`;

export interface Company {
  readonly live: Caller;
  readonly sandbox: Caller;
  /** A connection of each environment, both with a tariff and with a shipment. */
  readonly connections: { readonly live: number; readonly sandbox: number };
  readonly numbers: { readonly live: string; readonly sandbox: string };
}

let companies = 0;

async function connect(by: Caller, input: Item): Promise<number> {
  return (await ask<{ carrierCompanyId: number }>(by, CONNECT, { input })).carrierCompanyId;
}

export async function companyWithSandbox(world: World): Promise<Company> {
  const live = await world.company();
  const sandbox = await world.key(live.companyId, ['all'], undefined, 'sandbox');
  const label = 'Conto';
  const connections = {
    live: await connect(live, { carrierCode: 'BRT', label, environment: 'live' }),
    sandbox: await connect(sandbox, { carrierCode: 'GLS', label, environment: 'sandbox' }),
  };
  await importTariff(live, connections.live, TARIFF);
  await importTariff(sandbox, connections.sandbox, TARIFF);
  const n = ++companies;
  const numbers = { live: `VIVO${n}`, sandbox: `PROVA${n}` };
  await feedShipments(live, connections.live, { trackingNumber: numbers.live });
  await feedShipments(sandbox, connections.sandbox, { trackingNumber: numbers.sandbox });
  return { live, sandbox, connections, numbers };
}

/** A step of a shipment, some minutes ago. */
export function moveOn(by: Caller, trackingNumber: string, minutesAgo: number, statusCode = 'in_transit') {
  const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  return feedEvents(by, { trackingNumber, timestamp, statusCode });
}
