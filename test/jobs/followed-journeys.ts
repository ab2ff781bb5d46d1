import { amazonAnswer, inpostAnswer } from './carrier-answers.ts';
import { after, ago, type Journey } from './journey.ts';

// Journeys of shipments with InPost and Amazon, for `carrier-journeys.test.ts`.

export const followedJourneys: readonly Journey[] = [
  {
    that: 'InPost, which asks for no account, carries from locker to locker',
    carrier: 'INPOST',
    number: '843534300000000000000015',
    polls: after(
      [1, 3, 5, 6],
      [
        ['2026-11-23', '18:00', 'confirmed', '', ''],
        ['2026-11-24', '09:40', 'dispatched_by_sender', '', ''],
        ['2026-11-24', '20:15', 'sent_from_source_branch', '', ''],
        ['2026-11-26', '06:30', 'out_for_delivery', '', ''],
        ['2026-11-26', '10:12', 'ready_to_pickup', '', ''],
        ['2026-11-26', '18:05', 'delivered', '', ''],
      ],
      scans => inpostAnswer('843534300000000000000015', scans),
    ),
    timeline: [
      'created 2026-11-23T17:00:00Z',
      'shipped 2026-11-24T08:40:00Z',
      'in_transit 2026-11-24T19:15:00Z',
      'out_for_delivery 2026-11-26T05:30:00Z',
      'pickup_point 2026-11-26T09:12:00Z',
      'delivered 2026-11-26T17:05:00Z',
    ],
    deliveredDate: '2026-11-26T17:05:00Z',
    webhooks: [
      'order_shipped shipped',
      'in_transit in_transit',
      'out_for_delivery out_for_delivery',
      'pickup_point pickup_point',
      'delivered delivered',
    ],
    isAskedOn: false,
  },
  {
    that: 'Amazon delivers after an attempt',
    carrier: 'AMAZON',
    number: 'IT2978240016',
    polls: after(
      [2, 4, 6],
      [
        ['2026-11-23', '17:00', 'ReadyForReceive', '', 'Milano'],
        ['2026-11-24', '15:30', 'PickupDone', '', 'Milano'],
        ['2026-11-25', '07:00', 'OutForDelivery', '', 'Palermo'],
        ['2026-11-25', '11:10', 'DeliveryAttempted', '', 'Palermo'],
        ['2026-11-26', '07:00', 'OutForDelivery', '', 'Palermo'],
        ['2026-11-26', '10:20', 'Delivered', '', 'Palermo'],
      ],
      scans => amazonAnswer('IT2978240016', scans),
    ),
    timeline: [
      'created 2026-11-23T17:00:00Z',
      'shipped 2026-11-24T15:30:00Z',
      'out_for_delivery 2026-11-25T07:00:00Z',
      'delivery_failed 2026-11-25T11:10:00Z',
      'out_for_delivery 2026-11-26T07:00:00Z',
      'delivered 2026-11-26T10:20:00Z',
    ],
    deliveredDate: '2026-11-26T10:20:00Z',
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
    that: 'Amazon brings back, out for delivery to its sender',
    carrier: 'AMAZON',
    number: 'IT2978240017',
    polls: after(
      [1, 2, 4, 5],
      [
        [ago(6), '15:30', 'PickupDone', '', 'Milano'],
        [ago(5), '11:10', 'Rejected', '', 'Palermo'],
        [ago(4), '12:00', 'RETURNS ReturnInitiated', '', 'Palermo'],
        [ago(2), '07:00', 'RETURNS OutForDelivery', '', 'Milano'],
        [ago(2), '10:20', 'RETURNS Delivered', '', 'Milano'],
      ],
      scans => amazonAnswer('IT2978240017', scans),
    ),
    timeline: ['shipped', 'refused', 'returning', 'returning', 'returned'],
    deliveredDate: null,
    webhooks: ['order_shipped shipped', 'delivery_failed refused'],
    isAskedOn: true,
  },
];
