export const MAX_ACTIVE = 10;

/** The topics of endpoints, in words for the schema and the guides. An endpoint keeps its topic. */
export const TOPICS = {
  tracking: 'Events of shipments.',
  notices: 'Notices about endpoints, credentials, API keys and tariffs.',
} as const;

export type Topic = keyof typeof TOPICS;

/** The SQL condition for the topic of an endpoint under an alias. */
export function isOfTopic(alias: string, topic: Topic): string {
  return `${alias}.topic = '${topic}'`;
}

/** The states of an endpoint, in words for the schema and the guides. */
export const ENDPOINT_STATES = {
  active: 'Events are delivered at once.',
  paused: 'The company paused it. Deliveries are held back until it is resumed.',
  backing_off: 'It failed five times in a row. Deliveries are held back, and one is attempted from time to time.',
  catching_up: 'It works again. Deliveries that were held back are sent, oldest first.',
  disabled: 'It was deleted or disabled. Nothing is sent.',
} as const;

export type EndpointState = keyof typeof ENDPOINT_STATES;

/**
 * The SQL expression of an endpoint's state, for a row of `webhook_endpoint` under an alias. The state follows from four
 * columns and is not stored, so this is the only place that derives it.
 */
export function endpointState(alias: string): string {
  const state = (name: EndpointState) => `'${name}'`;
  return `case when not ${alias}.is_active then ${state('disabled')} when ${alias}.paused_at is not null then ${state('paused')}
      when ${alias}.breaker = 'open' then ${state('backing_off')} when ${alias}.breaker is not null then ${state('catching_up')}
      else ${state('active')} end`;
}

/** Whether deliveries to an endpoint in this state are held back until it changes. */
export function holdsBack(state: EndpointState): boolean {
  return state === 'paused' || state === 'backing_off';
}
