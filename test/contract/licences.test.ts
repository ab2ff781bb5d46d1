import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Licences of packages that a product under the MIT licence can ship, if it keeps their notices. */
const SHIPPABLE = [
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'Unlicense', 'Python-2.0', 'PSF-2.0', '(MIT OR CC0-1.0)'],
];

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

test('Every package of production, and the bundle that is kept with the code, has a licence that can be shipped', () => {
  const packages: Record<string, { dev?: boolean; link?: boolean; license?: string }> =
    read('package-lock.json').packages;
  const shipped = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  expect(shipped.length).toBeGreaterThan(300);
  const licences = [...shipped, ['scalar.js.br', read('src/http/docs/assets/scalar.json')] as const].map(
    ([path, { license }]) => ({ path, license }),
  );
  expect(licences.filter(({ license = '' }) => !SHIPPABLE.includes(license))).toEqual([]);
});
