import type { Parameters } from '../../../../platform/database/lists/index-scan.ts';
import { optionalConditions, textsOf } from '../../../../platform/database/lists/optional-conditions.ts';
import { rangeSince } from '../../../common/list-plan.rules.ts';
import { trackingKey } from '../../../common/number.rules.ts';
import { provinceSpellings } from '../../../common/places/italy.rules.ts';
import { postalCodeSpellings } from '../../../common/places/postal-codes.rules.ts';
import type { EstimateSource } from '../estimates/estimates.rules.ts';
import { TERMINAL_STATUSES } from '../events.rules.ts';
import type { ShipmentFilter } from './shipment-filter.input.ts';
import { silentSince } from './shipment-list.rules.ts';

/** A filter of shipments in SQL: the condition on rows, and the values of its parameters. */

type Value = Parameters['of'];

export const EXPECTED = 'coalesce(r.carrier_expected_at, r.expected_delivery_date)';
export const HEARD = 'greatest(r.status_at, r.created_at)';

/** Values of the parameters of all statements, by name; null if the filter lacks the condition. */
export interface ShipmentConditions {
  readonly now: Date;
  readonly terminal: readonly string[];
  readonly statuses: readonly string[];
  readonly statusCodes: readonly string[] | null;
  readonly open: boolean | null;
  readonly carrierConnectionId: number | null;
  readonly carriers: readonly string[] | null;
  readonly trackingKeys: readonly string[] | null;
  readonly orderNumber: string | null;
  readonly text: string | null;
  readonly textKey: string | null;
  readonly marketplaces: readonly string[] | null;
  readonly recipient: string | null;
  readonly provinces: readonly string[] | null;
  readonly postalCodes: readonly string[] | null;
  readonly updatedFrom: Date | null;
  readonly updatedTo: Date | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
  readonly shippedFrom: Date | null;
  readonly shippedTo: Date | null;
  readonly deliveredFrom: Date | null;
  readonly deliveredTo: Date | null;
  readonly expectedFrom: Date | null;
  readonly expectedTo: Date | null;
  readonly late: boolean | null;
  readonly wasLate: boolean | null;
  readonly wasLateAgainst: EstimateSource | null;
  readonly silentSince: Date | null;
}

const RECIPIENT = 'coalesce(s.recipient, o.recipient)';
export const PROVINCE = `lower(${RECIPIENT} ->> 'province')`;

/**
 * The whole filter, even if the scan serves a part of it, so that no plan can leave a condition out. Rows are `s`,
 * their carrier `c` and their order `o`.
 */
export function shipmentCondition(value: Value): string {
  const { unless, equal, among, from, to } = optionalConditions<keyof ShipmentConditions>(value);
  const isOpen = `(s.status_code <> all(${textsOf(value, 'terminal')}))`;
  const expected = EXPECTED.replaceAll('r.', 's.');
  const shipped = 'coalesce(s.shipment_date, s.shipped_at)';
  return [
    among('statusCodes', 's.status_code'),
    unless('open', 'boolean', given => `${isOpen} = ${given}`),
    unless('carrierConnectionId', 'integer', given => `s.carrier_connection_id = ${given}`),
    among('carriers', 'c.carrier_code'),
    among('trackingKeys', 's.tracking_key'),
    equal('orderNumber', 'o.order_number'),
    unless(
      'textKey',
      'text',
      key => `(s.tracking_key = ${key} or s.parcel_id_key = ${key} or s.reference_key = ${key}
        or o.order_number = ${value('text', 'text')} or o.marketplace_order_number_key = ${key} or o.marketplace_order_id_key = ${key}
        or exists (select from shipment_label l where l.company_id = $1 and l.shipment_id = s.id and l.tracking_key = ${key}))`,
    ),
    among('marketplaces', 'o.marketplace'),
    unless('recipient', 'text', given => `position(lower(${given}) in lower(${RECIPIENT} ->> 'companyName')) > 0`),
    among('provinces', PROVINCE),
    among('postalCodes', `(${RECIPIENT} ->> 'postalCode')`),
    from('updatedFrom', 's.updated_at'),
    to('updatedTo', 's.updated_at'),
    from('createdFrom', 's.created_at'),
    to('createdTo', 's.created_at'),
    from('shippedFrom', shipped),
    to('shippedTo', shipped),
    from('deliveredFrom', 's.delivered_at'),
    to('deliveredTo', 's.delivered_at'),
    from('expectedFrom', expected),
    to('expectedTo', expected),
    unless(
      'late',
      'boolean',
      given => `(${isOpen} and coalesce(${expected} < ${value('now', 'timestamptz')}, false)) = ${given}`,
    ),
    unless(
      'wasLate',
      'boolean',
      given => `(case ${value('wasLateAgainst', 'text')} when 'CARRIER' then s.delivered_at > s.carrier_expected_at
          when 'PLATFORM' then s.delivered_at > s.expected_delivery_date
          when 'SERVICE' then (select took > expected from shipment_promise p where p.company_id = $1 and p.shipment_id = s.id
            and s.delivered_at is not null)
          else s.delivered_at > ${expected} end) = ${given}`,
    ),
    unless('silentSince', 'timestamptz', since => `(${isOpen} and ${HEARD.replaceAll('r.', 's.')} < ${since})`),
  ].join('\n          and ');
}

export function conditionsOf(filter: ShipmentFilter, now: Date): Omit<ShipmentConditions, 'statuses'> {
  const { createdAt: created, shippedAt: shipped, deliveredAt: delivered, expectedDeliveryAt: expected } = filter;
  const updated = rangeSince(filter.updatedAt, filter.updatedSince);
  return {
    now,
    terminal: TERMINAL_STATUSES,
    statusCodes: filter.statusCodes ?? null,
    open: filter.isOpen ?? null,
    carrierConnectionId: filter.carrierConnectionId ?? null,
    carriers: filter.carriers ?? null,
    trackingKeys: filter.trackingNumbers ? [...new Set(filter.trackingNumbers.map(trackingKey))] : null,
    orderNumber: filter.orderNumber ?? null,
    text: filter.text ?? null,
    textKey: filter.text == null ? null : trackingKey(filter.text),
    marketplaces: filter.marketplaces ?? null,
    recipient: filter.recipient ?? null,
    provinces: filter.provinces?.flatMap(provinceSpellings) ?? null,
    postalCodes: filter.postalCodes?.flatMap(postalCodeSpellings) ?? null,
    updatedFrom: updated.from ?? null,
    updatedTo: updated.to ?? null,
    createdFrom: created?.from ?? null,
    createdTo: created?.to ?? null,
    shippedFrom: shipped?.from ?? null,
    shippedTo: shipped?.to ?? null,
    deliveredFrom: delivered?.from ?? null,
    deliveredTo: delivered?.to ?? null,
    expectedFrom: expected?.from ?? null,
    expectedTo: expected?.to ?? null,
    late: filter.isLate ?? null,
    wasLate: filter.wasLate ?? null,
    wasLateAgainst: filter.wasLateAgainst ?? null,
    silentSince: filter.stalledForDays == null ? null : silentSince(filter.stalledForDays, now),
  };
}
