import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { RECIPIENT } from './platform.ts';
import { type Chapter, given, hasFields, isInstant, isProblem, type Trial } from './statement.ts';

const RECORD = [
  ...['trackingNumber', 'status', 'shipmentDate', 'expectedDeliveryDate', 'deliveredDate', 'parcelNumber'],
  ...['weight', 'volume', 'trackingUrl', 'orderNumber', 'marketplaceOrderNumber', 'carrier', 'recipient', 'timeline'],
];
const RECIPIENT_FIELDS = ['companyName', 'address', 'postalCode', 'city', 'province', 'country', 'countryCode'];
const ENTRY = ['timestamp', 'statusCode', 'label', 'description', 'location', 'note'];

const MINUTE = 60_000;
/** A number that no other shipment has. */
const fresh = () => `CF${randomBytes(6).toString('hex').toUpperCase()}`;
/** So many minutes ago. */
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();

const byNumber = ({ call }: Trial, number: string) =>
  call('GET', `/shipments/tracking/by-tracking-number/${encodeURIComponent(number)}`);
const byOrder = ({ call }: Trial, number: string) =>
  call('GET', `/shipments/tracking/by-order-number/${encodeURIComponent(number)}`);

/** A new shipment with events at these minutes ago, in the order in which they arrive. Returns its number. */
async function tracked(
  { platform }: Trial,
  events: readonly (readonly [statusCode: string, minutesAgo: number])[] = [],
  fields: object = {},
): Promise<string> {
  const trackingNumber = fresh();
  await given(platform).shipment({ trackingNumber, ...fields });
  for (const [statusCode, minutes] of events) {
    await given(platform).events([{ trackingNumber, statusCode: statusCode.toUpperCase(), occurredAt: ago(minutes) }]);
  }
  return trackingNumber;
}

