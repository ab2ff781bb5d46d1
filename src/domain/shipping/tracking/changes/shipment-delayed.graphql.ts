import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { ChangeRef, detailOf } from './changes.graphql.ts';
import { type ChangeRow, type DelayReason, TYPE_OF } from './changes.rules.ts';

/** The change of a shipment that the service found late or silent. */

const DelayReasonRef = enumType<DelayReason>('DelayReason', 'Why the service found a shipment delayed.', {
  late: 'It is open, and past the date on which the carrier or the platform expects it.',
  silent: 'It is open, and without news for longer than is normal for its status.',
});

interface DelayDetail {
  readonly reason: DelayReason;
  readonly since: string;
}

builder.objectType(builder.objectRef<ChangeRow>(TYPE_OF.delayed), {
  description:
    'The service found an open shipment late or silent, which no carrier reports. It looks every five minutes. A shipment is found again once a later expected date has passed, or if it falls silent after news. Its status and its events stay as they are.',
  interfaces: [ChangeRef],
  fields: t => ({
    reason: t.value(DelayReasonRef, 'Why it was found.', change => detailOf<DelayDetail>(change).reason),
    since: t.field({
      type: 'DateTime',
      description: 'For a late shipment, the expected date that has passed. For a silent one, when the last news came.',
      resolve: change => new Date(detailOf<DelayDetail>(change).since),
    }),
  }),
});
