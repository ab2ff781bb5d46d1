import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { STATUS_LABELS, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { record } from '../graphql/step-calls.ts';
import { askedAt, connectSandbox } from '../support/carriers.ts';
import { shipment, upsertShipments } from '../support/platform-side.ts';
import { REACHABLE, type Received, type Reply, useReceiver } from '../support/receiver.ts';
import { DAY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { brtAnswer, dhlAnswer, fedexAnswer, glsAnswer, type Scan, upsAnswer } from './carrier-answers.ts';
import { followedJourneys } from './followed-journeys.ts';
import { after, ago, type Journey } from './journey.ts';
import { usePolls } from './polls.ts';
import { posteJourneys } from './poste-journeys.ts';
import { createWebhook, deliveries, eventually } from './webhooks.ts';

// Journeys of shipments end to end: a server plays the carriers' published shapes of answers, poll by poll, and another
// one receives the webhooks.

const LEFT: Scan = ['2026-11-23', '', '902', 'Partita dalla sede mittente.', 'SALERNO'];

const journeys: readonly Journey[] = [
  {
    that: 'BRT delivers after an absent recipient',
    carrier: 'BRT',
    number: '088001600000001',
    polls: after(
      [2, 3, 5],
      [
        ['2026-11-23', '18:20', '701', 'RITIRATA', 'MILANO'],
        ['2026-11-24', '07:15', 'MIC', 'IN CONSEGNA', 'PALERMO'],
        ['2026-11-24', '11:00', 'AVV', 'Destin.Assente:LASCIATO AVVISO', 'PALERMO'],
        ['2026-11-25', '07:15', 'MIC', 'IN CONSEGNA', 'PALERMO'],
        ['2026-11-25', '10:30', '704', 'CONSEGNATA', 'PALERMO'],
      ],
      brtAnswer,
    ),
    timeline: [
      'shipped 2026-11-23T17:20:00Z',
      'out_for_delivery 2026-11-24T06:15:00Z',
      'delivery_failed 2026-11-24T10:00:00Z',
      'out_for_delivery 2026-11-25T06:15:00Z',
      'delivered 2026-11-25T09:30:00Z',
    ],
    deliveredDate: '2026-11-25T09:30:00Z',
    webhooks: [
      'order_shipped shipped',
      'out_for_delivery out_for_delivery',
      'delivery_failed delivery_failed',
      'out_for_delivery out_for_delivery',
      'delivered delivered',
    ],
    isAskedOn: false,
  },
  {
    that: 'BRT delivers in part, and the rest a day later',
    carrier: 'BRT',
    number: '088001600000002',
    polls: after(
      [2, 3],
      [
        ['2026-11-25', '07:15', 'MIC', 'IN CONSEGNA', 'PALERMO'],
        ['2026-11-25', '10:30', 'P', 'CONSEGNATA PARZIALMENTE', 'PALERMO'],
        ['2026-11-26', '09:10', '704', 'CONSEGNATA', 'PALERMO'],
      ],
      brtAnswer,
    ),
    timeline: [
      'out_for_delivery 2026-11-25T06:15:00Z',
      'in_transit 2026-11-25T09:30:00Z',
      'delivered 2026-11-26T08:10:00Z',
    ],
    deliveredDate: '2026-11-26T08:10:00Z',
    webhooks: ['out_for_delivery out_for_delivery', 'in_transit in_transit', 'delivered delivered'],
    isAskedOn: false,
  },
  {
    that: 'BRT holds at its depot, where nobody collects it, and brings back',
    carrier: 'BRT',
    number: '088001600000003',
    polls: after(
      [1, 2, 3, 4],
      [
        [ago(6), '04:10', '703', 'ARRIVATA IN FILIALE', 'PALERMO'],
        [ago(4), '18:00', '032', 'FERMO DEPOSITO:NESSUNO RITIRA', 'PALERMO'],
        [ago(3), '18:00', '708', 'RESO AL MITTENTE', 'PALERMO'],
        [ago(1), '09:00', '704', 'CONSEGNATA', 'MILANO'],
      ],
      brtAnswer,
    ),
    timeline: ['at_depot', 'held', 'returning', 'returned'],
    deliveredDate: null,
    webhooks: ['in_transit at_depot', 'delivery_failed held'],
    isAskedOn: true,
  },
  {
    that: 'GLS dates by its day alone at first, and then delivers',
    carrier: 'GLS',
    number: '662400004',
    polls: [
      glsAnswer('662400004', [LEFT]),
      glsAnswer('662400004', [
        LEFT,
        ['2026-11-23', '19:05', '903', 'Arrivata nella sede GLS locale.', 'SALERNO'],
        ['2026-11-24', '07:30', '905', 'Consegna prevista nel corso della giornata odierna.', 'BOLZANO'],
        ['2026-11-24', '12:15', '906', 'Consegnata.', 'BOLZANO'],
      ]),
    ],
    timeline: [
      'shipped 2026-11-23T18:04:59.999Z',
      'in_transit 2026-11-23T18:05:00Z',
      'out_for_delivery 2026-11-24T06:30:00Z',
      'delivered 2026-11-24T11:15:00Z',
    ],
    deliveredDate: '2026-11-24T11:15:00Z',
    webhooks: [
      'order_shipped shipped',
      'in_transit in_transit',
      'out_for_delivery out_for_delivery',
      'delivered delivered',
    ],
    isAskedOn: false,
  },
  {
    that: 'GLS delivers abroad without codes, as its header says',
    carrier: 'GLS',
    number: '662400005',
    polls: [
      glsAnswer('662400005', [['2026-11-23', '19:05', '902', 'Partita dalla sede mittente.', 'SALERNO']]),
      glsAnswer('662400005', [['2026-11-23', '19:05', '902', 'Partita dalla sede mittente.', 'SALERNO']], {
        abroad: [['2026-11-25', '22:00', '', 'Il pacco ha lasciato la sede GLS: in transito.', 'Verona - Italia']],
      }),
      glsAnswer('662400005', [['2026-11-23', '19:05', '902', 'Partita dalla sede mittente.', 'SALERNO']], {
        abroad: [
          ['2026-11-25', '22:00', '', 'Il pacco ha lasciato la sede GLS: in transito.', 'Verona - Italia'],
          ['2026-11-26', '10:12', '', 'Zugestellt.', 'Linz - Austria'],
        ],
        state: 'Consegnato',
        day: '2026-11-26',
        time: '10:12',
      }),
    ],
    timeline: [
      'shipped 2026-11-23T18:05:00Z',
      'in_transit 2026-11-25T21:00:00Z',
      'unknown 2026-11-26T09:12:00Z',
      'delivered 2026-11-26T09:12:00Z',
    ],
    deliveredDate: '2026-11-26T09:12:00Z',
    webhooks: ['order_shipped shipped', 'in_transit in_transit', 'delivered delivered'],
    isAskedOn: false,
  },
  {
    that: 'DHL flies westwards to Sydney, earlier by the clocks there, and on to Auckland',
    carrier: 'DHL',
    number: '4811200006',
    polls: after(
      [2, 4, 7],
      [
        ['2026-11-08', '22:10', 'DF', 'Partita', 'AKL AUCKLAND-NZ +13:00'],
        ['2026-11-08', '21:40', 'AF', 'Arrivata', 'SYD SYDNEY-AU +11:00'],
        ['2026-11-09', '21:28', 'DF', 'Partita', 'SYD SYDNEY-AU +11:00'],
        ['2026-11-09', '23:49', 'RR', 'Dogana aggiornata', 'AUC AUCKLAND-NZ +13:00'],
        ['2026-11-10', '04:18', 'CR', 'Sdoganata', 'AUC AUCKLAND-NZ +13:00'],
        ['2026-11-10', '10:50', 'WC', 'In consegna', 'AUC AUCKLAND-NZ +13:00'],
        ['2026-11-10', '11:59', 'OK', 'Consegnata', 'AUC AUCKLAND-NZ +13:00'],
      ],
      scans => dhlAnswer('4811200006', scans),
    ),
    timeline: [
      'in_transit 2026-11-08T09:10:00Z',
      'in_transit 2026-11-08T10:40:00Z',
      'in_transit 2026-11-09T10:28:00Z',
      'customs 2026-11-09T10:49:00Z',
      'customs 2026-11-09T15:18:00Z',
      'out_for_delivery 2026-11-09T21:50:00Z',
      'delivered 2026-11-09T22:59:00Z',
    ],
    deliveredDate: '2026-11-09T22:59:00Z',
    webhooks: [
      'in_transit in_transit',
      'in_transit customs',
      'out_for_delivery out_for_delivery',
      'delivered delivered',
    ],
    isAskedOn: false,
  },
  {
    that: 'its recipient collects at DHL',
    carrier: 'DHL',
    number: '4811200007',
    polls: after(
      [1, 2, 3],
      [
        ['2026-11-20', '08:00', 'PU', 'Ritirata', 'BER BERGAMO-IT +01:00'],
        ['2026-11-21', '10:30', 'CC', 'In attesa di ritiro', 'BER BERGAMO-IT +01:00'],
        ['2026-11-23', '16:05', 'OK', 'Consegnata', 'BER BERGAMO-IT +01:00'],
      ],
      scans => dhlAnswer('4811200007', scans),
    ),
    timeline: ['shipped 2026-11-20T07:00:00Z', 'pickup_point 2026-11-21T09:30:00Z', 'delivered 2026-11-23T15:05:00Z'],
    deliveredDate: '2026-11-23T15:05:00Z',
    webhooks: ['order_shipped shipped', 'pickup_point pickup_point', 'delivered delivered'],
    isAskedOn: false,
  },
  {
    that: 'UPS reports damaged, and delivers a day later',
    carrier: 'UPS',
    number: '1Z5R29A70400000008',
    polls: after(
      [1, 2, 3],
      [
        ['2026-11-20', '18:00', 'I038', 'Ritirato', 'Milano MI IT'],
        ['2026-11-23', '12:00', 'X059', 'Danno segnalato', 'Milano MI IT'],
        ['2026-11-24', '10:15', 'D011', 'CONSEGNATO', 'Palermo PA IT'],
      ],
      scans => upsAnswer('1Z5R29A70400000008', scans),
    ),
    timeline: ['shipped 2026-11-20T17:00:00Z', 'held 2026-11-23T11:00:00Z', 'delivered 2026-11-24T09:15:00Z'],
    deliveredDate: '2026-11-24T09:15:00Z',
    webhooks: ['order_shipped shipped', 'delivery_failed held', 'delivered delivered'],
    isAskedOn: false,
  },
  {
    that: 'UPS brings back',
    carrier: 'UPS',
    number: '1Z5R29A70400000009',
    polls: after(
      [1, 2, 3, 4],
      [
        [ago(6), '18:00', 'I038', 'Ritirato', 'Milano MI IT'],
        [ago(4), '10:15', 'X035', 'Reso', 'Palermo PA IT'],
        [ago(3), '10:15', 'I036', 'Reso in transito', 'Roma RM IT'],
        [ago(1), '10:15', 'D011', 'CONSEGNATO', 'Milano MI IT'],
      ],
      scans => upsAnswer('1Z5R29A70400000009', scans),
    ),
    timeline: ['shipped', 'returning', 'returning', 'returned'],
    deliveredDate: null,
    webhooks: ['order_shipped shipped'],
    isAskedOn: true,
  },
  {
    that: 'UPS carries through three states of America, each with its own clock',
    carrier: 'UPS',
    number: '1Z5R29A70400000010',
    polls: after(
      [1, 2, 3, 4],
      [
        ['2026-11-19', '20:00', 'I005', 'On the Way', 'CHICAGO IL US'],
        ['2026-11-20', '19:30', 'I005', 'On the Way', 'DENVER CO US'],
        ['2026-11-21', '08:20', 'I146', 'Out for Delivery', 'PORTLAND OR US'],
        ['2026-11-21', '11:00', 'D011', 'DELIVERED', 'PORTLAND OR US'],
      ],
      scans => upsAnswer('1Z5R29A70400000010', scans),
    ),
    timeline: [
      'in_transit 2026-11-20T02:00:00Z',
      'in_transit 2026-11-21T02:30:00Z',
      'out_for_delivery 2026-11-21T16:20:00Z',
      'delivered 2026-11-21T19:00:00Z',
    ],
    deliveredDate: '2026-11-21T19:00:00Z',
    webhooks: ['in_transit in_transit', 'out_for_delivery out_for_delivery', 'delivered delivered'],
    isAskedOn: false,
  },
  {
    that: 'FedEx brought back longer than a week ago',
    carrier: 'FEDEX',
    number: '794612300011',
    polls: after(
      [1, 2, 3],
      [
        [ago(12), '08:52', 'OD', 'In consegna', 'CLOVIS'],
        [ago(11), '09:00', 'RS', 'Reso', 'CLOVIS'],
        [ago(9), '09:00', 'DL', 'Consegnato', 'FRESNO'],
      ],
      scans => fedexAnswer('794612300011', scans),
    ),
    coding: 'gzip',
    timeline: ['out_for_delivery', 'returning', 'returned'],
    deliveredDate: null,
    webhooks: ['out_for_delivery out_for_delivery'],
    isAskedOn: false,
  },
  {
    that: 'FedEx has two results for, in compressed answers, and the second has the newest scan',
    carrier: 'FEDEX',
    number: '794612300012',
    polls: [
      fedexAnswer(
        '794612300012',
        [['2026-08-03', '07:50', 'DL', 'Consegnato', 'CLOVIS']],
        [['2026-11-20', '08:52', 'OD', 'In consegna', 'CLOVIS']],
      ),
      fedexAnswer(
        '794612300012',
        [['2026-08-03', '07:50', 'DL', 'Consegnato', 'CLOVIS']],
        [
          ['2026-11-20', '08:52', 'OD', 'In consegna', 'CLOVIS'],
          ['2026-11-20', '09:26', 'DL', 'Consegnato', 'CLOVIS'],
        ],
      ),
    ],
    coding: 'gzip',
    timeline: ['out_for_delivery 2026-11-20T16:52:00Z', 'delivered 2026-11-20T17:26:00Z'],
    deliveredDate: '2026-11-20T17:26:00Z',
    webhooks: ['out_for_delivery out_for_delivery', 'delivered delivered'],
    isAskedOn: false,
  },
  {
    that: 'FedEx delays by an exception, and delivers',
    carrier: 'FEDEX',
    number: '794612300013',
    polls: after(
      [1, 2, 3],
      [
        ['2026-11-19', '14:25', 'PU', 'Ritirato', 'CLOVIS'],
        ['2026-11-20', '08:52', 'SE', 'Novità', 'CLOVIS'],
        ['2026-11-21', '09:26', 'DL', 'Consegnato', 'CLOVIS'],
      ],
      scans => fedexAnswer('794612300013', scans),
    ),
    timeline: ['shipped 2026-11-19T22:25:00Z', 'delayed 2026-11-20T16:52:00Z', 'delivered 2026-11-21T17:26:00Z'],
    deliveredDate: '2026-11-21T17:26:00Z',
    webhooks: ['order_shipped shipped', 'delay delayed', 'delivered delivered'],
    isAskedOn: false,
  },
  {
    that: 'BRT gives an unpublished code, in compressed answers',
    carrier: 'BRT',
    number: '088001600000014',
    polls: after(
      [1, 2],
      [
        ['2026-11-23', '21:40', '702', 'PARTITA', 'MILANO'],
        ['2026-11-24', '09:00', 'Q17', 'SEGNALAZIONE Q17', 'ROMA'],
      ],
      brtAnswer,
    ),
    coding: 'gzip',
    timeline: ['in_transit 2026-11-23T20:40:00Z', 'unknown 2026-11-24T08:00:00Z'],
    status: 'in_transit',
    deliveredDate: null,
    webhooks: ['in_transit in_transit'],
    isAskedOn: true,
  },
  ...posteJourneys,
  ...followedJourneys,
];

const ROUNDS = Math.max(...journeys.map(({ polls }) => polls.length));
const carriers = useReceiver();
const subscriber = useReceiver();
const world = useWorld(Object.assign(askedAt(carriers), REACHABLE));
const { pollAfter } = usePolls(world);

let caller: Caller;
let round = 0;
/** The rounds in which each number was asked about. */
const asked = new Map<string, Set<number>>();

function answerOf(request: Received): Reply {
  const json = { 'content-type': 'application/json' };
  if (/\/token$|user\/sessions/.test(request.path)) {
    const token = { access_token: 'token', token_type: 'Bearer', expires_in: 3600 };
    return { headers: json, body: JSON.stringify(token) };
  }
  const journey = journeys.find(({ number }) => (request.path + request.body.toString()).includes(number));
  if (!journey) return { status: 404 };
  const { carrier, number, polls, coding } = journey;
  asked.set(number, (asked.get(number) ?? new Set()).add(round));
  const body = polls[Math.min(round, polls.length - 1)] ?? '';
  const headers = carrier === 'GLS' ? { 'content-type': 'text/xml' } : json;
  return coding ? { headers: { ...headers, 'content-encoding': coding }, body: gzipSync(body) } : { headers, body };
}

const told = (number: string) => subscriber.requests.filter(({ json }) => json.data.trackingNumber === number);
const seconds = (time: string) => time.replace('.000Z', 'Z');

beforeAll(async () => {
  carriers.answer(answerOf);
  caller = await world.sandbox();
  const { id } = await createWebhook(caller, subscriber.url);
  const connections = new Map<string, number>();
  for (const { carrier, number } of journeys) {
    // FedEx is asked about several numbers at a time, so each has a connection of its own.
    const label = carrier === 'FEDEX' ? `${carrier} ${number}` : carrier;
    const connection = connections.get(label) ?? (await connectSandbox(caller, carrier, { label }));
    connections.set(label, connection);
    // The polling of a shipment ends 60 days after its date, which is today however old the answers are.
    await upsertShipments(caller, [shipment(connection, number, { shippedAt: new Date().toISOString() })]);
  }
  // One round more than there are answers shows which are asked on.
  for (round = 0; round <= ROUNDS; round++) {
    await pollAfter(caller, 2 * DAY);
    const open = async () => (await deliveries(caller, id)).filter(({ status }) => status !== 'success').length;
    await eventually(async () => ({ open: await open() }), { open: 0 });
  }
});

test.each(journeys.map(one => [one.that, one] as const))(
  'A shipment that %s has the right record and webhooks, and is polled until the right moment',
  async (_, journey) => {
    const { number, timeline, deliveredDate, webhooks, isAskedOn } = journey;
    const { status = timeline.at(-1)?.split(' ')[0] } = journey;
    const shown = await record(caller, number);
    const items = shown.timeline.map(
      ({ statusCode, timestamp }: { statusCode: string; timestamp: string }, n: number) =>
        timeline[n]?.includes(' ') ? `${statusCode} ${seconds(timestamp)}` : statusCode,
    );
    expect(items).toEqual(timeline);
    expect(shown.status).toBe(STATUS_LABELS[status as StatusCode]);
    expect(shown.deliveredDate && seconds(shown.deliveredDate)).toBe(deliveredDate);
    // Webhooks of one poll may overtake each other on the way.
    const arrived = told(number).map(({ json }) => json);
    const inOrder = arrived.toSorted((one, other) => one.sequence - other.sequence);
    expect(inOrder.map(({ type, data }) => `${type.replace('tracking.', '')} ${data.statusCode}`)).toEqual(webhooks);
    expect(inOrder.map(({ data }) => data.event.statusCode)).toEqual(inOrder.map(({ data }) => data.statusCode));
    const polled = asked.get(number);
    expect(polled?.has(ROUNDS)).toBe(isAskedOn);
    // Asked until the last of its answers had come.
    expect([...(polled ?? [])]).toEqual(expect.arrayContaining(journey.polls.map((_, n) => n)));
  },
);
