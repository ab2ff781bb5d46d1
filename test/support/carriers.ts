import { afterAll, beforeAll } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { SANDBOX_TRACK_ACCOUNT } from '../../src/sandbox/fedex-stand-in.ts';
import { SANDBOX_DEPOT } from '../../src/sandbox/gls-stand-in.ts';
import { SANDBOX_ACCOUNT } from '../../src/sandbox/scenarios.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/stand-ins.ts';
import { graphqlClient, resultOf } from './graphql-client.ts';
import { noteSettings, useWatchedLog } from './log-watch.ts';
import { restClient } from './rest-client.ts';
import { type Caller, SECRETS_KEY, type World } from './world.ts';

/** Carriers that can be asked about addresses and shipments. */
export type Asked = 'GLS' | 'BRT' | 'DHL' | 'UPS' | 'FEDEX';
/** Carriers that can be asked about shipments alone. */
export type Followed = 'POSTE' | 'SDA' | 'AMAZON';
/** Carriers that can be asked about shipments without an account. */
export type Open = 'INPOST';

/** The sandbox's account at each. */
export const CREDENTIALS: Readonly<Record<Asked | Followed, Readonly<Record<string, string>>>> = {
  GLS: {
    depot: SANDBOX_DEPOT,
    clientCode: SANDBOX_ACCOUNT,
    contractCode: SANDBOX_ACCOUNT,
    password: SANDBOX_ACCOUNT,
  },
  BRT: { userId: SANDBOX_ACCOUNT, password: SANDBOX_ACCOUNT, depot: '102', clientCode: '1020100' },
  DHL: { username: SANDBOX_ACCOUNT, password: SANDBOX_ACCOUNT },
  UPS: { clientId: SANDBOX_ACCOUNT, clientSecret: SANDBOX_ACCOUNT },
  FEDEX: {
    clientId: SANDBOX_ACCOUNT,
    clientSecret: SANDBOX_ACCOUNT,
    trackClientId: SANDBOX_TRACK_ACCOUNT,
    trackClientSecret: SANDBOX_TRACK_ACCOUNT,
  },
  POSTE: { clientId: SANDBOX_ACCOUNT, clientSecret: SANDBOX_ACCOUNT },
  SDA: { clientId: SANDBOX_ACCOUNT, clientSecret: SANDBOX_ACCOUNT, scope: 'another', tokenPrefix: 'Bearer' },
  AMAZON: { clientId: SANDBOX_ACCOUNT, clientSecret: SANDBOX_ACCOUNT, refreshToken: SANDBOX_ACCOUNT },
};

/** All carriers that ask for an account. */
export const CONNECTED = Object.keys(CREDENTIALS) as (Asked | Followed)[];
/** The first part of the path at which the sandbox stands in for a carrier. */
export const placeOf = (carrierCode: string) => (carrierCode === 'SDA' ? 'poste' : carrierCode.toLowerCase());
/** Carriers that check addresses. */
export const ASKED: readonly Asked[] = ['GLS', 'BRT', 'DHL', 'UPS', 'FEDEX'];

/** A sandbox for all tests of a file. Call it before `useWorld(askedAt(…))`. */
export function useSandbox(options?: SandboxOptions): Sandbox {
  const sandbox = {} as Sandbox;
  beforeAll(async () => {
    Object.assign(sandbox, await startSandbox(options));
  });
  afterAll(() => sandbox.close?.());
  return sandbox;
}

/** The setting for a world whose connections of the sandbox are asked at a server: a sandbox, or a receiver in its place. */
export function askedAt(server: { readonly url: string }): Record<string, string> {
  return {
    // Read once the server is up.
    get CARRIER_SANDBOX_URL() {
      return server.url;
    },
  };
}

/** A connection that is asked at the sandbox, with its account unless others are named; answers its id. */
export async function connectSandbox(caller: Caller, carrierCode: string, overrides: object = {}): Promise<number> {
  const credentials = CREDENTIALS[carrierCode as Asked | Followed];
  const input = { carrierCode, label: `Sandbox ${carrierCode}`, credentials, ...overrides };
  const answer = await caller.graphql(
    'mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { databaseId } userErrors { code pointer message } } }',
    { input },
  );
  return resultOf<{ databaseId: number }>(answer).databaseId;
}

/** A second service over the database of a world, whose log is kept, to the last trace. */
interface LoggedApp {
  readonly app: App;
  /** All that it logged so far. */
  readonly log: () => string;
  /** The caller, at this service. */
  as(caller: Caller): Caller;
}

/** Call it after the world's `useWorld`, with the same settings. */
export function useLoggedApp(world: World, env: Record<string, string> = {}): LoggedApp {
  const lines: string[] = [];
  const log = useWatchedLog(line => lines.push(line));
  const logged = {
    log: () => lines.join(''),
    as: caller => ({
      ...caller,
      rest: restClient(logged.app.url, { 'x-api-key': caller.apiKey }),
      graphql: graphqlClient(logged.app.url, caller.apiKey),
    }),
  } as { -readonly [Key in keyof LoggedApp]: LoggedApp[Key] };
  beforeAll(async () => {
    const { databaseUrl } = world;
    const settings = { PORT: '0', ROLE: 'api', DATABASE_POOL_SIZE: '8', SECRETS_KEY, ...env };
    noteSettings(settings);
    logged.app = await createApp({ ...readConfig(settings), databaseUrl }, log);
  });
  afterAll(() => logged.app?.stop());
  return logged;
}
