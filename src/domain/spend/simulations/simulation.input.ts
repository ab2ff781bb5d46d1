import type { z } from 'zod';
import { anyJson, enumOf, inputObject, list, optionalText } from '../../common/fields.input.ts';
import { oneOf } from '../../common/one-of.input.ts';
import { periodInput } from '../../common/period.input.ts';
import { recipientType } from '../../common/places/recipient.input.ts';
import { recordId } from '../../common/record-id.input.ts';
import { calendarDay } from '../../common/times.input.ts';
import { quoteTermsInput } from '../../pricing/quotes/quote-terms.input.ts';
import { CARRIER_CODES } from '../../shipping/carriers/carriers.catalog.ts';
import { type ShipmentFilter, shipmentFilter } from '../../shipping/tracking/lists/shipment-filter.input.ts';

/** The input of a simulation: shipments of a period, and the tariffs to price them by. */

const MAX_DAYS = 366;
export const MAX_TARIFFS = 20;

const simulatedPeriodInput = periodInput('SimulatedPeriodInput', 'Days in Italy on which shipments left.', MAX_DAYS);

const tariffDocumentInput = inputObject('SimulatedDocumentInput', 'A tariff that nobody has imported.', {
  carrierConnectionId: recordId('CarrierConnection').describe('The carrier connection that would have the tariff.'),
  tariff: anyJson().describe('The whole tariff; `schema/tariff.schema.json` describes it.'),
});

const tariffChoiceInput = oneOf('TariffToSimulateInput', 'Which tariff.', {
  tariffRevisionId: recordId('TariffRevision').nullish().describe('A revision of a tariff, or a draft.'),
  carrierConnectionId: recordId('CarrierConnection').nullish().describe('The tariff in force of a connection.'),
  document: tariffDocumentInput.nullish().describe('A tariff that nobody has imported.'),
});

const simulatedTariffInput = inputObject('SimulatedTariffInput', 'A tariff that all shipments are priced on.', {
  tariff: tariffChoiceInput.describe('Which tariff.'),
  pricingDate: calendarDay()
    .nullish()
    .describe(
      'Prices all shipments as if they had left on this day, for a tariff that begins later than the period. By default the day on which each left.',
    ),
  service: optionalText(40).describe(
    'Prices all shipments by the service of the tariff with this code. By default by the service of the order or the saved quote if the tariff has it, or else by the cheapest that fits.',
  ),
});

const { codPayment, monthlyShipments } = quoteTermsInput.shape;

export const simulateTariffsInput = inputObject(
  'SimulateTariffsInput',
  'Shipments of a period, and the tariffs that they are priced on.',
  {
    period: simulatedPeriodInput.describe('When the shipments left.'),
    filter: shipmentFilter
      .nullish()
      .describe('Which of the shipments to price; by default all. No condition is too costly here.'),
    tariffs: list(simulatedTariffInput, { max: MAX_TARIFFS })
      .nullish()
      .describe(`Tariffs to compare, at most ${MAX_TARIFFS} together with the tariffs of \`carriers\`.`),
    carriers: list(enumOf('CarrierCode', CARRIER_CODES), { max: CARRIER_CODES.length })
      .nullish()
      .describe(
        'Compares the tariffs in force of the active connections of these carriers too. Without `tariffs` and `carriers`, the tariffs of all active connections are compared.',
      ),
    codPayment,
    monthlyShipments,
    recipientType: recipientType()
      .nullish()
      .describe('The type of recipients for which neither the shipment nor its order states one.'),
  },
);

export type SimulateTariffsInput = z.output<typeof simulateTariffsInput>;

/** A filter that was stored as JSON, which has no times. */
export function storedFilter(filter: SimulateTariffsInput['filter']): ShipmentFilter {
  return shipmentFilter.parse(filter ?? {});
}