export const tracking: Chapter = {
  title: 'Tracking',
  statements: [
    {
      id: 'T1',
      promise: 'A record has the fourteen fields, and `carrier`, `recipient` and each entry of `timeline` have theirs.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const { status, body } = await byNumber(trial, await tracked(trial, [['shipped', 60]]));
        equal(status, 200);
        hasFields(body, RECORD);
        hasFields(body.carrier, ['name', 'logoUrl']);
        hasFields(body.recipient, RECIPIENT_FIELDS);
        deepEqual([body.recipient.country, body.recipient.countryCode], ['Italia', 'IT']);
        for (const entry of body.timeline) {
          hasFields(entry, ENTRY);
          isInstant(entry.timestamp);
        }
      },
    },
    {
      id: 'T2',
      promise: "The recipient's e-mail and telephone are never in a response.",
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const { text } = await byNumber(trial, await tracked(trial));
        for (const secret of [RECIPIENT.email, RECIPIENT.telephone]) ok(!text.includes(secret), `${secret} is in it`);
      },
    },
    {
      id: 'T3',
      promise: '`weight` and `volume` are decimal strings, or null.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const number = await tracked(trial, [], { weight: '2.5', volume: '24000' });
        const { body } = await byNumber(trial, number);
        deepEqual([body.weight, body.volume], ['2.5', '24000']);
        const { body: bare } = await byNumber(trial, await tracked(trial));
        deepEqual([bare.weight, bare.volume], [null, null]);
      },
    },
    {
      id: 'T4',
      promise: 'A number is found in any case, with spaces and dots, and with or without a leading `MUL`.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const number = await tracked(trial);
        const parted = `${number.slice(0, 4)} ${number.slice(4, 8)}.${number.slice(8)}`;
        for (const sent of [number.toLowerCase(), parted, `MUL${number}`]) {
          equal((await byNumber(trial, sent)).body.trackingNumber, number, sent);
        }
      },
    },
    {
      id: 'T5',
      promise:
        'A shipment is found by a secondary label, `parcelId`, `reference`, `marketplaceOrderId` and `marketplaceOrderNumber` too.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const [label, parcelId, reference, orderNumber] = [fresh(), fresh(), fresh(), fresh()];
        const [marketplaceOrderId, marketplaceOrderNumber] = [fresh(), fresh()];
        await given(trial.platform).order({ orderNumber, marketplaceOrderId, marketplaceOrderNumber });
        const number = await tracked(trial, [], { labels: [label], parcelId, reference, orderNumber });
        for (const sent of [label, parcelId, reference, marketplaceOrderId, marketplaceOrderNumber]) {
          equal((await byNumber(trial, sent)).body.trackingNumber, number);
        }
      },
    },
    {
      id: 'T6',
      promise: 'Numbers rank: a main number is found before a `reference` of the same text.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const number = await tracked(trial);
        await tracked(trial, [], { reference: number });
        equal((await byNumber(trial, number)).body.trackingNumber, number);
      },
    },
    {
      id: 'T7',
      promise: 'A number that the company does not have is 404 `shipment_not_found`.',
      source: 'decision',
      holds: async trial => isProblem(await byNumber(trial, fresh()), 404, 'shipment_not_found'),
    },
    {
      id: 'T8',
      promise: 'A shipment of another company does not exist.',
      source: 'specification',
      needs: ['platform', 'other company'],
      holds: async trial => {
        const number = await tracked(trial);
        const theirs = { ...trial, call: trial.callAs(given(trial.otherKey)) };
        isProblem(await byNumber(theirs, number), 404, 'shipment_not_found');
      },
    },
    {
      id: 'T9',
      promise:
        "By the marketplace's order number: the shipments of each order that has exactly this number, oldest first.",
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const marketplaceOrderNumber = `${fresh()}-a`;
        const numbers: string[] = [];
        for (const orderNumber of [fresh(), fresh()]) {
          await given(trial.platform).order({ orderNumber, marketplaceOrderNumber });
          numbers.push(await tracked(trial, [], { orderNumber }));
        }
        const { body } = await byOrder(trial, marketplaceOrderNumber);
        deepEqual(
          body.map(({ trackingNumber }: { trackingNumber: string }) => trackingNumber),
          numbers,
        );
        isProblem(await byOrder(trial, marketplaceOrderNumber.toUpperCase()), 404, 'order_not_found');
      },
    },
    {
      id: 'T10',
      promise:
        'An internal order number is not found there, and the 404 says so. An order without a shipment is 404 as well.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const [orderNumber, marketplaceOrderNumber] = [fresh(), fresh()];
        await given(trial.platform).order({ orderNumber, marketplaceOrderNumber });
        const internal = await byOrder(trial, orderNumber);
        isProblem(internal, 404, 'order_not_found');
        ok(/marketplace/.test(internal.body.detail), internal.body.detail);
        isProblem(await byOrder(trial, marketplaceOrderNumber), 404, 'shipment_not_found');
      },
    },
    {
      id: 'T11',
      promise:
        'The timeline runs from oldest to newest, and the newest event by its own time, not by arrival, gives the status.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const number = await tracked(trial, [
          ['shipped', 50],
          ['out_for_delivery', 10],
          ['in_transit', 30],
        ]);
        const { body } = await byNumber(trial, number);
        deepEqual(
          [codes(body), body.status],
          [['shipped', 'in_transit', 'out_for_delivery'], body.timeline.at(-1).label],
        );
      },
    },
    {
      id: 'T12',
      promise:
        'After a final status, a later event enters the timeline and changes nothing, unless it is final, `returning` or `refused`.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const number = await tracked(trial, [
          ['delivered', 50],
          ['in_transit', 40],
        ]);
        const { body } = await byNumber(trial, number);
        deepEqual([codes(body), body.status], [['delivered', 'in_transit'], body.timeline[0].label]);
        await given(trial.platform).events([{ trackingNumber: number, statusCode: 'RETURNING', occurredAt: ago(30) }]);
        const { body: returning } = await byNumber(trial, number);
        equal(returning.status, returning.timeline.at(-1).label);
      },
    },
    {
      id: 'T13',
      promise: '`deliveredDate` is the time of the first `delivered` event, and null before.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        equal((await byNumber(trial, await tracked(trial, [['shipped', 60]]))).body.deliveredDate, null);
        const number = await tracked(trial, [
          ['delivered', 50],
          ['delivered', 40],
        ]);
        const { body } = await byNumber(trial, number);
        equal(body.deliveredDate, body.timeline[0].timestamp);
      },
    },
    {
      id: 'T14',
      promise: '`shipmentDate` is what was stated, else the time of the first `shipped` event.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const { body } = await byNumber(trial, await tracked(trial, [['shipped', 60]]));
        equal(body.shipmentDate, body.timeline[0].timestamp);
      },
    },
    {
      id: 'T15',
      promise: 'An event that is sent twice is stored once.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const trackingNumber = await tracked(trial);
        const event = { trackingNumber, statusCode: 'SHIPPED', occurredAt: ago(20), location: 'Milano' };
        const outcomes = (await given(trial.platform).events([event, event])).map(({ outcome }) => outcome);
        deepEqual(outcomes, ['CREATED', 'UNCHANGED']);
        equal((await byNumber(trial, trackingNumber)).body.timeline.length, 1);
      },
    },
    {
      id: 'T16',
      promise:
        'An event more than 24 hours ahead of the clock is rejected with a pointer, and the others of the batch are stored.',
      source: 'decision',
      needs: ['platform'],
      holds: async trial => {
        const trackingNumber = await tracked(trial);
        const event = { trackingNumber, statusCode: 'SHIPPED' };
        const results = await given(trial.platform).events([
          { ...event, occurredAt: ago(-25 * 60) },
          { ...event, occurredAt: ago(20) },
        ]);
        deepEqual(
          results.map(({ outcome, pointer }) => [outcome, pointer?.includes('occurredAt') ?? false]),
          [
            ['REJECTED', true],
            ['CREATED', false],
          ],
        );
      },
    },
    {
      id: 'T17',
      promise: '`relatedShipments` is absent where there are none, and has five fields where there are.',
      source: 'specification',
      needs: ['platform'],
      holds: async trial => {
        const child = await tracked(trial);
        equal('relatedShipments' in (await byNumber(trial, child)).body, false);
        const relatedShipments = [{ type: 'FORWARD', trackingNumber: child }];
        const { body } = await byNumber(trial, await tracked(trial, [], { relatedShipments }));
        hasFields(body.relatedShipments[0], ['id', 'type', 'trackingNumber', 'carrierName', 'createdAt']);
        deepEqual([body.relatedShipments[0].type, body.relatedShipments[0].trackingNumber], ['forward', child]);
      },
    },
  ],
};

function codes({ timeline }: { timeline: readonly { statusCode: string }[] }): string[] {
  return timeline.map(({ statusCode }) => statusCode);
}
