import { z } from 'zod';
import { accountFees } from '../account/account-fees.rules.ts';
import { area } from '../areas/place.format.rules.ts';
import { parcelBands } from '../bands/parcel-bands.rules.ts';
import { stepsBeyond } from '../bands/steps-beyond.rules.ts';
import { weightBands } from '../bands/weight-bands.rules.ts';
import { charge } from '../charges/charge.rules.ts';
import { condition, SHIPMENT_EVENTS } from '../conditions/condition.format.rules.ts';
import { shipmentLimits } from '../limits.rules.ts';
import { palletClasses } from '../pallets/pallet-classes.rules.ts';
import { palletPrices } from '../pallets/pallet-prices.rules.ts';
import { chargeableWeight } from '../weight/chargeable-weight.rules.ts';
import { withDecimals } from './field-units.format.rules.ts';
import { atLeastOne, country, day, lineCode, text, zoneCode } from './parts.format.rules.ts';

/**
 * The form of a tariff, from which its type and `schema/tariff.schema.json` come. `tariff.check.rules.ts` checks the
 * rules that a form can't express: bands without gaps, zones that exist, percentages that don't refer in a circle.
 */

const vat = z
  .strictObject({
    percent: z.number().min(0).max(100).describe('VAT, percent, at most 4 decimals.'),
    note: text.describe('The legal ground.').optional(),
  })
  .describe('VAT of this line, whatever the destination; if left out, the VAT of the destination.')
  .meta({ id: 'LineVat' });

const line = z
  .strictObject({
    code: lineCode,
    description: text.describe('The description in Italian, shown with the price.'),
    when: condition.optional(),
    price: charge,
    vat: vat.optional(),
  })
  .meta({ id: 'Line' });

const lines = z.array(line).max(100).default([]);

const eventLine = z
  .strictObject({
    ...line.shape,
    on: z
      .enum(SHIPMENT_EVENTS)
      .describe('What happens: giacenza, redelivery, return, a changed address, waiting at the door.'),
  })
  .describe('The first line of an event whose condition holds is charged.')
  .meta({ id: 'EventLine' });

/** Services of one version. */
const MAX_SERVICES = 20;

const zone = z
  .strictObject({
    code: zoneCode,
    name: text,
    from: z.array(lineCode).min(1).max(100).describe('Only from these origins; left out: from any.').optional(),
    services: z
      .array(lineCode)
      .min(1)
      .max(MAX_SERVICES)
      .describe('Only for these services; left out: for any.')
      .optional(),
    to: area,
    deliveryDays: z.int().min(0).max(365).describe('Estimated days to delivery.').optional(),
    notServed: text.describe('Why nothing is carried there; such a zone has no bands.').optional(),
    ...weightBands.form,
    ...parcelBands.form,
    ...stepsBeyond.form,
    ...palletPrices.form,
  })
  .describe('Where a price applies, and the price by weight.')
  .meta({ id: 'Zone' });

const origin = z
  .strictObject({
    code: lineCode,
    warehouses: z.array(z.int().min(1)).max(1_000).describe('Warehouses by id, before any place.').optional(),
    places: area.optional(),
  })
  .meta({ id: 'Origin', ...atLeastOne('warehouses', 'places') });

const service = z
  .strictObject({
    code: lineCode,
    name: text.describe('What people call it: shown with the price.'),
    when: condition.optional(),
    deliveryDays: z
      .int()
      .min(0)
      .max(365)
      .describe('Estimated days to delivery, where the zone states none.')
      .optional(),
  })
  .describe('A service of the contract, such as standard or express; `when` says for which shipments it is offered.')
  .meta({ id: 'Service' });

