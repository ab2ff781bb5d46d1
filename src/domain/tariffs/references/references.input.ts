import { carrierCode } from '../../carriers/connection.input.ts';
import { anyJson, decimal, inputObject, list, text } from '../../common/fields.input.ts';

/** What tariffs of a carrier refer to, as it is replaced by itself. */

const MAX_MONTHS = 1_000;
const name = () => text(40).describe('Its name: lower-case letters, digits and `_`, beginning with a letter.');

const monthRateInput = inputObject('MonthRateInput', 'A percentage from a month on.', {
  month: text(7).describe('The month, such as `2026-01`.'),
  percent: decimal({ max: 300, decimals: 4 }).describe('Percent, at most 4 decimals.'),
});

export const importFuelIndexInput = inputObject('ImportFuelIndexInput', 'Months of an index of a carrier.', {
  carrierCode: carrierCode().describe('The carrier.'),
  name: name(),
  rates: list(monthRateInput, { min: 1, max: MAX_MONTHS }).describe('The months; the others stay as they are.'),
});

export const replacePlaceListInput = inputObject('ReplacePlaceListInput', 'A list of places of a carrier.', {
  carrierCode: carrierCode().describe('The carrier.'),
  name: name(),
  places: anyJson().describe('The places, as `to` of a zone names them; `schema/tariff.schema.json` describes it.'),
});
