import type { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { identifier, inputObject, isGiven, list } from '../../common/fields.input.ts';
import { totalIssues, unknownProvinceIssues } from './price/shipment.rules.ts';
import { MAX_CONNECTIONS, type QuoteInput, quoteDestinationInput, quoteFields, TOTAL_WEIGHT } from './quote.input.ts';

/** A quote as REST takes it: an order, or a warehouse, a destination and parcels or totals, in one object. */

/** The alternatives of a quote: required and optional fields of each. Fields of the other alternatives are rejected. */
const VARIANTS = {
  QuoteOfOrder: { title: 'An order', required: ['orderId'] },
  QuoteOfParcels: { title: 'Parcels', required: ['warehouseId', 'destination', 'parcels'] },
  QuoteOfTotals: {
    title: 'Totals of equal parcels',
    required: ['warehouseId', 'destination', 'totalWeight'],
    optional: ['totalVolume', 'parcelNumber'],
  },
};

const { parcels, totals, needs, shipmentDate } = quoteFields({ isNumber: true });

export const quoteBody = inputObject(
  'QuoteInput',
  {
    description:
      'Either an order by `orderId`, which supplies warehouse, destination, parcels, cash on delivery and insured value; or `warehouseId` and `destination`, with `parcels` or with `totalWeight` and `totalVolume`. `totalVolume` can be left out if the company has a default parcel.',
    variants: VARIANTS,
  },
  {
    orderId: identifier().nullish().describe('Order identifier.'),
    warehouseId: identifier().nullish().describe('Warehouse it is shipped from.'),
    destination: quoteDestinationInput.nullish().describe('The destination.'),
    totalWeight: totals.weight.nullish().describe(TOTAL_WEIGHT),
    totalVolume: totals.volume,
    parcelNumber: totals.parcelCount.describe('Number of equal parcels that make up the totals. 1 if left out.'),
    parcels: parcels.nullish(),
    ...needs,
    carrierCompanyIds: list(identifier(), { min: 1, max: MAX_CONNECTIONS })
      .nullish()
      .describe('Only these carrier connections.'),
    shipmentDate,
  },
  modeIssues,
  // Responses of REST have no notices.
  ({ destination }) => unknownProvinceIssues(['destination'], destination ?? {}),
  sent => totalIssues(['parcels'], sent.parcels ?? []),
);

type QuoteBody = z.output<typeof quoteBody>;

/** The input of a body, which has one of the alternatives whole. */
export function quoteOfBody(body: QuoteBody): QuoteInput {
  const { orderId, carrierCompanyIds: carrierConnectionIds, warehouseId, destination, parcels, ...others } = body;
  const { totalWeight: weight, totalVolume: volume, parcelNumber: parcelCount, ...terms } = others;
  const quote = { ...terms, carrierConnectionIds };
  if (orderId != null) return { ...quote, shipment: { orderId } };
  const places = { warehouseId: warehouseId as number, destination: destination as NonNullable<typeof destination> };
  if (parcels) return { ...quote, shipment: { parcels: { ...places, parcels } } };
  return { ...quote, shipment: { totals: { ...places, weight: weight as string, volume, parcelCount } } };
}

/** The body of an input, for requests that are stored in the form of REST. */
export function bodyOfQuote({ shipment, carrierConnectionIds, shipmentDay, ...terms }: QuoteInput): QuoteBody {
  const { orderId, parcels, totals } = shipment;
  const body = { ...terms, ...(shipmentDay != null && { shipmentDate: shipmentDay }) };
  const quote = { ...body, ...(carrierConnectionIds && { carrierCompanyIds: carrierConnectionIds }) };
  if (parcels) return { ...quote, ...parcels };
  if (!totals) return { ...quote, orderId };
  const { weight: totalWeight, volume: totalVolume, parcelCount: parcelNumber, ...places } = totals;
  return { ...quote, ...places, totalWeight, totalVolume, parcelNumber };
}

/** The names of totals in REST. */
const TOTALS = { weight: 'totalWeight', volume: 'totalVolume', parcelCount: 'parcelNumber' } as const;

/** The place in a body of a place in its input. */
export function placeInBody([first = '', ...inner]: Issue['path']): Issue['path'] {
  if (first === 'carrierConnectionIds') return ['carrierCompanyIds', ...inner];
  if (first !== 'shipment') return [first, ...inner];
  const [form = '', name = form, ...below] = inner;
  return [form === 'totals' && name in TOTALS ? TOTALS[name as keyof typeof TOTALS] : name, ...below];
}

const MANUAL_FIELDS = ['warehouseId', 'destination', 'totalWeight', 'totalVolume', 'parcelNumber', 'parcels'];

/** Checks that exactly one alternative was chosen, with all of its required fields. */
function modeIssues(fields: object, sent: object): readonly Issue[] {
  const given = (name: string) => isGiven(name, fields, sent);
  const conflicts = (names: readonly string[], message: string): Issue[] =>
    names.filter(given).map(name => ({ path: [name], code: 'conflicting_modes', message }));
  const lacks = (name: string, message: string): Issue[] =>
    given(name) ? [] : [{ path: [name], code: 'required', message: `must be given${message}` }];
  if (given('orderId')) return conflicts(MANUAL_FIELDS, 'must not be given with orderId: the order supplies it');
  if (!MANUAL_FIELDS.some(given)) {
    return lacks('orderId', ', or else warehouseId, destination, and parcels or totals');
  }
  const place = [...lacks('warehouseId', ', or else orderId'), ...lacks('destination', ', or else orderId')];
  if (given('parcels')) return [...place, ...conflicts(Object.values(TOTALS), 'must not be given with parcels')];
  if (!given('totalWeight') && !given('totalVolume')) {
    return [...place, ...lacks('parcels', ', or else totalWeight and totalVolume')];
  }
  // Whether the volume is needed depends on the default parcel of the company.
  return [...place, ...lacks('totalWeight', ' with totalVolume')];
}
