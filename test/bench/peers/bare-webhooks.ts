import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

// The cost of deliveries without a database: it signs and posts, and keeps nothing. A request to it makes it post all
// its events.

/** The deliveries: each event to every one of its endpoints. */
export interface Work {
  readonly events: readonly { readonly id: string; readonly body: string; readonly endpoints: readonly number[] }[];
  readonly endpoints: readonly { readonly url: string; readonly secret: string }[];
}

const IN_FLIGHT = 256;

const { events, endpoints }: Work = JSON.parse(await readFile(String(process.env.WORK), 'utf8'));
const targets = endpoints.map(({ url, secret }) => {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname, secret: Buffer.from(secret.replace('whsec_', ''), 'base64') };
});
const origins = [...new Set(targets.map(({ origin }) => origin))];
const connections = Math.ceil(IN_FLIGHT / origins.length);
const pools = new Map(origins.map(origin => [origin, new Pool(origin, { connections, pipelining: 1 })]));
const deliveries = events.flatMap(({ id, body, endpoints }) =>
  endpoints.flatMap(i => {
    const target = targets[i];
    const pool = target && pools.get(target.origin);
    return pool ? [{ id, body, target, pool }] : [];
  }),
);

async function post({ id, body, target: { path, secret }, pool }: (typeof deliveries)[number]): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'bare',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${digest}`,
    },
    body,
  });
  await answer.body.dump();
  if (answer.statusCode !== 204) throw new Error(`Answered with ${answer.statusCode}`);
}

/** Posts a second. */
async function run(): Promise<number> {
  const startedAt = performance.now();
  const queue = deliveries.values();
  const loop = async () => {
    for (const delivery of queue) await post(delivery);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
  return (deliveries.length / (performance.now() - startedAt)) * 1000;
}

const server = createServer(async (_request, response) => response.end(JSON.stringify(await run())));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
