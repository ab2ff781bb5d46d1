import { note } from './log-watch.ts';

export interface GraphQLAnswer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly errors?: readonly {
    message: string;
    locations?: { line: number; column: number }[];
    path?: (string | number)[];
    extensions: {
      code: string;
      status: number;
      requestId: string;
      requiredScope?: string;
      errors?: { pointer: string; code: string; message: string }[];
    };
  }[];
}

export function graphqlClient(url: string, apiKey: string) {
  return async <Data>(query: string, variables: Record<string, unknown> = {}): Promise<GraphQLAnswer<Data>> => {
    const body = JSON.stringify({ query, variables });
    for (const text of [query, body]) note('sent', text);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body,
    });
    const text = await response.text();
    note('issued', text);
    return { status: response.status, ...(JSON.parse(text) as Omit<GraphQLAnswer<Data>, 'status'>) };
  };
}
