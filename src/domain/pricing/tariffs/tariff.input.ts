import { anyJson, flag, inputObject, text } from '../../common/fields.input.ts';
import { tableFileInput } from '../../common/tables/table-file.input.ts';

const tariff = () => anyJson().describe('The whole tariff. `schema/tariff.schema.json` describes it.');
const name = () => text().nullish().describe("Name of the revision. The tariff's own if left out.");

/** A tariff for a connection. `importTariff` checks its content in steps, since it can be large. */
export const importTariffInput = inputObject('ImportTariffInput', 'A tariff for a carrier connection.', {
  tariff: tariff(),
  name: name(),
  dryRun: flag()
    .nullish()
    .describe(
      'Only checks the tariff and returns the changes that it would make; nothing is imported. False if left out.',
    ),
});

export const createTariffDraftInput = inputObject('CreateTariffDraftInput', 'A draft of a tariff.', {
  tariff: tariff(),
  name: name(),
});

export const importTariffWorkbookInput = inputObject(
  'ImportTariffWorkbookInput',
  'A tariff as a workbook for a carrier connection.',
  {
    file: tableFileInput.describe('The workbook, in Base64.'),
    name: name(),
    dryRun: flag().default(false).describe('Only checks the tariff and says what it would change; no draft is kept.'),
  },
);
