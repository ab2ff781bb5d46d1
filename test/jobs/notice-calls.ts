import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import type { Caller } from '../support/world.ts';

/** A notice as it is posted. */
export interface Notice {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly company: { readonly id: string; readonly name: string };
  readonly environment: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly data: any;
}

interface NoticeEndpoint {
  readonly webhookEndpoint: { readonly id: string };
  readonly secret: string;
}

export const CREATE_NOTICE = `mutation ($input: CreateNoticeEndpointInput!) {
  createNoticeEndpoint(input: $input) {
    webhookEndpoint { id topic label url events notices allCompanies state }
    secret userErrors { code pointer message }
  }
}`;

export function createNoticeEndpoint(
  caller: Pick<Caller, 'graphql'>,
  url: string,
  notices: readonly string[] = ['notice.*'],
): Promise<NoticeEndpoint> {
  return ask<NoticeEndpoint>(caller, CREATE_NOTICE, { input: { label: 'On-call', url, notices } });
}

const SCHEMA = JSON.parse(
  readFileSync(new URL('../../schema/events/notice.schema.json', import.meta.url), 'utf8'),
) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const isNotice = ajv.compile(SCHEMA);

/** Fails for a body that is not as the schema says. */
export function expectNotice(body: unknown): void {
  expect(isNotice(body), ajv.errorsText(isNotice.errors)).toBe(true);
}

/** Receivers of notices, for all tests of a file. */
export function useNotices() {
  const receivers: Receiver[] = [];
  afterAll(async () => {
    await Promise.all(receivers.map(receiver => receiver.close()));
  });

  /** An endpoint for notices of a company, with its receiver. */
  async function listen(caller: Pick<Caller, 'graphql'>, notices?: readonly string[]) {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const { webhookEndpoint, secret } = await createNoticeEndpoint(caller, receiver.url, notices);
    /** The received requests, verified as a receiver does: each is signed, and matches the schema. */
    const read = ({ body, headers }: Received): Notice => {
      const notice = new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as Notice;
      expectNotice(notice);
      expect(headers['webhook-id']).toBe(notice.id);
      return notice;
    };
    /** The first `n` notices, once they are there. */
    const first = async (n: number) => (await receiver.waitFor(n)).map(read);
    const soFar = () => receiver.requests.map(read);
    return { id: webhookEndpoint.id, receiver, first, soFar };
  }

  return { listen };
}

export const kindsOf = (notices: readonly Notice[]) => notices.map(({ type }) => type.replace('notice.', ''));
