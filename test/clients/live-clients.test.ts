import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { Client, fetchExchange, gql as urqlDocument } from '@urql/core';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';
import { EventSource } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import { connectCarrier, shipment, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

// Clients as they come from their registries, each of which watches the changes of a company.

const world = useSharedWorld();
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** The cursor before the first change. Without a cursor, a stream begins when it is opened, and changes may come first. */
const START = Buffer.from('change:0:0').toString('base64url');
const CHANGES = `subscription ($after: String = "${START}") {
  changes(after: $after) { nodes { number } pageInfo { endCursor } }
}`;

interface Watched {
  readonly changes: { readonly nodes: readonly { number: number }[] };
}

let made = 0;
async function company() {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  return { caller, change: () => upsertShipments(caller, [shipment(connection, `L${++made}`)]) };
}

/** Has two changes happen, the second after the first has been seen. */
async function seesChanges(seen: readonly number[], change: () => Promise<unknown>): Promise<void> {
  for (const number of [1, 2]) {
    await change();
    await vi.waitFor(() => expect(seen).toEqual([1, 2].slice(0, number)), { timeout: 20_000 });
  }
}

const numbersIn = (data: Watched | null | undefined) => data?.changes.nodes.map(({ number }) => number) ?? [];
const sseClient = ({ apiKey }: Caller) =>
  createClient({ url: `${world.app.url}/graphql`, headers: { 'x-api-key': apiKey }, retryAttempts: 0 });

test('The client graphql-sse receives changes', async () => {
  const { caller, change } = await company();
  const seen: number[] = [];
  const client = sseClient(caller);
  endings.push(() => client.dispose());
  const { promise: failed, reject } = Promise.withResolvers<never>();
  client.subscribe<Watched>(
    { query: CHANGES },
    { next: ({ data }) => void seen.push(...numbersIn(data)), error: reject, complete: () => undefined },
  );
  await Promise.race([seesChanges(seen, change), failed]);
});

test('The client urql receives changes', async () => {
  const { caller, change } = await company();
  const seen: number[] = [];
  const client = new Client({
    url: `${world.app.url}/graphql`,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    fetchOptions: { headers: { 'x-api-key': caller.apiKey } },
  });
  const { unsubscribe } = client.subscription<Watched>(urqlDocument(CHANGES), {}).subscribe(({ data, error }) => {
    if (error) throw error;
    seen.push(...numbersIn(data));
  });
  endings.push(unsubscribe);
  await seesChanges(seen, change);
});

test('The client Apollo Client receives changes over graphql-sse', async () => {
  const { caller, change } = await company();
  const seen: number[] = [];
  const sse = sseClient(caller);
  const link = new ApolloLink(
    ({ query, variables }) =>
      new Observable(observer => sse.subscribe({ query: print(query), variables }, observer as never)),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const subscription = client.subscribe<Watched>({ query: gql(CHANGES) }).subscribe(({ data }) => {
    seen.push(...numbersIn(data));
  });
  endings.push(
    () => subscription.unsubscribe(),
    () => sse.dispose(),
  );
  await seesChanges(seen, change);
});

/** The server between a web page and the service, which adds the key. */
async function addKey({ apiKey }: Caller): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, 'x-api-key': apiKey };
    const outgoing = request(`${world.app.url}${incoming.url}`, { headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy()).end();
    response.on('close', () => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('The client EventSource receives changes through a server that adds the key, and continues after an interruption', async () => {
  const { caller, change } = await company();
  const seen: number[] = [];
  const { url, server } = await addKey(caller);
  const source = new EventSource(`${url}/graphql?query=${encodeURIComponent(CHANGES)}`, {
    node: { reconnectionTime: 50 },
  });
  endings.push(() => source.close());
  source.addEventListener('next', message => {
    const { data } = message as MessageEvent<string>;
    seen.push(...numbersIn((JSON.parse(data) as { data: Watched }).data));
  });
  await seesChanges(seen, change);
  server.closeAllConnections();
  await change();
  await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]), { timeout: 20_000 });
});

test('The program of the guide receives changes', async () => {
  const { caller, change } = await company();
  const guide = readFileSync(new URL('../../src/docs/changes.md', import.meta.url), 'utf8');
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
  const seen: number[] = [];
  const text = program.replace('http://localhost:3000', world.app.url).replace('let after;', `let after = '${START}';`);
  const args = ['--input-type=module', '-e', text];
  const env = { ...process.env, API_KEY: caller.apiKey };
  const node = spawn(process.execPath, args, { env, cwd: new URL('.', import.meta.url) });
  endings.push(() => node.kill());
  createInterface({ input: node.stdout }).on('line', line => void seen.push(JSON.parse(line).number));
  await seesChanges(seen, change);
});

test('The command curl -N receives changes', async () => {
  const { caller, change } = await company();
  const seen: number[] = [];
  const body = JSON.stringify({ query: CHANGES });
  const headers = ['-H', `x-api-key: ${caller.apiKey}`, '-H', 'content-type: application/json'];
  const curl = spawn('curl', ['-sN', ...headers, '-d', body, `${world.app.url}/graphql`]);
  endings.push(() => curl.kill());
  let text = '';
  curl.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    seen.splice(0, seen.length, ...[...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number)));
  });
  await seesChanges(seen, change);
});
