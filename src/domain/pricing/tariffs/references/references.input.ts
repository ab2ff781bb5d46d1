import { anyJson, decimal, inputObject, list, text } from '../../../common/fields.input.ts';
import { carrierCode } from '../../../shipping/carriers/connection.input.ts';

/** Inputs that replace a list of places or an index, to which tariffs of a carrier refer. */

const MAX_RATES = 1_000;
const name = () => text(40).describe('Its name: lower-case letters, digits and `_`, beginning with a letter.');

const rateInput = inputObject('FuelRateInput', 'A percentage, and from when it holds until the next one begins.', {
  from: text(10).describe('Its first day, such as `2026-11-09`, or a month, such as `2026-11`.'),
  percent: decimal({ max: 300, decimals: 4 }).describe('Percent, at most 4 decimals.'),
});

export const importFuelIndexInput = inputObject('ImportFuelIndexInput', 'Percentages of an index of a carrier.', {
  carrierCode: carrierCode().describe('The carrier.'),
  name: name(),
  rates: list(rateInput, { min: 1, max: MAX_RATES }).describe(
    'The percentages; those from other days stay as they are.',
  ),
});

export const replacePlaceListInput = inputObject('ReplacePlaceListInput', 'A list of places of a carrier.', {
  carrierCode: carrierCode().describe('The carrier.'),
  name: name(),
  places: anyJson().describe('The places, as `to` of a zone names them; `schema/tariff.schema.json` describes it.'),
});
