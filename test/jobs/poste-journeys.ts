import { posteAnswer } from './carrier-answers.ts';
import { after, ago, type Journey } from './journey.ts';

// Journeys of shipments with Poste and SDA, for `carrier-journeys.test.ts`.

export const posteJourneys: readonly Journey[] = [
  {
    that: 'Poste does not know yet, tries to deliver, holds and delivers',
    carrier: 'POSTE',
    number: '2805A0000015',
    polls: after(
      [0, 2, 4, 5, 6],
      [
        ['2026-11-23', '16:00', '000 PRESA IN CARICO', 'La spedizione è stata presa in carico', 'ROMA'],
        ['2026-11-24', '22:10', 'PCP IN TRANSITO', 'In transito presso il Centro Operativo Postale', 'BARI'],
        ['2026-11-25', '07:55', '009 IN CONSEGNA', 'La spedizione è in consegna', 'LECCE'],
        ['2026-11-25', '11:20', '009 IN CONSEGNA', 'Consegna non andata a buon fine', 'LECCE'],
        ['2026-11-25', '17:00', '003 IN CONSEGNA', '', 'LECCE'],
        ['2026-11-26', '09:30', '000 CONSEGNATA', 'La spedizione è stata consegnata', 'LECCE'],
      ],
      scans => posteAnswer('2805A0000015', scans),
    ),
    timeline: [
      'shipped 2026-11-23T15:00:00Z',
      'in_transit 2026-11-24T21:10:00Z',
      'out_for_delivery 2026-11-25T06:55:00Z',
      'delivery_failed 2026-11-25T10:20:00Z',
      'held 2026-11-25T16:00:00Z',
      'delivered 2026-11-26T08:30:00Z',
    ],
    deliveredDate: '2026-11-26T08:30:00Z',
    webhooks: [
      'order_shipped shipped',
      'in_transit in_transit',
      'out_for_delivery out_for_delivery',
      'delivery_failed delivery_failed',
      'delivery_failed held',
      'delivered delivered',
    ],
    isAskedOn: false,
  },
  {
    that: 'SDA brings back, asked at Poste',
    carrier: 'SDA',
    number: 'ZA1234500016IT',
    polls: after(
      [1, 2, 3],
      [
        [ago(6), '07:55', '009 IN CONSEGNA', 'In consegna', 'LECCE'],
        [ago(4), '12:00', '009 IN LAVORAZIONE', 'In restituzione al mittente', 'LECCE'],
        [ago(1), '10:00', '000 CONSEGNATA', 'La spedizione è stata consegnata', 'ROMA'],
      ],
      scans => posteAnswer('ZA1234500016IT', scans),
    ),
    timeline: ['out_for_delivery', 'returning', 'returned'],
    deliveredDate: null,
    webhooks: ['out_for_delivery out_for_delivery'],
    isAskedOn: true,
  },
];
