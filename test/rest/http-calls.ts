// Requests of which every byte counts.
import { beforeAll } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { type RawRequest, send } from './raw-http.ts';

export const BASE = '/api/v1/integrations';
export const MAX_BYTES = 256 * 1024;

/** A world with a company that sends them. */
export function useHttp() {
  const world = useWorld();
  let caller: Caller;
  beforeAll(async () => {
    caller = await world.company();
  });

  /** A request with the caller's key. */
  const ask = ({ headers, ...request }: RawRequest) =>
    send(world.app.url, { ...request, headers: { 'x-api-key': caller.apiKey, ...headers } });

  /** A body for a warehouse with the caller's key; JSON unless the headers say otherwise. */
  const post = (body: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    ask({
      method: 'POST',
      path: `${BASE}/warehouses`,
      headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
      chunks: [body],
    });

  /** An application of its own over a database. */
  function openApp(databaseUrl: string, env: Record<string, string> = {}): Promise<App> {
    const config = readConfig({
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_POOL_SIZE: '4',
      DATABASE_URL: databaseUrl,
      SECRETS_KEY,
      ...env,
    });
    return createApp({ ...config, databaseUrl }, world.app.log);
  }

  return {
    world,
    get caller() {
      return caller;
    },
    ask,
    post,
    openApp,
  };
}
