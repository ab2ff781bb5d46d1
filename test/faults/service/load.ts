import { setTimeout } from 'node:timers/promises';
import { RECIPIENT } from '../../support/platform-side.ts';
import type { Company } from './company.ts';
import { Gate } from './gate.ts';
import { Ledger } from './ledger.ts';
import { type Known, LIVES, type Step } from './lives.ts';
import { Observations } from './observations.ts';
import { readsOf } from './reads.ts';
import { ServiceClient, Unexpected } from './service-client.ts';
import { eventToken, type WebhookReceiver } from './webhooks.ts';

const FEEDERS = 3;
const READERS = 2;
/** So many shipments are walked together, and each batch has one event of each. */
const SHIPMENTS = 20;
const EVENTS_OF_EACH = 20;
const PAUSE_MS = 40;
/** Events wait while more webhooks than these are to come: the load is as much as this machine can do, and not more. */
const MAX_AWAITED = 200;
/** Each moves a shipment on and sends a webhook. */
const STATUSES = ['IN_TRANSIT', 'OUT_FOR_DELIVERY', 'DELIVERY_FAILED', 'PICKUP_POINT', 'DELAYED'];

/** All that callers do to the service meanwhile: every endpoint of REST, every query and every mutation of the graph. */
export class Load {
  readonly seen = new Observations();
  readonly ledger = new Ledger();
  readonly client: ServiceClient;
  /** The receivers of webhooks; with statuses, only for these. */
  readonly receivers: { readonly receiver: WebhookReceiver; readonly statuses?: readonly string[] }[];
  readonly #company: Company;
  readonly #receiver: WebhookReceiver;
  readonly #gate = new Gate();
  /** Whether it is a release before this one, of which only REST and the batches are known. */
  readonly #isEarlier: boolean;
  #isEnding = false;
  #lives = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(urls: readonly string[], company: Company, receiver: WebhookReceiver, isEarlier: boolean) {
    this.#isEarlier = isEarlier;
    this.client = new ServiceClient(urls, company.apiKey, this.#gate, this.seen);
    this.#company = company;
    this.#receiver = receiver;
    this.receivers = [{ receiver }];
  }

