import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import newman from 'newman';
import converter from 'openapi-to-postmanv2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/http/rest/endpoints.ts';
import { type Demo, useDemos } from '../docs/guide-demo.ts';
import { freePort } from '../support/ports.ts';
import { asked } from './demo-calls.ts';
import { prepared } from './postman-collection.ts';

/** Tools that read the OpenAPI document: a proxy that validates what passes through it, and a collection for Postman. */

const OPENAPI = new URL('../../schema/openapi.json', import.meta.url);
const openDemo = useDemos();
const operations = ENDPOINTS.map(({ operation }) => operation).toSorted();

describe('Prism, as a proxy that validates,', () => {
  let demo: Demo;
  let prism: Proxy;
  beforeAll(async () => {
    demo = await openDemo();
    prism = await startPrism(demo.url);
  });
  afterAll(async () => {
    await prism?.stop();
    await demo?.close();
  });

  test('finds nothing wrong with any operation', async () => {
    const passed = new Set<string>();
    for await (const { operation, status, body, headers } of asked({ ...demo, url: prism.url })) {
      expect([operation, headers.get('sl-violations'), status < 300 ? '' : body]).toEqual([operation, null, '']);
      passed.add(operation);
    }
    expect([...passed].toSorted()).toEqual(operations);
  });

  test('would find what the document does not allow', async () => {
    const path = `${prism.url}/api/v1/integrations/shipments/quote`;
    const headers = { 'x-api-key': demo.apiKey, 'content-type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: '{"orderId":1,"warehouseId":1}' });
    expect(await response.json()).toMatchObject({ validation: expect.any(Array) });
  });
});

interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** A program of its own, as its users start it. */
async function startPrism(upstream: string): Promise<Proxy> {
  const port = await freePort();
  const program = fileURLToPath(import.meta.resolve('@stoplight/prism-cli/dist/index.js'));
  const args = ['proxy', fileURLToPath(OPENAPI), upstream, '--errors', '--port', String(port)];
  const prism = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    // Read to the end, since it writes a line for each request.
    prism.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('Prism is listening')) resolve();
    });
    prism.once('exit', () => reject(new Error(`Prism did not start: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      const exited = once(prism, 'exit');
      prism.kill();
      await exited;
    },
  };
}

test('Newman runs the collection that Postman makes of the document, and each request succeeds', async () => {
  const demo = await openDemo();
  const outcomes = await runCollection(demo).finally(() => demo.close());
  expect(outcomes.map(({ name }) => name).toSorted()).toEqual(ENDPOINTS.map(({ summary }) => summary).toSorted());
  expect(outcomes.filter(({ status }) => status < 200 || status > 299)).toEqual([]);
});

interface Outcome {
  readonly name: string;
  readonly status: number;
}

let collection: object;
beforeAll(async () => {
  const data = readFileSync(OPENAPI, 'utf8');
  collection = await new Promise<object>((resolve, reject) => {
    // As the guide says that it is to be imported.
    converter.convertV2({ type: 'string', data }, { parametersResolution: 'Example' }, (error, made) => {
      const [output] = made?.output ?? [];
      if (output) resolve(prepared(output.data));
      else reject(error ?? new Error(made?.reason));
    });
  });
});

function runCollection({ url, apiKey }: Demo): Promise<Outcome[]> {
  const variables = { baseUrl: url, apiKey };
  const envVar = Object.entries(variables).map(([key, value]) => ({ key, value }));
  return new Promise((resolve, reject) => {
    newman.run({ collection, envVar }, (error, summary) => {
      if (error) reject(error);
      const executions = summary.run.executions;
      resolve(executions.map(({ item, response }) => ({ name: item.name, status: response?.code ?? 0 })));
    });
  });
}
