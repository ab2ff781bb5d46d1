// Operations on carrier connections.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { credentialNames, isAsked } from '../../src/domain/shipping/carriers/account.rules.ts';
import { CARRIERS } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { askedAt, CREDENTIALS, useLoggedApp, useSandbox } from '../support/carriers.ts';
import { ask, askNodes, type Item } from '../support/platform-side.ts';
import { type Received, type Reply, useReceiver } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';

type Sent = Pick<Received, 'method' | 'path' | 'headers' | 'body'>;

interface Connection {
  readonly databaseId: number;
  readonly carrierCode: string;
  readonly label: string;
  readonly isActive: boolean;
  readonly environment: 'live' | 'sandbox';
  readonly baseUrl: string | null;
  readonly hasCredentials: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const CONNECTION =
  'databaseId carrierCode label isActive environment baseUrl hasCredentials createdAt updatedAt';
export const CONNECT = `mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { ${CONNECTION} } userErrors { code pointer message } } }`;
export const UPDATE = `mutation ($input: UpdateCarrierConnectionInput!) {
  updateCarrierConnection(input: $input) { carrierConnection { ${CONNECTION} } userErrors { code pointer message } }
}`;
export const DISCONNECT = `mutation ($id: ID!) { disconnectCarrier(input: { id: $id }) { carrierConnection { ${CONNECTION} } userErrors { code pointer message } } }`;
export const TEST =
  'mutation ($id: ID!) { testCarrierConnection(input: { id: $id }) { outcome userErrors { code pointer message } } }';
export const LIST = `{ carriers: carrierConnections { nodes { ${CONNECTION} } } }`;

export const connect = (by: Caller, input: Item = {}) =>
  ask<Connection>(by, CONNECT, { input: { carrierCode: 'BRT', label: 'Conto', ...input } });
export const update = (by: Caller, id: number, input: Item) => ask<Connection>(by, UPDATE, { input: { id, ...input } });
export const disconnect = (by: Caller, id: number) => ask<Connection>(by, DISCONNECT, { id });
export const outcomeOf = (by: Caller, id: number) => ask<string>(by, TEST, { id });
export const list = (by: Caller) => askNodes<Connection>(by, LIST);

export const ADDRESS = { address: 'Via Libertà 12', city: 'Palermo', zip: '90139', provincia: 'PA' };

/** The result of an address check: its code, or the code of the rejection. */
export async function check({ rest }: Pick<Caller, 'rest'>, carrierConnectionId: number): Promise<string> {
  return (await rest('POST', '/addresses/check-address', { carrierCompanyId: carrierConnectionId, ...ADDRESS })).body
    .code;
}

/** Credentials that nobody's sandbox knows, one of each that the carrier asks for. */
export function strange(carrierCode: string, mark = 'strange'): Record<string, string> {
  const carrier = CARRIERS.find(({ code }) => code === carrierCode) ?? { credentials: {} };
  return Object.fromEntries(credentialNames(carrier).map(name => [name, `${mark}-${name}`]));
}

export const NOBODYS = 2_000_000_000;
export const UNSUPPORTED = CARRIERS.filter(carrier => !isAsked(carrier)).map(({ code }) => code);

/** A world whose connections of the sandbox are asked at a receiver in its place. */
export function useConnections() {
  const sandbox = useSandbox();

  /** A proxy of the sandbox, which passes requests on by default. */
  const receiver = useReceiver();
  const world = useWorld(askedAt(receiver));
  const logged = useLoggedApp(world, askedAt(receiver));

  let database: pg.Client;

  /** A company whose one connection nothing that is refused may change. */
  const still = {} as { by: Caller; id: number };
  beforeAll(async () => {
    database = new pg.Client({ connectionString: world.ownerUrl });
    await database.connect();
    still.by = await world.company();
    still.id = (
      await connect(still.by, { baseUrl: 'https://still.carrier.example', credentials: CREDENTIALS.BRT })
    ).databaseId;
  });
  afterAll(() => database?.end());

  beforeEach(() => {
    receiver.clear();
    receiver.answer(atSandbox);
  });

  async function atSandbox({ method, path, headers, body }: Sent): Promise<Reply> {
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers as Record<string, string>;
    const sent = body.length > 0 ? { body: new Uint8Array(body) } : {};
    const response = await fetch(sandbox.url + path, { method, headers: kept, ...sent });
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, headers: { 'content-type': contentType }, body: await response.bytes() };
  }

  async function boxOf(id: number): Promise<Buffer | null> {
    const { rows } = await database.query('select credentials from carrier_connection where id = $1', [id]);
    return rows[0]?.credentials;
  }

  const stillness = async () => ({ connections: await list(still.by), box: await boxOf(still.id) });

  return {
    receiver,
    world,
    logged,
    get database() {
      return database;
    },
    still,
    atSandbox,
    boxOf,
    stillness,
  };
}
