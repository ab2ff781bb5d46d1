import { z } from 'zod';
import { account } from '../account/account-fees.format.rules.ts';
import { area, palletType } from '../areas/place.format.rules.ts';
import { charge } from '../charges/charge.format.rules.ts';
import { condition, SHIPMENT_EVENTS, setting } from '../conditions/condition.format.rules.ts';
import { palletClass } from '../pallets/pallet-class.format.rules.ts';
import { withDecimals } from './decimals.format.rules.ts';
import {
  atLeastOne,
  cm,
  country,
  day,
  kg,
  lineCode,
  MAX_BAND_KG,
  MAX_BANDS,
  price,
  text,
  zoneCode,
} from './parts.format.rules.ts';

/**
 * The form of a tariff, from which its type and `schema/tariff.schema.json` come. `tariff.check.rules.ts` checks the
 * rules that a form can't express: bands without gaps, zones that exist, percentages that don't refer in a circle.
 */

const vat = z
  .strictObject({
    percent: z.number().min(0).max(100).describe('VAT, percent, at most 4 decimals.'),
    note: text.describe('The legal ground.').optional(),
  })
  .describe('VAT of this line, whatever the destination; left out: that of the destination.')
  .meta({ id: 'LineVat' });

const line = z
  .strictObject({
    code: lineCode,
    description: text.describe('What it is, in Italian: shown with the price.'),
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
  .describe('Of the lines for one event, the first whose condition holds is charged.')
  .meta({ id: 'EventLine' });

/** Services of one version. */
const MAX_SERVICES = 20;

const perKg = z.number().min(0).max(50).describe('EUR a kilogram of chargeable weight, at most 5 decimals.');

const band = z
  .strictObject({
    overKg: z
      .number()
      .min(0)
      .max(MAX_BAND_KG)
      .describe('The limit of the band before, if it is to be checked.')
      .optional(),
    upToKg: kg.describe('Up to and including, kg.'),
    price: price.optional(),
    perKg: perKg.optional(),
    per100Kg: price.describe('EUR for each begun quintale of chargeable weight.').optional(),
    minimum: price.describe('EUR at least.').optional(),
  })
  .describe('What is given is added up, but is at least the minimum.')
  .meta({ id: 'Band', ...atLeastOne('price', 'perKg', 'per100Kg') });

const step = z
  .strictObject({
    upToKg: kg.describe('How far the step goes; left out on the last: without limit.').optional(),
    everyKg: kg.describe('Step, kg.'),
    price: price.describe('EUR for each step begun.'),
  })
  .meta({ id: 'Step' });

const palletPrices = z
  .strictObject({
    types: z.array(palletType).min(1).max(50),
    prices: z
      .array(z.strictObject({ upTo: z.int().min(1).max(500), price }))
      .min(1)
      .max(500)
      .describe('By the number of such pallets, ascending.'),
    each: price.describe('EUR for each pallet beyond the last; left out: no more are carried.').optional(),
  })
  .meta({ id: 'PalletPrices' });

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
    bands: z
      .array(band)
      .max(MAX_BANDS)
      .describe('By weight, ascending. Empty where a CSV grid gives them.')
      .default([]),
    bandsPer: z
      .enum(['shipment', 'parcel'])
      .describe(
        'What a band prices: the weight of the shipment (left out), or each parcel by its own weight. The prices of the parcels are added. `weight.per` says only how a weight is found.',
      )
      .optional(),
    furtherParcelsDiscount: z
      .number()
      .positive()
      .max(100)
      .describe('With `bandsPer` `parcel`: percent off each parcel but the dearest, at most 4 decimals.')
      .optional(),
    beyond: z
      .array(step)
      .max(20)
      .describe('Beyond the last band, each step where the one before ends; without it nothing heavier is carried.')
      .default([]),
    pallets: z
      .array(palletPrices)
      .max(50)
      .describe('Pallets that are priced by their number, and not by weight.')
      .default([]),
  })
  .describe('Where a price applies, and the price by weight.')
  .meta({ id: 'Zone' });

const weight = z
  .strictObject({
    per: z
      .enum(['shipment', 'parcel'])
      .describe(
        'Whether the greater weight is taken of the shipment, or of each parcel and then added. `bandsPer` of a zone says what the bands price.',
      ),
    volumetric: z
      .array(
        z
          .strictObject({
            when: setting.optional(),
            kgPerM3: z.int().min(1).max(1_000).describe('Factor, kg a cubic metre.').optional(),
            cm3PerKg: z.int().min(1_000).max(1_000_000).describe('Divisor, cm³ a kilogram.').optional(),
          })
          .meta({ oneOf: [{ required: ['kgPerM3'] }, { required: ['cm3PerKg'] }] }),
      )
      .max(100)
      .describe('The first that holds counts, for each parcel by itself; none: only the real weight counts.')
      .default([]),
    kgPerLoadingMetre: z.int().min(1).max(10_000).describe('Kilograms that a loading metre counts as.').optional(),
    minimums: z
      .array(z.strictObject({ when: setting, parcelKg: kg.describe('Each such parcel weighs at least this.') }))
      .max(100)
      .describe('The first that holds counts, for each parcel by itself.')
      .default([]),
    roundUp: z
      .array(
        z.strictObject({
          when: setting.optional(),
          upToKg: kg.describe('For weights up to this; left out: for any.').optional(),
          toKg: z.number().positive().max(1_000).describe('A multiple of it, at most 3 decimals.'),
        }),
      )
      .min(1)
      .max(100)
      .describe('The first that holds counts; the last must hold always.'),
  })
  .describe('How the chargeable weight is found: the greatest of real, volumetric and by loading metres, rounded up.')
  .meta({ id: 'Weight' });

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
    weight,
    limits: z
      .strictObject({
        parcelKg: kg.describe('Most real weight of a parcel.').optional(),
        shipmentKg: kg.describe('Most real weight of a shipment.').optional(),
        longestSideCm: cm.optional(),
        sumOfSidesCm: cm.optional(),
        girthCm: cm.describe('Longest side and twice the two others.').optional(),
        parcels: z.int().min(1).max(500).describe('Most parcels of a shipment.').optional(),
      })
      .describe('What is carried at most.')
      .default({}),
    palletClasses: z
      .array(palletClass)
      .min(1)
      .max(50)
      .describe('Types of pallets by their bounds, ascending: a pallet is of the first that holds it.')
      .optional(),
    zones: z.array(zone).min(1).max(1_000),
    surcharges: lines.describe('Each whose condition holds is charged.'),
    fuel: lines.describe('The first whose condition holds is charged.'),
    options: lines.describe('What can be asked for; `when` says for which shipments it is offered.'),
    cod: lines.describe('Cash on delivery: the first whose condition holds is charged; none: not offered.'),
    insurance: lines.describe('The first whose condition holds is charged; none: not offered.'),
    afterShipment: z
      .array(eventLine)
      .max(100)
      .describe('What is charged for what happens after the quote.')
      .default([]),
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
    account: account.optional(),
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
export type Band = Zone['bands'][number];
export type Line = z.infer<typeof line>;
export type Service = z.infer<typeof service>;
export type EventLine = z.infer<typeof eventLine>;

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
