import { enumOf, inputObject, list } from '../../../common/fields.input.ts';
import { recordId } from '../../../common/record-id.input.ts';
import { STATUS_CODES } from '../status.rules.ts';
import { CHANGE_KINDS } from './changes.rules.ts';

const MAX_SHIPMENTS = 100;

export const changeFilter = inputObject('ChangeFilter', 'Which changes to list. A change must meet all conditions.', {
  kinds: list(enumOf('ChangeKind', CHANGE_KINDS), { max: CHANGE_KINDS.length })
    .nullish()
    .describe('Changes of these kinds.'),
  statusCodes: list(enumOf('TrackingStatusCode', STATUS_CODES), { max: STATUS_CODES.length })
    .nullish()
    .describe('Changes to one of these states.'),
  shipmentIds: list(recordId('Shipment'), { max: MAX_SHIPMENTS })
    .nullish()
    .describe(`Changes of these shipments, at most ${MAX_SHIPMENTS}.`),
});
