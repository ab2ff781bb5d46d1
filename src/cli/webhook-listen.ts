import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { z } from 'zod';
import { verify } from '../domain/exchange/webhooks/secrets/secret.rules.ts';
import { StartupError } from '../platform/startup-error.ts';
import { optionNamed } from './option-names.ts';
import { stopCalled, wantsJson, words } from './options.ts';

const HOST = '127.0.0.1';
const MAX_BODY_BYTES = 1024 * 1024;
const ANSWER_WITHIN_MS = 10_000;

export interface ListenOptions {
  readonly key: string;
  readonly url: string;
  readonly port: number;
  readonly events: string;
  readonly label: string;
}

/** Registers a receiver as an endpoint, prints its webhooks, and deletes the endpoint when it is stopped. */
export async function listenForWebhooks(options: ListenOptions, command: Command): Promise<void> {
  const { key, url: service, port, events, label } = options;
  const asJson = wantsJson(command);
  // Signals are caught from the start: one during the registration would leave the endpoint behind.
  const stopped = stopCalled();
  const webhooks = `${service}/api/v1/integrations/webhooks`;
  // A delivery may arrive before the response with the secret.
  const { promise: secret, resolve: knowSecret } = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    try {
      const [body, known] = await Promise.all([bodyOf(request), secret]);
      const isVerified = body !== null && verify(known, request.headers, body, new Date());
      print(deliveryOf(request, body, isVerified), asJson);
      response.writeHead(isVerified ? 204 : body === null ? 413 : 400).end();
    } catch {
      // The sender has gone.
      response.destroy();
    }
  });
  try {
    const url = `http://${HOST}:${await open(server, port)}/`;
    const wanted = { label, url, events: words(events) };
    const registered = Registered.safeParse(await ask('POST', webhooks, key, command, wanted)).data;
    if (!registered) throw new StartupError(`${service} is not a Shipping Integrations API: check --url.`);
    const { id } = registered;
    knowSecret(registered.secret);
    try {
      const test = testLine(service, key, id);
      process.stdout.write(
        asJson
          ? `${JSON.stringify({ endpointId: id, url, test })}\n`
          : `Webhook endpoint ${id}, listening on ${url} until Ctrl-C. Send it a test event:\n${test}\n\n`,
      );
      await stopped;
    } finally {
      await ask('DELETE', `${webhooks}/${id}`, key, command).catch(error => {
        throw error instanceof StartupError ? new StartupError(`${error.message} Endpoint ${id} stays there.`) : error;
      });
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Listens, and returns the port. */
async function open(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartupError(`Cannot listen on ${HOST}:${port} (${code}): choose another --port, or none.`);
  });
  return (server.address() as AddressInfo).port;
}

const Registered = z.object({ id: z.string(), secret: z.string() });

const Problem = z.object({
  code: z.string(),
  detail: z.string().default(''),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), message: z.string() })).default([]),
});

/** Issues for which a local service must be started with loosened settings. */
const NEEDS_PERMISSION: ReadonlySet<string> = new Set(['blocked_address', 'https_required']);

/** Returns the body. @throws StartupError if the service cannot be reached, or rejects the request */
async function ask(
  method: 'POST' | 'DELETE',
  url: string,
  key: string,
  command: Command,
  body?: object,
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
    throw new StartupError(`The service at ${new URL(url).origin} can't be reached (${code ?? error.name}).`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { data: problem } = Problem.safeParse(answer);
  if (!problem) throw new StartupError(`${url} returned ${response.status}, but not as the service does: check --url.`);
  throw new StartupError(refusal(problem, command));
}

function refusal({ code, detail, errors }: z.infer<typeof Problem>, command: Command): string {
  if (errors.length === 0) return `The service rejected the request: ${detail} (${code})`;
  const wrong = errors
    .map(({ pointer, message, code }) => `${optionNamed(pointer.slice(1).split('/'), command)} ${message} (${code})`)
    .join('; ');
  const isForbidden = errors.some(error => NEEDS_PERMISSION.has(error.code));
  const advice = ' Start the service with WEBHOOK_ALLOW_PRIVATE=127.0.0.0/8 WEBHOOK_ALLOW_HTTP=true.';
  return `The service rejected the request: ${wrong}.${isForbidden ? advice : ''}`;
}

function testLine(service: string, key: string, endpointId: string): string {
  const query = `mutation { sendTestEvent(input: { endpointId: "${endpointId}" }) { webhookDelivery { id status } userErrors { code pointer message } } }`;
  const headers = `-H 'x-api-key: ${key}' -H 'content-type: application/json'`;
  return `curl -s ${headers} -d '${JSON.stringify({ query })}' '${service}/graphql'`;
}

/** Null for a body that is too large; it is read to its end, because its sender would see no response otherwise. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString();
}

const text = z.string().nullable().catch(null);
/** All fields are optional, because a forged body is shown too. */
const ReceivedEvent = z
  .object({
    type: text,
    sequence: z.number().nullable().catch(null),
    data: z.object({ trackingNumber: text, status: text }).catch({ trackingNumber: null, status: null }),
  })
  .catch({ type: null, sequence: null, data: { trackingNumber: null, status: null } });

function deliveryOf({ headers }: IncomingMessage, text: string | null, verified: boolean) {
  const body = parsed(text);
  const { data, ...event } = ReceivedEvent.parse(body);
  return { at: new Date().toISOString(), verified, id: headers['webhook-id'] ?? null, ...event, ...data, body };
}

/** Returns the text itself if it is not JSON. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return text;
  }
}

function print(delivery: ReturnType<typeof deliveryOf>, asJson: boolean): void {
  const { at, verified, type, sequence, trackingNumber, status } = delivery;
  const words = [at, verified ? 'verified' : 'NOT VERIFIED', type, `#${sequence ?? '–'}`, trackingNumber, status];
  // Anyone may send anything here, including control characters of a terminal.
  const line = words.map(word => (word ?? '–').replace(/\p{Cc}/gu, '?')).join('  ');
  process.stdout.write(`${asJson ? JSON.stringify(delivery) : line}\n`);
}
