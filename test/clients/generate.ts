import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// `node --import ./resolution.ts generate.ts FOLDER`: has each generator make what the guide has it make, in the folder of
// its program, from the contracts that are checked in. All in one process, since starting takes them longer than the work.

const [, , folder = ''] = process.argv;
const contract = (name: string) => fileURLToPath(new URL(`../../schema/${name}`, import.meta.url));
const OPENAPI = contract('openapi.json');
const SDL = contract('schema.graphql');
const SCALARS = { Date: 'string', DateTime: 'string', Decimal: 'string', URL: 'string', UUID: 'string' };

const GENERATORS: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'openapi-fetch'() {
    const { default: generate, astToString } = await import('openapi-typescript');
    const types = await generate(new URL(`file://${OPENAPI}`), { defaultNonNullable: false });
    await writeFile(join(folder, 'openapi-fetch/src/shipping.d.ts'), astToString(types));
  },
  async 'hey-api'() {
    const { createClient } = await import('@hey-api/openapi-ts');
    const output = join(folder, 'hey-api/src/shipping');
    await createClient({ input: OPENAPI, output, logs: { level: 'silent' } });
  },
  async orval() {
    const { generate } = await import('orval');
    const target = join(folder, 'orval/src/shipping.zod.ts');
    await generate({ input: { target: OPENAPI }, output: { target, client: 'zod' } });
  },
  async 'graphql-codegen'() {
    const { generate } = await import('@graphql-codegen/cli');
    const generates = {
      [join(folder, 'graphql-codegen/src/gql/')]: {
        preset: 'client' as const,
        config: { useTypeImports: true, scalars: SCALARS },
      },
    };
    const documents = [join(folder, 'graphql-codegen/src/*.ts')];
    await generate({ schema: SDL, documents, generates, silent: true }, true);
  },
  // It has no API.
  async 'gql.tada'() {
    const program = fileURLToPath(import.meta.resolve('gql.tada/package.json')).replace('package.json', 'bin/cli.js');
    const resolution = fileURLToPath(new URL('resolution.ts', import.meta.url));
    await writeFile(join(folder, 'gql.tada/schema.graphql'), await readFile(SDL));
    const run = promisify(execFile);
    await run(process.execPath, ['--import', resolution, program, 'generate', 'output'], {
      cwd: join(folder, 'gql.tada'),
    });
  },
};

await Promise.all(Object.values(GENERATORS).map(generate => generate()));

const { default: ts } = await import('typescript');
const files = ts.sys.readDirectory(folder, ['.ts'], ['**/node_modules', '**/codegen.ts']);
const program = ts.createProgram(files, {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
});
const found: Record<string, string[]> = Object.fromEntries(
  files.map(file => [relative(folder, file).split(sep)[0] ?? '', []]),
);
for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
  const file = diagnostic.file?.fileName ?? folder;
  const { line = 0 } = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0) ?? {};
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  found[relative(folder, file).split(sep)[0] ?? '']?.push(`${relative(folder, file)}:${line + 1} ${text}`);
}
process.stdout.write(`\n${JSON.stringify(found)}\n`);
