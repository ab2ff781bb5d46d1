import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CarrierAccount } from '../../src/domain/shipping/carriers/carrier.port.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { Carriers } from '../../src/upstream/carriers.ts';
import { type Asked, CREDENTIALS } from '../support/carriers.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { type Reply, useReceiver } from '../support/receiver.ts';

// Holds that responses of carriers are read as they were compressed, within the limits of their decoded size.

const receiver = useReceiver();
const log = useWatchedLog();
let carriers: Carriers;
beforeAll(() => {
  carriers = new Carriers(receiver.url, createMetrics(), log);
});
afterAll(() => carriers.close());

function account(carrierCode: Asked): CarrierAccount {
  const companyId = '00000000-0000-4000-8000-000000000001' as CompanyId;
  const asker = { companyId, carrierConnectionId: 1, purpose: 'tracking_poll', requestId: null } as const;
  const credentials = CREDENTIALS[carrierCode];
  return { key: `company/${carrierCode}`, carrierCode, environment: 'sandbox', baseUrl: null, credentials, asker };
}

const zipped = (body: string | Buffer, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  body: gzipSync(body),
});
const TOKEN = JSON.stringify({ access_token: 't', token_type: 'bearer', expires_in: 3599 });
const NOT_FOUND = JSON.stringify({ errors: [{ code: 'NOT.FOUND' }] });

test('A compressed response is read, of tokens and errors too, and requests state the accepted codings', async () => {
  receiver.clear();
  receiver.answer(({ path }) => (path.endsWith('/oauth/token') ? zipped(TOKEN) : zipped(NOT_FOUND, 404)));
  expect(await carriers.track(account('FEDEX'), ['N1'])).toEqual([{ kind: 'not_found' }]);
  const accepted = receiver.requests.map(({ headers }) => headers['accept-encoding']);
  expect(accepted).toEqual(['gzip, deflate, br', 'gzip, deflate, br']);
});

test('A response that decompresses to more than the limit is unreadable, and is requested once', async () => {
  receiver.clear();
  receiver.answer(zipped(Buffer.alloc(50_000_000, ' ')));
  expect(await carriers.track(account('BRT'), ['N1'])).toEqual([{ kind: 'unreadable' }]);
  expect(receiver.requests).toHaveLength(1);
});
