/** The content of a collection: requests, in folders. */
interface Item {
  readonly name: string;
  readonly item?: Item[];
  readonly request?: {
    readonly url: { readonly path?: readonly string[]; readonly variable?: { key: string; value: string }[] };
  };
  event?: object[];
}

/**
 * The collection as a reader of the guide completes it: `baseUrl` and the key come from the environment, and webhook
 * endpoints in paths are the one that was created, whose id nobody knows before.
 */
export function prepared(made: object): object {
  const collection = structuredClone(made) as { item: Item[]; variable?: object[] };
  collection.variable = [];
  const requests = requestsOf(collection.item);
  const request = (name: string) => {
    const found = requests.find(one => one.name.startsWith(name));
    if (!found) throw new Error(`The collection has no request "${name}"`);
    return found;
  };
  request('Create a webhook endpoint').event = [
    { listen: 'test', script: { exec: ["pm.environment.set('webhookId', pm.response.json().id)"] } },
  ];
  for (const one of requests) {
    const { path = [], variable = [] } = one.request?.url ?? {};
    if (path.includes('webhooks')) for (const named of variable) named.value = '{{webhookId}}';
  }
  return collection;
}

function requestsOf(items: readonly Item[]): Item[] {
  return items.flatMap(one => (one.item ? requestsOf(one.item) : [one]));
}
