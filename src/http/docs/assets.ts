import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';

const OWN = new URL('assets/', import.meta.url);
const own = (file: string) => new URL(file, OWN);
const packaged = (file: string) => new URL(import.meta.resolve(file));

/** Files for pages of the documentation: our own, and files of browser libraries. */
const FILES: Readonly<Record<string, { readonly url: URL; readonly type: string }>> = {
  'docs.css': { url: own('docs.css'), type: 'text/css' },
  'docs.js': { url: own('docs.js'), type: 'text/javascript' },
  'theme.js': { url: own('theme.js'), type: 'text/javascript' },
  'api-key.js': { url: own('api-key.js'), type: 'text/javascript' },
  'search.js': { url: own('search.js'), type: 'text/javascript' },
  'reference.js': { url: own('reference.js'), type: 'text/javascript' },
  'graphiql.css': { url: own('graphiql.css'), type: 'text/css' },
  'graphiql.js': { url: own('graphiql.js'), type: 'text/javascript' },
  ...Object.fromEntries(
    ['', '-graph', '-words', '-view', '-orders', '-tariff', '-invoice'].map(part => {
      const name = `import${part}.js`;
      return [name, { url: own(name), type: 'text/javascript' }];
    }),
  ),
  'import.css': { url: own('import.css'), type: 'text/css' },
  'ops.css': { url: own('ops.css'), type: 'text/css' },
  'ops.js': { url: own('ops.js'), type: 'text/javascript' },
  'icon.svg': { url: own('icon.svg'), type: 'image/svg+xml' },
  'minisearch.js': { url: packaged('minisearch'), type: 'text/javascript' },
  // Its package draws in 220 MB for this one file. `npm run update:scalar` replaces it.
  'scalar.js': { url: own('scalar.js.br'), type: 'text/javascript' },
};

type GraphiQL = typeof import('@graphql-yoga/render-graphiql/graphiql');

/** Files for GraphiQL, and the texts of its package that contain them. */
const GRAPHIQL: Readonly<Record<string, { readonly text: keyof GraphiQL; readonly type: string }>> = {
  'graphiql-bundle.css': { text: 'css', type: 'text/css' },
  'graphiql-bundle.js': { text: 'js', type: 'text/javascript' },
  'monaco-editor.worker.js': { text: 'editorWorkerService', type: 'text/javascript' },
  'monaco-json.worker.js': { text: 'jsonWorker', type: 'text/javascript' },
  'monaco-graphql.worker.js': { text: 'graphqlWorker', type: 'text/javascript' },
};

/** The versions of files that are too large to be read for the version of all. */
const VERSIONS = [own('scalar.json'), packaged('@graphql-yoga/render-graphiql/package.json')];

function isCompressed(url: URL): boolean {
  return url.pathname.endsWith('.br');
}

/** Part of an asset's address, which changes with its content, so that it may be cached permanently. */
const VERSION = hash(
  'sha1',
  [...Object.values(FILES).map(({ url }) => url), ...VERSIONS]
    .filter(url => !isCompressed(url))
    .map(url => readFileSync(url, 'utf8'))
    .join(''),
  'base64url',
).slice(0, 10);

export function assetPath(name: string): string {
  return `/docs/assets/${VERSION}/${name}`;
}

export interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

const loaded = new Map<string, Promise<Asset>>();

/** An asset, read and compressed once; undefined for an unknown name. */
export function asset(name: string): Promise<Asset> | undefined {
  const source = Object.hasOwn(FILES, name) ? FILES[name] : Object.hasOwn(GRAPHIQL, name) ? GRAPHIQL[name] : undefined;
  if (source === undefined) return undefined;
  const known = loaded.get(name);
  if (known) return known;
  const loading = load(source);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

/** A higher level takes three times as long, for 4 % less. */
const BROTLI_LEVEL = 5;

async function load(source: (typeof FILES | typeof GRAPHIQL)[string]): Promise<Asset> {
  const stored =
    'url' in source
      ? await readFile(source.url)
      : Buffer.from((await import('@graphql-yoga/render-graphiql/graphiql'))[source.text]);
  const isStoredAsBr = 'url' in source && isCompressed(source.url);
  const identity = isStoredAsBr ? await promisify(brotliDecompress)(stored) : stored;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL };
  const [gzipped, br] = await Promise.all([
    promisify(gzip)(identity),
    isStoredAsBr ? stored : promisify(brotliCompress)(stored, { params }),
  ]);
  return { type: source.type, etag: `"${VERSION}"`, identity, gzip: gzipped, br };
}
