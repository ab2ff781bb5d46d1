import type { CarrierAccount } from '../../domain/shipping/carriers/carrier.port.ts';
import {
  CARRIERS,
  type Carrier,
  type ComparedPart,
  carrierOf,
} from '../../domain/shipping/carriers/carriers.catalog.ts';
import {
  CARRIER_CODES,
  type CarrierCodes,
  type CodeRow,
} from '../../domain/shipping/tracking/carrier-codes.catalog.ts';
import { NORMAL_WORKING_DAYS } from '../../domain/shipping/tracking/delays/silence.rules.ts';
import { TERMINAL_STATUSES } from '../../domain/shipping/tracking/events.rules.ts';
import { STATUS_CODES, STATUS_LABELS, type StatusCode } from '../../domain/shipping/tracking/status.rules.ts';
import { ADAPTERS } from '../../upstream/adapters.ts';
import { code, count, table } from './markdown.ts';

const PARTS: Readonly<Record<ComparedPart, string>> = {
  zip: 'postal code',
  city: 'city',
  province: 'province',
  street: 'street',
};
const NOTHING = '–';
const NONE_NEEDED = 'none needed';

/** The credentials of an account at each carrier, and the capabilities of the service with it. */
export function carriers(): string {
  const rows = CARRIERS.map((row: Carrier) => {
    const { code: carrier, name, verificationType, compares, countryScope } = row;
    return [
      code(carrier),
      name,
      credentialsOf(row),
      compares.length === 0 ? NOTHING : compares.map(part => PARTS[part]).join(', '),
      verificationType === 'none' ? NOTHING : countryScope === 'domestic_it' ? 'Italy' : 'everywhere',
      paceOf(carrier),
    ];
  });
  return table(['Code', 'Carrier', 'Credentials', 'Compares of an address', 'In', 'Asked about shipments'], rows);
}

function credentialsOf({ credentials: { tracking, address_check: checks }, settings = {} }: Carrier): string {
  if (!tracking && !checks) return NOTHING;
  const optional = Object.keys(settings).map(setting => `${code(setting)} (optional)`);
  if (!tracking || !checks) return [names(tracking ?? checks), ...optional].join(', ');
  if (String(tracking) === String(checks)) return names(tracking);
  return `tracking: ${names(tracking)}; addresses: ${names(checks)}`;
}

function names(credentials: readonly string[] = []): string {
  return credentials.length === 0 ? NONE_NEEDED : credentials.map(code).join(', ');
}

function paceOf(carrier: CarrierAccount['carrierCode']): string {
  const tracking = ADAPTERS[carrier]?.tracking;
  if (!tracking) return NOTHING;
  const { numbersPerRequest, requestsPerMinute } = tracking;
  const shipments = numbersPerRequest === 1 ? '' : ` for ${count(numbersPerRequest)} shipments each`;
  return `${count(requestsPerMinute)} requests a minute${shipments}`;
}

/** The tables of carriers' codes, with the published lists that they follow. */
export function carrierCodes(): string {
  return Object.values(CARRIER_CODES).map(ofCarriers).join('\n\n');
}

function ofCarriers({ carriers, lists, codes, general, words }: CarrierCodes): string {
  const names = carriers.map(carrier => carrierOf(carrier).name).join(' and ');
  const parts = [`## ${names}`, table(['Published list', 'Found at', 'Read on'], lists.map(listRow)), codeTable(codes)];
  if (general.length > 0) parts.push('Wider codes, for a code without a row:', codeTable(general));
  if (words.length > 0) {
    const rows = words.map(row => [code(row.words), code(row.status), row.remark ?? '']);
    parts.push('Words, for a text whose code has no row. The first row that fits counts:');
    parts.push(table(['Words', '`statusCode`', 'Remark'], rows));
  }
  return parts.join('\n\n');
}

function listRow({ name, where, read }: CarrierCodes['lists'][number]): readonly string[] {
  return [name, where, read];
}

function codeTable(rows: readonly CodeRow[]): string {
  return table(
    ['Code', "The carrier's text", '`statusCode`', 'Remark'],
    rows.map(row => [code(row.code), row.text ?? '', code(row.status), row.remark ?? '']),
  );
}

/** The meaning of each status for those who track a shipment. */
const MEANINGS: Readonly<Record<StatusCode, string>> = {
  created: 'The carrier has the data of the shipment, but not the parcel.',
  shipped: 'The carrier has picked up the parcel.',
  in_transit: 'The parcel is on its way between depots.',
  at_depot: 'The parcel is at the depot that delivers it.',
  customs: 'The parcel is being cleared by customs.',
  out_for_delivery: 'The courier has the parcel and delivers it today.',
  delayed: 'The carrier reports a delay.',
  pickup_point: 'The recipient can collect the parcel.',
  delivery_failed: 'The courier tried to deliver, without success.',
  held: 'The parcel waits at the depot for instructions of the sender (giacenza).',
  refused: 'The recipient refused the parcel.',
  delivered: 'The recipient has the parcel.',
  returning: 'The parcel is on its way back to the sender.',
  returned: 'The sender has the parcel back.',
  lost: 'The carrier has lost or destroyed the parcel.',
  cancelled: 'The shipment was cancelled.',
  unknown: 'No event so far has a code that the service knows.',
};

/** The statuses along a shipment's way. */
export function trackingStatuses(): string {
  const final: readonly StatusCode[] = TERMINAL_STATUSES;
  return table(
    ['`statusCode`', 'Italian label', 'Meaning', 'Final'],
    STATUS_CODES.map(status => [
      code(status),
      STATUS_LABELS[status],
      MEANINGS[status],
      final.includes(status) ? 'yes' : '',
    ]),
  );
}

/** How long each status may last without news before a shipment counts as stalled. */
export function silence(): string {
  const byDays = Map.groupBy(Object.entries(NORMAL_WORKING_DAYS), ([, days]) => days);
  const rows = [...byDays].toSorted(([one], [other]) => one - other);
  return table(
    ['Working days without news', 'Statuses'],
    rows.map(([days, entries]) => [String(days), entries.map(([status]) => code(status)).join(', ')]),
  );
}
