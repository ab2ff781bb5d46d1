import type { Noticed } from '../../../../platform/telemetry/metrics.ts';

/** The kinds of notices, in words for the schema and the guides. */
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

/** In a subscription: every notice, including kinds that later versions add. */
export const EVERY_NOTICE = 'notice.*';

export const NOTICE_SUBSCRIPTIONS: readonly string[] = [...NOTICE_TYPES, EVERY_NOTICE];

/** How many days before the end of a key or a tariff its notice is written. */
export const NOTICE_DAYS = 14;

export function isNotice(type: string): type is NoticeType {
  return Object.hasOwn(NOTICES, type);
}

/** Whether an endpoint with this subscription receives a notice. */
export function wantsNotice(subscribed: readonly string[], type: NoticeType): boolean {
  return subscribed.includes(type) || subscribed.includes(EVERY_NOTICE);
}

/** The label of a kind of notice in the metrics. */
export function noticed(type: NoticeType): Noticed {
  return type.slice('notice.'.length) as Noticed;
}
