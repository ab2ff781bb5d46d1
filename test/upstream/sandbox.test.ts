import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SHIPMENTS } from '../../src/demo/data.ts';
import { STATUS_CODES } from '../../src/domain/shipping/tracking/status.rules.ts';
import { correctedPostalCode, journeyOf, outcomeOf, usualStart } from '../../src/sandbox/scenarios.ts';
import { startSandbox } from '../../src/sandbox/stand-ins.ts';
import { START, useSandboxCalls } from './sandbox-calls.ts';

const { ask } = useSandboxCalls();

describe('In the rules of the sandbox', () => {
  test.each([
    ['20121', 'valid'],
    ['90190', 'corrected'],
    ['90191', 'several'],
    ['00192', 'not_found'],
    ['93', 'invalid'],
    ['SW94', 'offline'],
    ['W1A 9Z5', 'slow'],
    ['9-6', 'rate_limited'],
    ['10097', 'bad_credentials'],
    ['98', 'malformed'],
    ['9', 'valid'],
    ['', 'valid'],
    ['9099', 'valid'],
  ])('the postal code %j is %s', (postalCode, outcome) => {
    expect(outcomeOf(postalCode)).toBe(outcome);
  });

  test.each([
    ['20190', '20100'],
    ['W1A 9Z1', 'W1A 0Z0'],
    ['', ''],
  ])('the correction of postal code %j is valid: %j', (postalCode, corrected) => {
    expect(correctedPostalCode(postalCode)).toBe(corrected);
    expect(outcomeOf(corrected)).toBe('valid');
  });

  test.each([
    ['TEST-IN_TRANSIT', 1, 'created shipped in_transit'],
    ['WALK7', 1, 'created'],
    ['walk7', 3, 'created shipped in_transit'],
    ['WALK7', 6, 'created shipped in_transit at_depot out_for_delivery delivered'],
    ['WALK7', 60, 'created shipped in_transit at_depot out_for_delivery delivered'],
    ['TEST-OUT_FOR_DELIVERY', 9, 'created shipped in_transit at_depot out_for_delivery'],
    ['TEST-CANCELLED', 1, 'created cancelled'],
  ])('the number %s, requested %i times, has %s', (number, asked, statuses) => {
    const journey = journeyOf(number, asked, START);
    expect(journey).toMatchObject({ kind: 'events' });
    if (journey.kind !== 'events') return;
    expect(journey.events.map(({ status }) => status).join(' ')).toBe(statuses);
    expect(journey.events[0]?.time.toISOString()).toBe('2026-10-24T20:30:00.000Z');
  });

  test.each(['ABC123', '084007001234567', 'NOTFOUND-DELIVERED'])('a number without a status is unknown: %s', number => {
    expect(journeyOf(number, 1, START)).toEqual({ kind: 'not_found' });
  });

  test('journeys began a day before today, at the same time all day, and are over', () => {
    for (const now of ['2026-03-29T00:00:00Z', '2026-03-29T12:00:00Z', '2026-03-29T23:59:59Z']) {
      expect(usualStart(new Date(now))).toEqual(new Date('2026-03-28T00:00:00Z'));
    }
    const start = usualStart(new Date('2026-03-29T00:00:00Z'));
    const ends = STATUS_CODES.map(status => journeyOf(`TEST-${status.toUpperCase()}`, 1, start)).map(journey =>
      journey.kind === 'events' ? (journey.events.at(-1)?.time.getTime() ?? 0) : Number.NaN,
    );
    expect(Math.max(...ends)).toBeLessThan(Date.parse('2026-03-29T00:00:00Z'));
  });

  test.each(STATUS_CODES)('every status has a number that ends in it: %s', status => {
    const journey = journeyOf(`TEST-${status.toUpperCase()}`, 1, START);
    expect(journey.kind === 'events' && journey.events.at(-1)?.status).toBe(status);
  });
});

describe('The sandbox', () => {
  test('distinguishes carriers by their prefix and knows no others', async () => {
    expect((await ask('/nobody/x')).status).toBe(404);
    expect((await ask('/glsx/x')).status).toBe(404);
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/brt')).json).toEqual({ message: 'Not found' });
  });

  test('survives malformed paths and bodies that are too large', async () => {
    for (const path of ['/brt/%', '//']) expect((await ask(path)).status).toBe(400);
    const body = 'x'.repeat(1024 * 1024 + 1);
    expect((await ask('/brt/rest/v1/shipments/routing', { method: 'PUT', body })).status).toBe(413);
    expect((await ask('/brt/rest/v1/shipments/routing', { method: 'PUT', body: body.slice(1) })).status).toBe(200);
  });

  test('survives a carrier that throws, sends a wrong header or is slow, and a stop during open requests', async () => {
    const asked = Promise.withResolvers<void>();
    const own = await startSandbox({
      latencyMs: 60,
      carriers: [
        {
          prefix: '/x',
          answer({ path, query, method, body, headers }) {
            if (path === '/throw') throw new Error('no');
            if (path === '/header') return { status: 200, headers: { a: '\n' }, body: '' };
            if (path === '/hang') {
              asked.resolve();
              return { status: 200, body: '', hang: true };
            }
            return { status: 201, body: JSON.stringify({ path, method, body, q: query.get('q'), a: headers['x-a'] }) };
          },
        },
      ],
    });
    expect((await fetch(`${own.url}/x/throw`)).status).toBe(500);
    await expect(fetch(`${own.url}/x/header`)).rejects.toThrow();
    const began = performance.now();
    const echo = await fetch(`${own.url}/x/a%20b?q=1`, { method: 'POST', body: 'é', headers: { 'x-a': '2' } });
    expect(performance.now() - began).toBeGreaterThan(50);
    expect([echo.status, await echo.json()]).toEqual([
      201,
      { path: '/a b', method: 'POST', body: 'é', q: '1', a: '2' },
    ]);
    const hanging = expect(fetch(`${own.url}/x/hang`)).rejects.toThrow();
    await asked.promise;
    await own.close();
    await hanging;
  });

  test('has all paths and operations of the carriers’ documents', async () => {
    for (const [carrier, operations] of [
      ['gls', ['checkAddress', 'trackShipment']],
      ['brt', ['routeShipment', 'trackParcel']],
    ] as const) {
      const document = parse(readFileSync(new URL(`../../schema/carriers/${carrier}.yaml`, import.meta.url), 'utf8'));
      expect(document.openapi).toBe('3.0.3');
      const found: string[] = [];
      for (const [path, methods] of Object.entries<Record<string, { operationId: string }>>(document.paths)) {
        for (const [method, { operationId }] of Object.entries(methods)) {
          found.push(operationId);
          const answer = await ask(`/${carrier}${path}`, { method: method.toUpperCase() });
          expect([404, 405]).not.toContain(answer.status);
          const wrong = await ask(`/${carrier}${path}`, { method: 'DELETE' });
          expect(wrong.status).toBe(405);
        }
      }
      expect(found).toEqual(operations);
    }
  });
});

test('A walk of the demo is shipped when its carrier says so, and not after its delivery', () => {
  const walks = SHIPMENTS.filter(({ trackingNumber }) => trackingNumber.startsWith('WALK'));
  expect(walks.map(({ shippedHoursAgo }) => shippedHoursAgo)).toEqual([undefined]);
});