  start(): void {
    const forever = async (work: () => Promise<void>) => {
      while (!this.#isEnding) {
        await work().catch((error: unknown) => {
          // It is noted, and the rest of this life cannot be lived.
          if (!(error instanceof Unexpected)) throw error;
        });
        await setTimeout(PAUSE_MS);
      }
    };
    const reads = readsOf(this.#company, this.client, this.#isEarlier);
    this.#running = Promise.all([
      ...Array.from({ length: FEEDERS }, () => forever(() => this.#feed())),
      ...(this.#isEarlier ? [] : LIVES).map(steps => forever(() => this.#live(steps))),
      forever(() => this.#restWarehouse()),
      forever(() => this.#restWebhook()),
      ...Array.from({ length: READERS }, () => forever(async () => reads())),
    ]);
    // The caller that awaits the end gets the error.
    this.#running.catch(() => undefined);
  }

  /** Returns once no request is under way; those that were not answered are sent again after `resume`. */
  async pause(): Promise<void> {
    this.#gate.close();
    while (this.client.inFlight > 0) await setTimeout(PAUSE_MS);
  }

  resume(): void {
    this.#gate.open();
  }

  /** Returns once everything that was begun is answered. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.resume();
    await this.#running;
  }

  #newKnown(): Known {
    const number = ++this.#lives;
    return { token: `T${number}`, number, company: this.#company };
  }

  async #live(steps: readonly Step[]): Promise<void> {
    let known = this.#newKnown();
    for (const { mutation, input, reads = '', learns, leaves, accepts, changesNothing } of steps) {
      const query = `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) {
        ${mutation}(input: $input) { ${reads} userErrors { code pointer message } } }`;
      const records = leaves?.(known) ?? [];
      for (const record of records) this.ledger.intend(...record);
      const call = this.client.graphql(mutation, query, { input: input(known) }, accepts);
      const { code, body } = await this.client.acknowledged(call, !changesNothing);
      for (const [kind, token] of records) this.ledger.acknowledge(kind, token);
      // It was carried out, and nobody can say any more what it returned.
      if (code === 'idempotency_answer_lost') return;
      if (code === undefined && learns) known = { ...known, ...learns(body.data[mutation]) };
      await setTimeout(PAUSE_MS);
    }
  }

  async #restWarehouse(): Promise<void> {
    const { token } = this.#newKnown();
    const step = async (
      method: 'POST' | 'PATCH' | 'DELETE',
      path: string,
      body: object | undefined,
      ...left: string[]
    ) => {
      this.ledger.intend('warehouse', token, ...left);
      // A second attempt finds what the first has deleted.
      const accepts = method === 'DELETE' ? ['warehouse_not_found'] : [];
      const answer = await this.client.acknowledged(this.client.rest(method, path, body, accepts), method === 'POST');
      this.ledger.acknowledge('warehouse', token);
      return answer;
    };
    const fields = { typeId: 4, postalCode: '37137', city: 'Verona', state: 'VR', country: 'IT' };
    const { body } = await step(
      'POST',
      '/warehouses',
      { ...fields, name: token, address: 'Via Prima 1' },
      'Via Prima 1',
    );
    if (body?.id === undefined) return;
    await step('PATCH', `/warehouses/${body.id}`, { address: 'Via Seconda 2' }, 'Via Seconda 2');
    await step('DELETE', `/warehouses/${body.id}`, undefined);
  }

  async #restWebhook(): Promise<void> {
    const { token } = this.#newKnown();
    const webhook = { label: token, url: 'http://127.0.0.1:9/', events: ['tracking.delivered'] };
    this.ledger.intend('endpoint', token, 'active');
    const { body } = await this.client.acknowledged(this.client.rest('POST', '/webhooks', webhook), true);
    this.ledger.acknowledge('endpoint', token);
    if (body?.id === undefined) return;
    this.ledger.intend('endpoint', token, 'deleted');
    await this.client.acknowledged(this.client.rest('DELETE', `/webhooks/${body.id}`));
    this.ledger.acknowledge('endpoint', token);
  }

  /** Orders, their shipments and the events of these, as a platform sends them: in batches, and without keys. */
  async #feed(): Promise<void> {
    const { token } = this.#newKnown();
    const numbers = Array.from({ length: SHIPMENTS }, (_, i) => `${token}F${i}`);
    const { connection } = this.#company;
    await this.#batch('order', 'upsertOrders', 'orders', numbers, '10', orderNumber => ({
      orderNumber,
      recipient: RECIPIENT,
      codAmount: '10',
    }));
    const shipments = (weight: string) =>
      this.#batch('shipment', 'upsertShipments', 'shipments', numbers, weight, trackingNumber => ({
        carrierConnectionId: connection,
        trackingNumber,
        orderNumber: trackingNumber,
        weight,
      }));
    await shipments('1');
    const start = Date.now() - 3_600_000;
    for (let turn = 0; turn < EVENTS_OF_EACH && !this.#isEnding; turn++) {
      while (this.#receiver.missing > MAX_AWAITED && !this.#isEnding) await setTimeout(PAUSE_MS);
      const statusCode = STATUSES[turn % STATUSES.length] ?? '';
      const at = start + turn * 1_000;
      const tokens = numbers.map(number => eventToken(number, at));
      await this.#batch('event', 'recordTrackingEvents', 'events', tokens, statusCode.toLowerCase(), eventOf => ({
        trackingNumber: eventOf.split('@')[0],
        occurredAt: new Date(at).toISOString(),
        statusCode,
      }));
      for (const { receiver, statuses } of this.receivers) {
        if (statuses?.includes(statusCode) ?? true) for (const one of tokens) receiver.await(one);
      }
    }
    await shipments('2');
  }

  async #batch(
    kind: 'order' | 'shipment' | 'event',
    mutation: string,
    list: string,
    tokens: readonly string[],
    state: string,
    itemOf: (token: string) => object,
  ): Promise<void> {
    for (const token of tokens) this.ledger.intend(kind, token, state);
    const items = tokens.map(itemOf);
    const query = `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) {
      ${mutation}(input: $input) { rejected results { outcome code } userErrors { code pointer message } } }`;
    const call = this.client.graphql(mutation, query, { input: { [list]: items } });
    const { body } = await this.client.acknowledged(call);
    if (body.data[mutation].rejected > 0) {
      this.seen.wrong('unexpected', `${mutation}: ${JSON.stringify(body.data[mutation].results[0])}`);
      return;
    }
    for (const token of tokens) this.ledger.acknowledge(kind, token);
    await setTimeout(PAUSE_MS);
  }
}
