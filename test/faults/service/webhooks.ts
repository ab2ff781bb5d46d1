import { startUnreliableServer, type UnreliableServer } from './unreliable-server.ts';

/** The identity of an event of tracking in the request that recorded it and in its webhook. */
export const eventToken = (trackingNumber: string, at: number) => `${trackingNumber}@${at}`;

/** Receives webhooks and notes which events came, and which are still to come. */
export class WebhookReceiver {
  /** When each event that has not come was acknowledged, by `performance.now()`. */
  readonly #awaited = new Map<string, number>();
  readonly #arrived = new Map<string, number>();
  readonly #server: UnreliableServer;

  private constructor(server: UnreliableServer) {
    this.#server = server;
  }

  static async start(): Promise<WebhookReceiver> {
    let receiver: WebhookReceiver | undefined;
    const take = (body: Buffer) => {
      const { data } = JSON.parse(body.toString());
      if (data?.event) receiver?.arrive(eventToken(data.trackingNumber, Date.parse(data.event.timestamp)));
    };
    const server = await startUnreliableServer((_request, body, response) => {
      take(body);
      response.writeHead(204).end();
    }, take);
    receiver = new WebhookReceiver(server);
    return receiver;
  }

  get url(): string {
    return this.#server.url;
  }

  get fail(): UnreliableServer['fail'] {
    return this.#server.fail;
  }

  /** Called once the event was acknowledged. */
  await(token: string): void {
    if (!this.#arrived.has(token)) this.#awaited.set(token, performance.now());
  }

  arrive(token: string): void {
    this.#awaited.delete(token);
    this.#arrived.set(token, (this.#arrived.get(token) ?? 0) + 1);
  }

  /** Events that were acknowledged and have not come. */
  get awaited(): readonly string[] {
    return [...this.#awaited.keys()];
  }

  get missing(): number {
    return this.#awaited.size;
  }

  /** For how long the oldest of them has not come. */
  get oldestMs(): number {
    const [oldest] = this.#awaited.values();
    return oldest === undefined ? 0 : performance.now() - oldest;
  }

  /** Webhooks that came more than once. */
  get repeated(): number {
    return [...this.#arrived.values()].reduce((sum, times) => sum + times - 1, 0);
  }

  close(): void {
    this.#server.close();
  }
}
