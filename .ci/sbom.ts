import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Lock {
  readonly packages: Record<string, { dev?: boolean; link?: boolean; devDependencies?: unknown }>;
}

/**
 * The packages of a production installation with their licences as CycloneDX, by `npm sbom`, and the bundle of Scalar
 * that is kept with the code. With `--omit=dev` npm leaves out packages that
 * production needs and that development uses too, so it reads a lock file without what is for development.
 */
export function softwareBill(root: string): string {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { devDependencies, ...manifest } = read('package.json');
  const parent = mkdtempSync(join(tmpdir(), 'sbom-'));
  // npm gives the component the name of its folder.
  const folder = join(parent, manifest.name);
  try {
    mkdirSync(folder);
    const lock: Lock = read('package-lock.json');
    const packages = Object.entries(lock.packages).filter(
      ([path, one]) => path === '' || (path.startsWith('node_modules/') && !one.dev && !one.link),
    );
    const { devDependencies: _, ...top } = lock.packages[''] ?? {};
    const reduced = { ...lock, packages: { ...Object.fromEntries(packages), '': top } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(reduced));
    // Otherwise npm fails for peers that are optional and that somebody else needs in another version.
    const options = ['--package-lock-only', '--legacy-peer-deps', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const bill = JSON.parse(
      execFileSync('npm', ['sbom', ...options], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 }),
    );
    bill.components.push(bundle(read('src/http/docs/assets/scalar.json')));
    return `${JSON.stringify(bill, null, 2)}\n`;
  } finally {
    rmSync(parent, { recursive: true });
  }
}

interface Bundle {
  readonly package: string;
  readonly version: string;
  readonly sha256: string;
  readonly license: string;
}

function bundle({ package: name, version, sha256, license }: Bundle) {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    licenses: [{ license: { id: license } }],
  };
}