const version = z
  .strictObject({
    label: text.describe('Name of the version, such as `2026`.'),
    validFrom: day,
    validUntil: day.describe('Last day; left out on the last version: until further notice.').optional(),
    originCountries: z
      .array(country)
      .min(1)
      .max(250)
      .describe('Only from warehouses in these; left out: from anywhere.')
      .optional(),
    origins: z.array(origin).max(100).describe('Where warehouses are, for zones and conditions.').default([]),
    services: z
      .array(service)
      .min(1)
      .max(MAX_SERVICES)
      .describe('Services of one contract, for zones and conditions; left out: the contract has one.')
      .optional(),
    ...chargeableWeight.form,
    ...shipmentLimits.form,
    ...palletClasses.form,
    zones: z.array(zone).min(1).max(1_000),
    surcharges: lines.describe('Each whose condition holds is charged.'),
    fuel: lines.describe('The first whose condition holds is charged.'),
    options: lines.describe('What can be asked for; `when` says for which shipments it is offered.'),
    cod: lines.describe('Cash on delivery: the first whose condition holds is charged; none: not offered.'),
    insurance: lines.describe('The first whose condition holds is charged; none: not offered.'),
    afterShipment: z.array(eventLine).max(100).describe('The charges for events after the quote.').default([]),
    vat: z
      .array(
        z.strictObject({
          to: area,
          percent: z.number().min(0).max(100).describe('VAT, percent, at most 4 decimals.'),
          note: text.describe('The legal ground.').optional(),
        }),
      )
      .min(1)
      .max(1_000)
      .describe('VAT by destination; left out: the table of the service.')
      .optional(),
    ...accountFees.form,
  })
  .describe('The prices of a period.')
  .meta({ id: 'Version' });

export const tariffFormat = z
  .strictObject({
    $schema: z.string().max(500).optional(),
    format: z.literal(2),
    name: text,
    currency: z.literal('EUR').default('EUR'),
    versions: z.array(version).min(1).max(50).describe('By date, ascending, without gaps or overlaps.'),
  })
  .describe("What a carrier charges on one of the company's connections.");

/** A tariff, as it is imported, stored, priced and exported. */
export type Tariff = z.infer<typeof tariffFormat>;
export type TariffVersion = Tariff['versions'][number];
export type Zone = TariffVersion['zones'][number];
export type Line = z.infer<typeof line>;
export type Service = z.infer<typeof service>;

/** JSON Schema of a tariff, as it stands in `schema/tariff.schema.json`. */
export function tariffJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(tariffFormat, { target: 'draft-2020-12', io: 'input' });
  return withDecimals({ title: 'Tariff', $schema, ...schema }) as object;
}

/** The fields of a version, in the order in which people write and read them. */
export const VERSION_FIELDS = Object.keys(version.shape);
const FIELDS = {
  tariff: Object.keys(tariffFormat.shape),
  zone: Object.keys(zone.shape),
  line: Object.keys(line.shape),
  service: Object.keys(service.shape),
  event: Object.keys(eventLine.shape),
};

/**
 * Returns a stored tariff with its fields in the order of the form, which the database does not keep. Prices, places
 * and conditions are short, so their fields stay in the stored order.
 */
export function inOrderOfForm(tariff: Tariff): Tariff {
  const ordered = <Of extends object>(value: Of, fields: readonly string[]): Of =>
    Object.fromEntries(
      fields.flatMap(name => (name in value ? [[name, (value as Record<string, unknown>)[name]]] : [])),
    ) as Of;
  const inVersion = (one: TariffVersion): TariffVersion => {
    const lines = (all: readonly Line[]) => all.map(each => ordered(each, FIELDS.line));
    const zones = one.zones.map(each => ordered(each, FIELDS.zone));
    const services = { fuel: lines(one.fuel), cod: lines(one.cod), insurance: lines(one.insurance) };
    const [surcharges, options] = [lines(one.surcharges), lines(one.options)];
    const afterShipment = one.afterShipment.map(each => ordered(each, FIELDS.event));
    const levels = one.services && { services: one.services.map(each => ordered(each, FIELDS.service)) };
    return ordered({ ...one, ...levels, zones, surcharges, options, ...services, afterShipment }, VERSION_FIELDS);
  };
  return ordered({ ...tariff, versions: tariff.versions.map(inVersion) }, FIELDS.tariff);
}
