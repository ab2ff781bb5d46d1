import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { dhl } from '../../src/sandbox/dhl-stand-in.ts';
import { fedex } from '../../src/sandbox/fedex-stand-in.ts';
import { journeyOf, SANDBOX_ACCOUNT } from '../../src/sandbox/scenarios.ts';
import type { SandboxRequest } from '../../src/sandbox/stand-in.ts';

const START = new Date('2026-11-20T08:00:00Z');
const authorization = `Basic ${Buffer.from(`${SANDBOX_ACCOUNT}:${SANDBOX_ACCOUNT}`).toString('base64')}`;

function request(path: string, query: Readonly<Record<string, string>> = {}): SandboxRequest {
  return {
    method: 'GET',
    path,
    query: new URLSearchParams(query),
    headers: { authorization },
    body: '',
    journey: number => journeyOf(number, 6, START),
  };
}

test.each([
  [{ requestGMTOffsetPerEvent: 'true' }, true],
  [{}, false],
])('DHL in the sandbox gives the offsets of events only to those who ask for them: %j', (asked, hasOffsets) => {
  const path = '/shipments/WALK1/tracking';
  const { body } = dhl.answer(request(path, { trackingView: 'all-checkpoints', ...asked }));
  const { events } = JSON.parse(`${body}`).shipments[0];
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) expect('GMTOffset' in event).toBe(hasOffsets);
});

test('FedEx in the sandbox compresses its responses, whatever their status and the request', () => {
  const { status, headers, body } = fedex.answer(request('/'));
  expect({ status, coding: headers?.['content-encoding'] }).toEqual({ status: 405, coding: 'gzip' });
  expect(JSON.parse(gunzipSync(body).toString())).toHaveProperty('errors');
});
