// Requests to the sandbox itself.
import { afterAll, beforeAll } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/stand-ins.ts';

/** In the night of 24 to 25 October 2026 the hour from two to three comes twice in Italy: at 00:30 and 01:30 UTC. */
export const START = new Date('2026-10-24T20:30:40Z');
export const HANG_MS = 150;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly json: any;
}

/** A sandbox whose clock stands still. */
export function useSandboxCalls() {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ carriers: [gls, brt], start: START });
  });
  afterAll(() => sandbox.close());

  async function ask(path: string, init?: RequestInit): Promise<Answer> {
    const response = await fetch(sandbox.url + path, init);
    const body = Buffer.from(await response.arrayBuffer());
    const text = body.toString('utf8');
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  return {
    ask,
  };
}
