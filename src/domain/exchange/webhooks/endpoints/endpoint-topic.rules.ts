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
