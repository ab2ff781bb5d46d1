import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const OWN = new URL('assets/', import.meta.url);
const own = (file: string) => new URL(file, OWN);
const packaged = (file: string) => new URL(import.meta.resolve(file));

/** Files that pages of the documentation load: ours, and those of the libraries that run in the browser. */
const FILES: Readonly<Record<string, { readonly url: URL; readonly type: string }>> = {
  'docs.css': { url: own('docs.css'), type: 'text/css' },
  'docs.js': { url: own('docs.js'), type: 'text/javascript' },
  'theme.js': { url: own('theme.js'), type: 'text/javascript' },
  'api-key.js': { url: own('api-key.js'), type: 'text/javascript' },
  'search.js': { url: own('search.js'), type: 'text/javascript' },
  'reference.js': { url: own('reference.js'), type: 'text/javascript' },
  'icon.svg': { url: own('icon.svg'), type: 'image/svg+xml' },
  'minisearch.js': { url: packaged('minisearch'), type: 'text/javascript' },
  'scalar.js': {
    url: new URL('browser/standalone.js', packaged('@scalar/api-reference')),
    type: 'text/javascript',
  },
};

/** In an asset's address, so that it may be kept for good: another when anything changes. */
const VERSION = hash(
  'sha1',
  [...Object.values(FILES).map(({ url }) => url), new URL('../package.json', packaged('@scalar/api-reference'))]
    .filter(url => !url.pathname.endsWith('standalone.js'))
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

/** An asset, read and compressed once; undefined where there is none of that name. */
export function asset(name: string): Promise<Asset> | undefined {
  if (!Object.hasOwn(FILES, name)) return undefined;
  const found = loaded.get(name) ?? load(name);
  loaded.set(name, found);
  return found;
}

/** 4 MB of Scalar take a tenth of a second, and are no larger by 4 % than at the level that takes three times as long. */
const BROTLI_LEVEL = 5;

async function load(name: string): Promise<Asset> {
  const { url, type } = FILES[name] as (typeof FILES)[string];
  const identity = await readFile(url);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL };
  const [gzipped, br] = await Promise.all([promisify(gzip)(identity), promisify(brotliCompress)(identity, { params })]);
  return { type, etag: `"${VERSION}"`, identity, gzip: gzipped, br };
}
