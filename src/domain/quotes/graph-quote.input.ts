import type { z } from 'zod';
import type { Issue } from '../../platform/fault.ts';
import { readInput } from '../../platform/input.ts';
import { inputObject, list } from '../common/fields.input.ts';
import { formerly, namesIssues } from '../common/former-names.input.ts';
import { oneOf } from '../common/one-of.input.ts';
import { recordId } from '../common/record-id.input.ts';
import { calendarDay } from '../common/times.input.ts';
import { provinceCode } from '../places/italy.rules.ts';
import { totalIssues } from './price/shipment.rules.ts';
import {
  MAX_CONNECTIONS,
  modeIssues,
  type QuoteInput,
  quoteBody,
  quoteDestinationInput,
  quoteParcels,
} from './quote.input.ts';

/** A quote as the graph takes it: the shipment is one of three forms. REST has the fields of all three in one object. */

const { totalWeight, totalVolume, parcelNumber, codAmount, insuranceAmount, options, shipmentDate } = quoteBody.shape;

const PLACES = {
  warehouseId: recordId('Warehouse').describe('The warehouse that it is shipped from.'),
  destination: quoteDestinationInput.describe('The destination.'),
};

const parcelsInput = inputObject(
  'QuotedParcelsInput',
  'Parcels of stated sizes.',
  { ...PLACES, parcels: quoteParcels.describe('1 to 100 kinds of parcels, at most 500 parcels in all.') },
  ({ parcels }) => totalIssues(['parcels'], parcels ?? []),
);

const totalsInput = inputObject('QuotedTotalsInput', 'Equal parcels, by their totals.', {
  ...PLACES,
  weight: totalWeight.unwrap().unwrap().describe('Kilograms of all parcels; at most 3 decimals.'),
  volume: totalVolume,
  parcelCount: parcelNumber.describe('Number of equal parcels. 1 if left out.'),
});

const shipmentInput = oneOf('QuotedShipmentInput', 'A shipment to quote.', {
  orderId: recordId('Order')
    .nullish()
    .describe('An order, which supplies warehouse, destination, parcels, cash on delivery and insured value.'),
  parcels: parcelsInput.nullish().describe('Parcels of stated sizes.'),
  totals: totalsInput.nullish().describe('Equal parcels, by their totals.'),
});

export const quoteInput = inputObject(
  'QuoteInput',
  'A shipment to quote, and what it needs.',
  {
    shipment: shipmentInput.describe('The shipment.'),
    codAmount,
    insuranceAmount,
    options,
    carrierConnectionIds: list(recordId('CarrierConnection'), { min: 1, max: MAX_CONNECTIONS })
      .nullish()
      .describe('Only these carrier connections.'),
    shipmentDay: calendarDay()
      .nullish()
      .describe('Day of shipment in Italy: chooses the tariff in force. Today where not given.'),
    shipmentDate: formerly(shipmentDate, 'shipmentDay'),
  },
  (_fields, sent) => namesIssues(sent, 'shipmentDay', 'shipmentDate'),
);

export type GraphQuoteInput = z.output<typeof quoteInput>;

type Place = (path: Issue['path']) => Issue['path'];

/** The names of totals in the graph and in the domain. */
const TOTALS = { weight: 'totalWeight', volume: 'totalVolume', parcelCount: 'parcelNumber' } as const;
const TOTALS_IN_GRAPH = new Map<unknown, string>(Object.entries(TOTALS).map(([graph, domain]) => [domain, graph]));

/** The input of the domain, and the place in the graph's input of a place in it. */
export function quoteOfGraph({ shipment, shipmentDay, ...terms }: GraphQuoteInput): {
  readonly input: QuoteInput;
  readonly place: Place;
} {
  const { orderId, parcels, totals } = shipment;
  const others = shipmentDay == null ? terms : { ...terms, shipmentDate: shipmentDay };
  const form = parcels ? 'parcels' : 'totals';
  const place: Place = ([name = '', ...inner]) => {
    if (name === 'shipmentDate' && shipmentDay != null) return ['shipmentDay'];
    if (name === 'orderId') return ['shipment', name, ...inner];
    if (name === 'warehouseId' || name === 'destination' || name === 'parcels')
      return ['shipment', form, name, ...inner];
    const total = TOTALS_IN_GRAPH.get(name);
    return total === undefined ? [name, ...inner] : ['shipment', 'totals', total, ...inner];
  };
  if (orderId != null) return { input: { ...others, orderId }, place };
  if (parcels) return { input: { ...others, ...parcels }, place };
  const { weight, volume, parcelCount, ...places } = totals as NonNullable<typeof totals>;
  const named = { totalWeight: weight, totalVolume: volume, parcelNumber: parcelCount };
  return { input: { ...others, ...places, ...named }, place };
}

type Sent = Readonly<Record<string, unknown>>;

/**
 * The input of the graph for a body of REST.
 *
 * @throws Fault `validation_failed` for a body of no form, or of several, and for an unknown province, which the graph accepts
 */
export function quoteOfBody(body: Sent): Sent {
  if (modeIssues({}, body).length > 0 || namesUnknownProvince(body)) readInput(quoteBody, body);
  const { orderId, carrierCompanyIds, warehouseId, destination, parcels, ...others } = body;
  const { totalWeight: weight, totalVolume: volume, parcelNumber: parcelCount, ...terms } = others;
  const quote = { ...terms, carrierConnectionIds: carrierCompanyIds };
  if (orderId != null) return { ...quote, shipment: { orderId } };
  const places = { warehouseId, destination };
  if (parcels != null) return { ...quote, shipment: { parcels: { ...places, parcels } } };
  return { ...quote, shipment: { totals: { ...places, weight, volume, parcelCount } } };
}

function namesUnknownProvince({ destination }: Sent): boolean {
  const province = (destination as Sent | null | undefined)?.province;
  return typeof province === 'string' && provinceCode(province) === undefined;
}

/** The place in a body of REST of a place in the input of the graph. */
export const placeInBody: Place = ([first = '', form, ...inner]) => {
  if (first === 'carrierConnectionIds') return ['carrierCompanyIds', ...(form === undefined ? [] : [form]), ...inner];
  if (first !== 'shipment' || form === undefined) return form === undefined ? [first] : [first, form, ...inner];
  if (form === 'orderId') return [form, ...inner];
  const [name = '', ...below] = inner;
  return [form === 'totals' && name in TOTALS ? TOTALS[name as keyof typeof TOTALS] : name, ...below];
};
