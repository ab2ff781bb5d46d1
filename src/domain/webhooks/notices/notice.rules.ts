import type { Noticed } from '../../../platform/telemetry/metrics.ts';

/** What notices tell, each in words for the schema and the guides. */
export const NOTICES = {
  'notice.endpoint_failing':
    'Another endpoint has only failed for 50, 70 or 90 % of the five days after which it is disabled.',
  'notice.endpoint_disabled': 'The service disabled another endpoint.',
  'notice.endpoint_recovered': 'Another endpoint that was failing or disabled accepts deliveries again.',
  'notice.credentials_refused': 'A carrier refuses the credentials of a connection.',
  'notice.credentials_accepted': 'A carrier accepts the credentials of a connection again.',
  'notice.key_expiring': 'An API key expires within 14 days.',
  'notice.tariff_ending': 'The tariff of a carrier connection ends within 14 days.',
} as const satisfies Record<`notice.${Noticed}`, string>;

export type NoticeType = keyof typeof NOTICES;

export const NOTICE_TYPES = Object.keys(NOTICES) as readonly NoticeType[];

/** In a subscription: every notice, those of later versions too. */
export const EVERY_NOTICE = 'notice.*';

/** What may be subscribed to. */
export const NOTICE_SUBSCRIPTIONS: readonly string[] = [...NOTICE_TYPES, EVERY_NOTICE];

/** How long before the end of a key or a tariff there is a notice of it. */
export const NOTICE_DAYS = 14;

/** Whether a name is one of notices, known or not, and not one of tracking. */
export function isOfNotices(name: string): boolean {
  return name.startsWith('notice.');
}

/** Whether it is a notice, and not an event of tracking. */
export function isNotice(type: string): type is NoticeType {
  return Object.hasOwn(NOTICES, type);
}

/** Whether an endpoint that subscribes to these is to receive a notice. */
export function wantsNotice(subscribed: readonly string[], type: NoticeType): boolean {
  return subscribed.includes(type) || subscribed.includes(EVERY_NOTICE);
}

/** What the metrics call a kind of notice. */
export function noticed(type: NoticeType): Noticed {
  return type.slice('notice.'.length) as Noticed;
}
