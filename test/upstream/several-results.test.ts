import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CarrierCode } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import { readAnswer } from '../../src/upstream/read-answer.ts';
import { runs } from '../support/property-runs.ts';

// Holds that carriers may respond about a number with several shipments, packages or results, in any order.

const OURS = '1Z5R29A70498765432';

interface Part {
  readonly number: string;
  readonly day: number;
}

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}`;

const CARRIERS: readonly (readonly [CarrierCode, (parts: readonly Part[]) => unknown])[] = [
  [
    'DHL',
    parts => ({
      shipments: parts.map(part => ({
        shipmentTrackingNumber: part.number,
        events: [{ date: day(part.day), time: '12:00:00', GMTOffset: '+00:00', typeCode: 'DF', serviceArea: [] }],
      })),
    }),
  ],
  [
    'UPS',
    parts => ({
      trackResponse: {
        shipment: parts.map(part => ({
          inquiryNumber: OURS,
          package: [
            {
              trackingNumber: part.number,
              activity: [{ gmtDate: day(part.day), gmtTime: '12:00:00', status: { type: 'I', statusCode: '005' } }],
            },
          ],
        })),
      },
    }),
  ],
  [
    'FEDEX',
    parts => ({
      output: {
        completeTrackResults: [
          {
            trackingNumber: OURS,
            trackResults: parts.map(part => ({
              trackingNumberInfo: { trackingNumber: part.number },
              scanEvents: [{ date: `${day(part.day)}T12:00:00+00:00`, eventType: 'DP' }],
            })),
          },
        ],
      },
    }),
  ],
];

const anyPart = fc.record({
  number: fc.constantFrom(OURS, '1Z5R29A70498765499', '1Z5R29A70498765488'),
  day: fc.integer({ min: 1, max: 20 }),
});

describe.each(CARRIERS)('A response of %s', (carrier, bodyOf) => {
  test('with several parts is read for the newest one of the number, and for no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPart, { minLength: 1, maxLength: 5 }), async parts => {
        const bytes = Buffer.from(JSON.stringify(bodyOf(parts)));
        const finding = await readAnswer(carrier, { trackingNumber: OURS }, { status: 200, headers: {}, bytes });
        const ours = parts.filter(({ number }) => number === OURS).map(part => part.day);
        expect(finding?.kind).toBe(ours.length === 0 ? 'not_found' : 'events');
        const times = finding?.kind === 'events' ? finding.events.map(event => Date.parse(event.timestamp)) : [];
        const newest = ours.length === 0 ? [] : [Date.parse(`${day(Math.max(...ours))}T12:00:00Z`)];
        expect(times).toEqual(newest);
      }),
      { numRuns: runs(30) },
    );
  });
});
