import { builder } from '../../graphql/builder.ts';
import type { Metadata } from './metadata.rules.ts';

/** Metadata of orders and shipments in the graph: pairs, so that clients have a type for them. */

interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

export const MetadataEntryRef = builder.objectRef<MetadataEntry>('MetadataEntry').implement({
  description: 'A key of the metadata of an order or a shipment, and its value.',
  fields: t => t.columns('String', { key: 'The key.', value: 'The value.' }),
});

/** The pairs by key, since a list has an order and JSON in PostgreSQL has its own. */
export function metadataEntries(metadata: Metadata): MetadataEntry[] {
  const entries = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  return entries.sort((one, other) => (one.key < other.key ? -1 : 1));
}
