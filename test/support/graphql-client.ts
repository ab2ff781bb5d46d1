export interface GraphQLAnswer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly errors?: readonly {
    message: string;
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
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, ...((await response.json()) as Omit<GraphQLAnswer<Data>, 'status'>) };
  };
}
