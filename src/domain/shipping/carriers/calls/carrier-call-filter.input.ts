import type { z } from 'zod';
import { enumOf, inputObject, list, soughtText } from '../../../common/fields.input.ts';
import { dateRangeInput } from '../../../common/list-filter.input.ts';
import { recordId } from '../../../common/record-id.input.ts';
import { CALL_OUTCOMES, type CallOutcome } from './call-purposes.rules.ts';

const OUTCOMES = Object.keys(CALL_OUTCOMES) as [CallOutcome, ...CallOutcome[]];

export const carrierCallFilter = inputObject(
  'CarrierCallFilter',
  'Which calls to list. A call must meet all conditions.',
  {
    carrierConnectionId: recordId('CarrierConnection').nullish().describe('On this carrier connection.'),
    requestId: soughtText().describe('For the request with this `X-Request-Id`.'),
    outcomes: list(enumOf('CarrierCallOutcome', OUTCOMES), { max: OUTCOMES.length })
      .nullish()
      .describe('With one of these outcomes.'),
    startedAt: dateRangeInput.nullish().describe('Made in this time.'),
  },
);

export type CarrierCallFilter = z.output<typeof carrierCallFilter>;
