import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * `npm run update:scalar -- 1.72.1`: takes Scalar's bundle for browsers out of its package. It is one file of 4.4 MB, and
 * its package draws in another 220 MB, so the file is kept with the code.
 */
const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write('Name a version, such as `npm run update:scalar -- 1.72.1`.\n');
  process.exit(2);
}

const assets = new URL('../src/http/docs/assets/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'scalar-'));
try {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', `@scalar/api-reference@${version}`], { cwd: folder, encoding: 'utf8' }),
  );
  execFileSync('tar', ['-xzf', packed.filename], { cwd: folder });
  const read = (file: string) => readFileSync(join(folder, 'package', file));
  const bundle = read('dist/browser/standalone.js');
  const sha256 = createHash('sha256').update(bundle).digest('hex');
  const { license, author } = JSON.parse(read('package.json').toString());
  const source = { package: '@scalar/api-reference', version, integrity: packed.integrity, sha256, license, author };
  writeFileSync(
    new URL('scalar.js.br', assets),
    brotliCompressSync(bundle, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  );
  writeFileSync(new URL('scalar.json', assets), `${JSON.stringify(source, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
