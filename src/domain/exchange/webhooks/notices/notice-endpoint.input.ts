import type { z } from 'zod';
import { inputObject, patchObject } from '../../../common/fields.input.ts';
import { addressFields, oneOrMore } from '../endpoints/endpoint.input.ts';
import { NOTICE_SUBSCRIPTIONS } from './notice.rules.ts';

const fields = {
  ...addressFields,
  notices: oneOrMore('NoticeSubscription', NOTICE_SUBSCRIPTIONS).describe(
    `One or more of ${NOTICE_SUBSCRIPTIONS.join(', ')}. The last one stands for all.`,
  ),
};

export const createNoticeInput = inputObject('CreateNoticeInput', 'A new endpoint for notices.', fields);

export const updateNoticeInput = patchObject(
  'UpdateNoticeInput',
  'The fields of an endpoint for notices to change, at least one.',
  fields,
);

export type NoticeEndpointInput = z.input<typeof createNoticeInput>;
export type NoticeEndpointPatch = z.input<typeof updateNoticeInput>;
