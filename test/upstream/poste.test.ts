import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CarrierAccount } from '../../src/domain/shipping/carriers/carrier.port.ts';
import { readTracking } from '../../src/domain/shipping/polling/carrier-answer.service.ts';
import { STATUS_CODES, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { poste } from '../../src/sandbox/poste-stand-in.ts';
import { Carriers } from '../../src/upstream/carriers.ts';
import { CREDENTIALS, useSandbox } from '../support/carriers.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { type Received, type Reply, useReceiver } from '../support/receiver.ts';
import { START } from './sandbox-calls.ts';

// Public clients ask Poste in two ways, and nobody could try which one it takes. `answers/poste` holds how its responses
// are read.

const receiver = useReceiver();
const sandbox = useSandbox({ carriers: [poste], start: START });
const log = useWatchedLog();
let carriers: Carriers;
let atSandbox: Carriers;
beforeAll(() => {
  carriers = new Carriers(receiver.url, createMetrics(), log);
  atSandbox = new Carriers(sandbox.url, createMetrics(), log);
});
afterAll(() => Promise.all([carriers.close(), atSandbox.close()]));
beforeEach(() => receiver.clear());

let accounts = 0;

function account(credentials: Readonly<Record<string, string>> = CREDENTIALS.POSTE): CarrierAccount {
  const companyId = '00000000-0000-4000-8000-000000000001' as CompanyId;
  const asker = { companyId, carrierConnectionId: 1, purpose: 'tracking_poll', requestId: null } as const;
  const key = `company/${++accounts}`;
  return { key, carrierCode: 'POSTE', environment: 'sandbox', baseUrl: null, credentials, asker };
}

const json = (body: unknown): Reply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const isSession = ({ path }: Received) => path === '/poste/user/sessions';
const SESSION = json({ token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: 'aaa.bbb.ccc' });
const FOUND = json({ return: { outcome: 'OK', code: 0, shipment: [{ waybillNumber: 'N1', tracking: [] }] } });
const NOTHING_YET = { kind: 'events', events: [], related: [], estimate: null };

/** Poste, which answers one of the ways and rejects the other. */
const answering = (method: string, status: number) => (request: Received) =>
  isSession(request) ? SESSION : request.method === method ? FOUND : { status };

const asked = () => receiver.requests.filter(request => !isSession(request)).map(({ method }) => method);

describe('A request to Poste', () => {
  test.each([
    ['GET', 404, ['GET', 'GET', 'GET']],
    ['POST', 404, ['GET', 'POST', 'POST', 'POST']],
    ['POST', 405, ['GET', 'POST', 'POST', 'POST']],
    ['POST', 400, ['GET', 'POST', 'POST', 'POST']],
  ])('is sent by the method that is answered, %s where the other is %i, and then by that alone', async (...row) => {
    const [method, status, methods] = row;
    receiver.answer(answering(method, status));
    const of = account();
    for (let i = 0; i < 3; i++) expect(await carriers.track(of, ['N1'])).toEqual([NOTHING_YET]);
    expect(asked()).toEqual(methods);
  });

  test('finds the method again when Poste changes it', async () => {
    const of = account();
    for (const method of ['POST', 'GET', 'POST']) {
      receiver.answer(answering(method, 404));
      expect(await carriers.track(of, ['N1'])).toEqual([NOTHING_YET]);
    }
    expect(asked()).toEqual(['GET', 'POST', 'POST', 'GET', 'GET', 'POST']);
  });

  test.each([401, 403, 429, 500])('is not sent by the other method after %i', async status => {
    receiver.answer(request => (isSession(request) ? SESSION : { status }));
    const [finding] = await carriers.track(account(), ['N1']);
    expect(finding?.kind).toBe(status < 404 ? 'refused' : 'unavailable');
    expect(new Set(asked())).toEqual(new Set(['GET']));
  });

  test.each([
    [{}, 'aaa.bbb.ccc'],
    [{ tokenPrefix: 'none' }, 'aaa.bbb.ccc'],
    [{ tokenPrefix: 'Bearer' }, 'Bearer aaa.bbb.ccc'],
  ])('has the token as the account has it: %j', async (settings, authorization) => {
    receiver.answer(answering('POST', 404));
    await carriers.track(account({ clientId: 'id', clientSecret: 'secret', ...settings }), ['N1']);
    const [session, ...questions] = receiver.requests;
    expect(session?.json).toMatchObject({ clientId: 'id', secretId: 'secret', grantType: 'client_credentials' });
    expect(questions).toHaveLength(2);
    for (const { headers } of questions) expect(headers).toMatchObject({ authorization, poste_clientid: 'id' });
  });

  test.each([
    [{ status: 401 }, 'refused'],
    [json({ error: 'unauthorized_client', error_description: 'AADSTS700016' }), 'refused'],
    [json({ expires_in: 3599 }), 'unreadable'],
  ])('of an account that gets no token, %j, is %s', async (reply, kind) => {
    receiver.answer(reply);
    expect(await carriers.track(account(), ['N1'])).toEqual([{ kind }]);
    expect(asked()).toEqual([]);
  });
});

describe('Poste in the sandbox', () => {
  const READS: Partial<Record<StatusCode, StatusCode>> = { at_depot: 'in_transit', cancelled: 'unknown' };

  test.each(['none', 'Bearer'])(
    'reports a journey to each status to an account with the prefix %s',
    async tokenPrefix => {
      const of = account({ ...CREDENTIALS.POSTE, tokenPrefix });
      const findings = await atSandbox.track(
        of,
        STATUS_CODES.map(status => `P-${status.toUpperCase()}`),
      );
      const received = new Date();
      const read = findings.map(finding => readTracking('POSTE', finding, received).events.at(-1)?.statusCode);
      expect(read).toEqual(STATUS_CODES.map(status => READS[status] ?? status));
    },
  );

  test('reports every instant right across the end of summer time', async () => {
    const [finding] = await atSandbox.track(account(), ['P-DELIVERED']);
    const events = finding?.kind === 'events' ? finding.events : [];
    const hours = events.map(({ timestamp }) => (Date.parse(timestamp) - START.getTime()) / 3_600_000);
    expect(hours.map(hour => Math.round(hour) + 0)).toEqual([0, 2, 4, 6, 8, 10]);
  });

  test('knows faults, and no account but its own', async () => {
    const kinds = async (numbers: readonly string[], of = account()) =>
      (await atSandbox.track(of, numbers)).map(({ kind }) => kind);
    expect(await kinds(['P-NOTFOUND'])).toEqual(['events']);
    expect(await kinds(['P-HTML'])).toEqual(['unreadable']);
    expect(await kinds(['P-LIMIT'])).toEqual(['unavailable']);
    expect(await kinds(['P-OFFLINE'])).toEqual(['unavailable']);
    expect(await kinds(['P-HELD'], account({ clientId: 'sandbox', clientSecret: 'wrong' }))).toEqual(['refused']);
    expect(await kinds(['P-HELD'], account({ clientId: 'wrong', clientSecret: 'sandbox' }))).toEqual(['refused']);
  });
});
