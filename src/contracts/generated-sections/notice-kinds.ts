import { noticeKinds as kinds } from '../../domain/webhooks/notices/notice.payload.ts';
import { code, table } from './markdown.ts';

/** The notices that an endpoint can receive, with their meaning. */
export function noticeKinds(): string {
  return table(
    ['Notice', 'What happened', '`data`'],
    kinds().map(({ type, meaning, fields }) => [code(type), meaning, fields.map(code).join(', ')]),
  );
}
