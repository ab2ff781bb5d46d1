// `webhook listen`, and the endpoints and deliveries that it makes.
import { beforeAll } from 'vitest';
import { freePort } from '../support/ports.ts';
import type { Caller, World } from '../support/world.ts';
import type { Env, Json, Processes, Program } from './processes.ts';

export function useListener(world: World, processes: Processes) {
  let nowhere: Env;
  let caller: Caller;
  beforeAll(async () => {
    const DATA_DIR = await processes.dataDir();
    nowhere = { DATA_DIR, DATABASE_URL: `postgres://me@127.0.0.1:${await freePort()}/x` };
    caller = await world.company();
  });

  const listening = (args: readonly string[], { apiKey = caller.apiKey, url = world.app.url }) => {
    return ['webhook', 'listen', '--key', apiKey, '--url', url, ...args];
  };

  /** `webhook listen`, which has no database. */
  function listen(args: readonly string[] = [], to: { apiKey?: string; url?: string } = {}): Program {
    return processes.startCli(listening(args, to), nowhere);
  }

  async function endpoints(): Promise<Json[]> {
    return (await caller.rest('GET', '/webhooks')).body;
  }

  async function endpoint(id: string): Promise<Json> {
    return (await endpoints()).find(one => one.id === id);
  }

  async function testEvent(endpointId: string): Promise<string> {
    const { data } = await caller.graphql<{ sendTestEvent: { webhookDelivery: { id: string } } }>(
      'mutation ($endpointId: ID!) { sendTestEvent(input: { endpointId: $endpointId, type: TRACKING_DELIVERED }) { webhookDelivery { id } userErrors { code pointer message } } }',
      { endpointId },
    );
    return data.sendTestEvent.webhookDelivery.id;
  }

  async function delivery(id: string): Promise<Json> {
    const query = 'query ($id: ID!) { webhookDelivery(id: $id) { status attemptCount body eventId } }';
    return (await caller.graphql<Json>(query, { id })).data.webhookDelivery;
  }

  return {
    get caller() {
      return caller;
    },
    /** Settings with which no database can be opened. */
    get nowhere() {
      return nowhere;
    },
    listening,
    listen,
    endpoints,
    endpoint,
    testEvent,
    delivery,
  };
}
