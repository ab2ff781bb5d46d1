import { EventReader } from '../../support/event-reader.ts';
import type { GraphQLAnswer } from '../../support/graphql-client.ts';
import type { Service } from './service.ts';

/** The first event of a subscription, or the response that rejects it; afterwards the stream is closed. */
export async function firstEvent(
  { url }: Service,
  { apiKey }: { readonly apiKey: string },
  query: string,
  variables: Record<string, unknown>,
  lastEventId?: string,
): Promise<GraphQLAnswer<Record<string, unknown>>> {
  const reader = await EventReader.open({ url, apiKey, query, variables, lastEventId });
  try {
    const { status, headers } = reader.response;
    if (!headers.get('content-type')?.startsWith('text/event-stream')) {
      return { status, ...((await reader.response.json()) as Omit<GraphQLAnswer<Record<string, unknown>>, 'status'>) };
    }
    const [first] = await reader.until(({ length }) => length > 0);
    return { status, ...first?.data };
  } finally {
    reader.close();
  }
}
