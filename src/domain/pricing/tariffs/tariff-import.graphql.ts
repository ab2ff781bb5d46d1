import { TARIFF_IMPORT } from '../../../graphql/costs.ts';
import { mutation, numberId } from '../../../graphql/mutation.ts';
import { TariffRevisionRef } from './revisions/revisions.graphql.ts';
import { TariffDiffRef } from './revisions/tariff-diff.graphql.ts';
import { diffOfDocument, diffOfImport } from './revisions/tariff-diff.service.ts';
import { TariffRef } from './tariff.graphql.ts';
import { importTariffInput, importTariffWorkbookInput } from './tariff.input.ts';
import { importTariff } from './tariff.service.ts';
import { importTariffWorkbook } from './workbook/workbook.service.ts';

mutation('importTariff', {
  description: 'Replaces the tariff of a connection, as a whole or not at all. Quotes use it at once.',
  scope: 'carriers:manage',
  ids: { carrierConnectionId: numberId('CarrierConnection', 'The carrier connection.') },
  fields: importTariffInput,
  payload: {
    tariff: { type: TariffRef, description: 'The imported tariff. Null if it was only checked.' },
    tariffRevision: {
      type: TariffRevisionRef,
      description: 'The revision of the imported tariff. Null if it was only checked.',
    },
    tariffDiff: { type: TariffDiffRef, description: 'The changes to the tariff before it.' },
  },
  complexity: TARIFF_IMPORT,
  resolve: async ({ carrierConnectionId, tariff: document, name, dryRun }, { tenant, tariffs: cache }) => {
    const path = ['tariff'];
    if (dryRun) {
      const tariffDiff = await diffOfDocument(tenant, carrierConnectionId, document, path);
      return { tariff: null, tariffRevision: null, tariffDiff };
    }
    const tariff = await importTariff(tenant, carrierConnectionId, document, { path, cache, name });
    const tariffDiff = await diffOfImport(tenant, tariff);
    return { tariff, tariffRevision: tariffDiff.to ?? null, tariffDiff };
  },
});

mutation('importTariffWorkbook', {
  description:
    'Reads a workbook, as `tariff workbook` of the command line and the templates at `/templates` begin it, as a draft of a tariff. No quote uses it until `publishTariff` publishes it. The pointer of an error ends with sheet, row and column.',
  scope: 'carriers:manage',
  ids: { carrierConnectionId: numberId('CarrierConnection', 'The carrier connection.') },
  fields: importTariffWorkbookInput,
  payload: {
    tariffRevision: { type: TariffRevisionRef, description: 'The draft. Null if it was only checked.' },
    tariffDiff: { type: TariffDiffRef, description: 'What it changes of the tariff in force.' },
  },
  complexity: TARIFF_IMPORT,
  resolve: ({ carrierConnectionId, ...workbook }, { tenant, work }) =>
    importTariffWorkbook(tenant, work, carrierConnectionId, workbook),
});
