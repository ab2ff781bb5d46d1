// A company with four changes, and the commands that read them.
import { beforeAll } from 'vitest';
import { connectCarrier, recordEvents, shipment, upsertShipments } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { type Env, type Json, useProcesses } from './processes.ts';

export const linesOf = (text: string): Json[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

export function useChanges() {
  const processes = useProcesses();
  const world = useWorld({ ROLE: 'api' });
  let settings: Env;
  let caller: Caller;
  beforeAll(async () => {
    settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
    caller = await world.company();
    const connection = await connectCarrier(caller);
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    await recordEvents(caller, [
      { trackingNumber: 'A', occurredAt: '2026-11-20T10:00:00Z', statusCode: 'shipped' },
      { trackingNumber: 'B', occurredAt: '2026-11-20T10:00:00Z', statusCode: 'delivered' },
    ]);
  });

  return {
    processes,
    world,
    get settings() {
      return settings;
    },
    get caller() {
      return caller;
    },
    run: (...args: string[]) => inProcess(args, settings),
  };
}
