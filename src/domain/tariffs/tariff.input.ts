import { anyJson, inputObject } from '../fields.input.ts';

/** A tariff for a connection. What the tariff may hold is checked in steps, since it can be large. */
export const importTariffInput = inputObject('ImportTariffInput', 'A tariff for a carrier connection.', {
  tariff: anyJson().describe('The whole tariff. `schema/tariff.schema.json` describes it.'),
});
