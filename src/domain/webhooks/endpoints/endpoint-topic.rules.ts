/** What an endpoint receives, in words for the schema and the guides. An endpoint keeps its topic. */
export const TOPICS = {
  tracking: 'Events of shipments.',
  notices: 'Notices about endpoints, credentials, API keys and tariffs.',
} as const;

export type Topic = keyof typeof TOPICS;

/** The SQL condition that an endpoint under an alias is of a topic. */
export function isOfTopic(alias: string, topic: Topic): string {
  return `${alias}.topic = '${topic}'`;
}
