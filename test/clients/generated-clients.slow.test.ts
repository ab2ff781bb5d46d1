import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Demo, useDemos } from '../docs/guide-demo.ts';
import { CALLS } from '../examples/calls.ts';
import { asked } from './demo-calls.ts';
import { PROGRAMS, type Program } from './guide-programs.ts';
import { TYPE_PROGRAMS } from './type-programs.ts';

/** Clients that are generated from the contracts: they compile strictly, and work with a live service. */

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const openDemo = useDemos();

let demo: Demo;
let folder: string;
/** The messages of the compiler, by the folder of the program. */
let diagnostics: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  demo = await openDemo();
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
  // The libraries of this folder and of the project.
  await symlink(here('../../node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'clients'));
  await symlink(here('node_modules'), join(folder, 'clients/node_modules'));
  for (const program of PROGRAMS) for (const [path, text] of program.files) await save(program.folder, path, text);
  for (const [name, text] of Object.entries(TYPE_PROGRAMS)) await save(name, 'src/types.ts', text);
  const args = ['--import', here('resolution.ts'), here('generate.ts'), join(folder, 'clients')];
  const { stdout } = await run(process.execPath, args, { cwd: here('.') });
  diagnostics = JSON.parse(stdout.split('\n').at(-2) ?? '');
}, 120_000);
afterAll(async () => {
  await demo?.close();
  if (folder) await rm(folder, { recursive: true });
});

async function save(program: string, path: string, text: string): Promise<void> {
  const file = join(folder, 'clients', program, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text.replaceAll('http://localhost:3000', demo.url));
}

async function outputOf({ folder: name, main }: Program): Promise<string> {
  const file = join(folder, 'clients', name, main);
  const env = { ...process.env, API_KEY: demo.apiKey };
  const { stdout } = await run(process.execPath, ['--import', here('resolution.ts'), file], { env });
  return stdout;
}

describe('The guide', () => {
  test('has a program for each library that is tested here', () => {
    const folders = PROGRAMS.map(program => program.folder);
    expect(folders).toEqual(['openapi-fetch', 'hey-api', 'orval', 'graphql-codegen', 'gql.tada', 'apollo']);
  });

  test.each(PROGRAMS)('has a program that compiles strictly: $title', ({ folder: name }) => {
    expect(diagnostics[name]).toEqual([]);
  });

  test.concurrent.each(PROGRAMS)('has a program that prints what it shows: $title', async program => {
    expect(await outputOf(program)).toBe(program.output);
  });
});

describe('The schemas that orval makes for zod', () => {
  test('fit every response of every operation', async () => {
    const schemas = await import(pathToFileURL(join(folder, 'clients/orval/src/shipping.zod.ts')).href);
    const tried = new Set<string>();
    for await (const { operation, status, body } of asked(demo)) {
      const name = `${operation[0]?.toUpperCase()}${operation.slice(1)}Response`;
      if (status === 204) expect(body).toBeUndefined();
      else expect(schemas[name].safeParse(body).error, operation).toBeUndefined();
      tried.add(operation);
    }
    expect(tried).toEqual(new Set(CALLS.map(call => call.operation)));
  });
});
