// Accounts at a stand-in for all carriers, each with responses of its own.
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect } from 'vitest';
import { type Asked, askedAt, CREDENTIALS, connectSandbox, useLoggedApp } from '../support/carriers.ts';
import { type Received, type Reply, useReceiver } from '../support/receiver.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Occur in every credential, every token and every address, and nowhere else. */
export const SECRET = 's3cr3t';
export const TOKEN = 'T0K3N';
export const STREET = 'Xyzzyq';

/** The responses of an account's carrier: one to everything, or one to its `n`th request, counted from 1. */
export type Answering = Reply | ((request: Received, n: number) => Reply);

/** A connection whose carrier has programmed responses. */
export class Account {
  readonly carrierCode: Asked;
  /** In its credentials, its postal code and its tokens, so that its data can be distinguished from all others. */
  readonly mark: string;
  carrierCompanyId = 0;
  readonly checks: Received[] = [];
  readonly grants: Received[] = [];
  /** All answers of the service to its checks. */
  readonly told: string[] = [];
  readonly #caller: Caller;
  answer: Answering;
  grant: Answering = (_request, n) => json({ access_token: `${TOKEN}-${this.mark}-${n}`, expires_in: 3600 });

  constructor(carrierCode: Asked, mark: string, caller: Caller) {
    this.#caller = caller;
    this.carrierCode = carrierCode;
    this.mark = mark;
    this.answer = good(carrierCode, mark);
  }

  get credentials(): Record<string, string> {
    return Object.fromEntries(
      Object.keys(CREDENTIALS[this.carrierCode]).map(name => [name, `${SECRET}-${name}-${this.mark}`]),
    );
  }

  /** How many of its requests were checks; and, where there are tokens, how many asked for one. */
  get asked(): readonly number[] {
    return hasTokens(this.carrierCode) ? [this.checks.length, this.grants.length] : [this.checks.length];
  }

  replyTo(request: Received): Reply {
    const isGrant = /\/oauth\/token$/.test(request.path);
    const [list, answering] = isGrant ? [this.grants, this.grant] : [this.checks, this.answer];
    const n = list.push(request);
    return typeof answering === 'function' ? answering(request, n) : answering;
  }

  async check(): Promise<string> {
    const { status, body, text } = await this.#caller.rest('POST', '/addresses/check-address', {
      carrierCompanyId: this.carrierCompanyId,
      address: `Via ${STREET} 12`,
      city: STREET,
      zip: this.mark,
      provincia: 'PA',
    });
    this.told.push(text);
    expect(status).toBe(200);
    expect(body.carrierCode).toBe(this.carrierCode);
    expect(body.suggestions.length).toBeLessThanOrEqual(body.code === VALID ? 1 : 0);
    return body.code;
  }
}

export const VALID = 'ADDRESS_VALID';

export function hasTokens(carrierCode: Asked): boolean {
  return carrierCode === 'UPS' || carrierCode === 'FEDEX';
}

export function json(value: unknown): Reply {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** How each carrier says that an address is right. */
export const GOOD: Readonly<Record<Asked, (zip: string) => string>> = {
  GLS: zip =>
    `<?xml version="1.0" encoding="utf-8"?><OutcomeCheckAddress><Esito>Destinazione corretta</Esito><AddressList><Address><SiglaProvincia>PA</SiglaProvincia><Cap>${zip}</Cap><Comune>${STREET}</Comune><Indirizzo>VIA ${STREET} 12</Indirizzo><TempoDiResa>24</TempoDiResa></Address></AddressList></OutcomeCheckAddress>`,
  BRT: zip =>
    JSON.stringify({
      routingResponse: { consigneeZIPCode: zip, consigneeCity: STREET, executionMessage: { code: 0, message: '' } },
    }),
  DHL: zip => JSON.stringify({ warnings: [], address: [{ countryCode: 'IT', postalCode: zip, cityName: STREET }] }),
  UPS: zip =>
    JSON.stringify({
      emsResponse: {
        destinationPostalCode: zip,
        destinationCityName: STREET,
        destinationCountryCode: 'IT',
        services: [{ businessTransitDays: 1 }],
      },
    }),
  FEDEX: zip =>
    JSON.stringify({
      output: {
        countryCode: 'IT',
        cleanedPostalCode: zip,
        locationDescriptions: [{ countryCode: 'IT', postalCode: zip }],
      },
    }),
};

export function good(carrierCode: Asked, zip: string): Reply {
  return { headers: { 'content-type': 'application/json' }, body: GOOD[carrierCode](zip) };
}

export const HTML =
  '<!DOCTYPE html><html><head><title>Manutenzione</title></head><body><p>Torniamo presto.</body></html>';
export const page = (status: number, headers = {}): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: HTML,
});

/** A response that continues for as long as someone listens. */
export async function* dripping(): AsyncGenerator<string> {
  for (;;) {
    yield ' ';
    await pause(100);
  }
}

export async function* brokenOff(text: string): AsyncGenerator<string> {
  yield text.slice(0, text.length / 2);
  // Once that is on its way.
  await pause(5);
  throw new Error('reset');
}

/** Behind an answer, it makes it too long to be read. */
export const TEN_MEGABYTES = Buffer.alloc(10 * 1024 * 1024, ' ');

export const body = (text: string | Buffer): Reply => ({ headers: { 'content-type': 'application/json' }, body: text });

/** Accounts of a file, each test having its own, and what stands in for all carriers. */
export function useAccounts() {
  const carrier = useReceiver();
  const world = useSharedWorld();
  const logged = useLoggedApp(world, Object.assign(askedAt(carrier), { MAX_CARRIER_CONNECTIONS: '10000' }));
  const accounts = new Map<string, Account>();
  let caller: Caller;
  beforeAll(async () => {
    caller = logged.as(await world.sandbox());
    carrier.answer(request => ownerOf(request).replyTo(request));
  });

  /** A new connection; its carrier accepts every address by default. */
  async function connect(
    carrierCode: Asked,
    answers: { answer?: Answering; grant?: Answering } = {},
  ): Promise<Account> {
    const account = Object.assign(new Account(carrierCode, `Z${accounts.size}Z`, caller), answers);
    accounts.set(account.mark, account);
    account.carrierCompanyId = await connectSandbox(caller, carrierCode, { credentials: account.credentials });
    return account;
  }

  function ownerOf({ path, body, headers }: Received): Account {
    const [, basic = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
    const [mark = ''] = /Z\d+Z/.exec(`${path} ${body} ${headers.authorization} ${Buffer.from(basic, 'base64')}`) ?? [];
    const owner = accounts.get(mark);
    if (!owner) throw new Error(`${path} is nobody's`);
    return owner;
  }

  return {
    carrier,
    logged,
    get caller() {
      return caller;
    },
    accounts,
    connect,
    ownerOf,
  };
}
