import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compressed = promisify(gzip);
const SWAGGER = new URL(import.meta.resolve('swagger-ui-dist/package.json'));
const OWN = new URL('assets/', import.meta.url);

/** Files that pages of the documentation load: ours, and Swagger UI's from its package. */
const FILES = {
  'style.css': { url: new URL('style.css', OWN), type: 'text/css' },
  'reference.js': { url: new URL('reference.js', OWN), type: 'text/javascript' },
  'swagger-ui.css': { url: new URL('swagger-ui.css', SWAGGER), type: 'text/css' },
  'swagger-ui-bundle.js': { url: new URL('swagger-ui-bundle.js', SWAGGER), type: 'text/javascript' },
} as const satisfies Record<string, { url: URL; type: string }>;

export type AssetName = keyof typeof FILES;

/** In an asset's address, so that it may be kept for good: another when anything changes. */
export const ASSETS_VERSION = hash(
  'sha1',
  [new URL('style.css', OWN), new URL('reference.js', OWN), SWAGGER].map(file => readFileSync(file, 'utf8')).join(''),
  'base64url',
).slice(0, 10);

export function assetPath(name: AssetName): string {
  return `/docs/assets/${ASSETS_VERSION}/${name}`;
}

export function isAsset(name: string): name is AssetName {
  return Object.hasOwn(FILES, name);
}

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

const loaded = new Map<AssetName, Promise<Asset>>();

/** An asset, read and compressed once. */
export function asset(name: AssetName): Promise<Asset> {
  const found = loaded.get(name) ?? load(name);
  loaded.set(name, found);
  return found;
}

async function load(name: AssetName): Promise<Asset> {
  const { url, type } = FILES[name];
  const bytes = await readFile(url);
  return { type, bytes, gzipped: await compressed(bytes) };
}
