// An assistant, as the SDK's client over HTTP.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { note } from '../support/log-watch.ts';
import type { Caller } from '../support/world.ts';

type Fields = Record<string, unknown>;

export interface Problem extends Fields {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly requestId: string;
  readonly errors?: readonly { pointer: string; code: string; message: string }[];
}

export interface Assistant {
  readonly client: Client;
  /** The data of a tool's result, which must not be an error. */
  ask<Data = Fields>(tool: string, given?: Fields): Promise<Data>;
  /** The problem of a tool's result, which must be an error. */
  problem(tool: string, given?: Fields): Promise<Problem>;
}

/** Connects an assistant with the key of a caller. */
export async function assistantOf(url: string, { apiKey }: Pick<Caller, 'apiKey'>): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${apiKey}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  const call = async (name: string, given: Fields) => {
    note('sent', JSON.stringify(given));
    const { content, isError = false } = (await client.callTool({ name, arguments: given })) as CallToolResult;
    expect(content).toHaveLength(1);
    const [one] = content;
    return { isError, value: JSON.parse(one?.type === 'text' ? one.text : '') as unknown };
  };
  return {
    client,
    ask: async <Data>(tool: string, given: Fields = {}) => {
      const { isError, value } = await call(tool, given);
      expect(isError, JSON.stringify(value)).toBe(false);
      return value as Data;
    },
    problem: async (tool, given = {}) => {
      const { isError, value } = await call(tool, given);
      expect(isError, JSON.stringify(value)).toBe(true);
      return value as Problem;
    },
  };
}
