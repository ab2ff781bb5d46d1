import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { type Block, GUIDES, ROOT, readBlocks } from './guide-blocks.ts';
import { type Demo, useDemos } from './guide-demo.ts';
import { type Outcome, outcomeOf, type Recorder, startRecorder } from './recorder.ts';

const openDemo = useDemos();

/** Some guides call the command line, each time in a process of its own. */
const DEADLINE_MS = 120_000;

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = buildSchema(await readFile(join(ROOT, 'schema/schema.graphql'), 'utf8'));
});

const TRIED = GUIDES.map(file => ({ file, blocks: readBlocks(file) })).filter(({ blocks }) => blocks.length > 0);

test('The guides have commands and GraphQL documents', () => {
  const kinds = Object.groupBy(
    TRIED.flatMap(({ blocks }) => blocks),
    ({ kind }) => kind,
  );
  expect([kinds.shell?.length, kinds.graphql?.length].map(count => (count ?? 0) > 15)).toEqual([true, true]);
});

test.each(TRIED)(
  'Every command and GraphQL document of $file works on a fresh demo',
  { timeout: DEADLINE_MS },
  async ({ file, blocks }) => {
    const demo = await openDemo();
    const recorder = await startRecorder(demo.url);
    const folder = await mkdtemp(join(tmpdir(), 'guide-'));
    // Readers are in the folder of the project, whose contracts and examples guides name.
    await symlink(join(ROOT, 'schema'), join(folder, 'schema'));
    const failures: string[] = [];
    try {
      for (const block of blocks) {
        const failure = await attempt(block, { demo, recorder, folder });
        if (failure !== undefined) failures.push(`${file}:${block.line} ${failure}`);
      }
    } finally {
      recorder.close();
      await demo.close();
      await rm(folder, { recursive: true });
    }
    expect(failures).toEqual([]);
  },
);

/** The reader of a guide: at a demo, in a folder. */
interface Reader {
  readonly demo: Demo;
  readonly recorder: Recorder;
  readonly folder: string;
}

/** The error of a block; undefined if it works as its guide says. */
async function attempt(block: Block, reader: Reader): Promise<string | undefined> {
  const { demo, recorder, folder } = reader;
  if (block.kind === 'file') {
    await writeFile(join(folder, block.file ?? ''), block.text);
    return undefined;
  }
  if (block.kind === 'graphql') {
    const [invalid] = validate(schema, parse(block.text));
    if (invalid) return invalid.message;
    return compared(block, [await execute(block, demo)]);
  }
  const failure = await runCommands(block.text, reader);
  const outcomes = recorder.outcomes();
  return failure ?? compared(block, outcomes);
}

async function execute({ text, variables }: Block, { url, apiKey }: Demo): Promise<Outcome> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ query: text, variables }),
  });
  return outcomeOf(response.status, await response.text());
}

function compared({ outcomes }: Block, found: readonly Outcome[]): string | undefined {
  const unexpected = found.filter(({ status, code }, i) => {
    const wanted = outcomes[i] ?? 'ok';
    return wanted === 'ok' ? code !== undefined : wanted !== String(status) && wanted !== code;
  });
  if (found.length < outcomes.length) return `makes ${found.length} requests`;
  const [first] = unexpected;
  return first && `returns ${first.status} ${first.code ?? ''} ${first.detail ?? ''}`;
}

/** Variables that a block sets are kept for the blocks after it, as in the reader's shell. */
const SCRIPT = `
set -o pipefail
npm() { if [ "$1 $2 $3 $4" = 'run -s cli --' ]; then node "$ROOT/src/cli.ts" "\${@:5}"; else command npm "$@"; fi; }
if [ -e variables ]; then . ./variables; fi
eval "$BLOCK" || exit
declare -p | grep -E '^declare -- [A-Z][A-Z_]*=' | grep -vE ' (BASH|BLOCK|ROOT)' > variables || true
`;

async function runCommands(text: string, { demo, recorder, folder }: Reader): Promise<string | undefined> {
  const { apiKey, env } = demo;
  const block = text.replaceAll('http://localhost:3000', recorder.url);
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const settings = { ...env, PATH: path, ROOT, BLOCK: block, API_KEY: apiKey };
  try {
    await promisify(execFile)('bash', ['--norc', '-c', SCRIPT], { cwd: folder, env: settings });
    return undefined;
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return `exits with ${code}: ${stdout}${stderr}`;
  }
}
