import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run update:lock`, after a change of packages: takes the engines of packages out of the lock file.
 *
 * npm compares them with the Node that runs npm. The packages run on another one, which the lock file pins, so the warnings
 * about an older Node of a user's would be wrong, and an optional package that they concern would not be installed at all.
 */

const FILE = join(import.meta.dirname, '../package-lock.json');
const THIS_PROJECT = '';

const lock: { packages: Record<string, { engines?: unknown }> } = JSON.parse(readFileSync(FILE, 'utf8'));
for (const [path, locked] of Object.entries(lock.packages)) if (path !== THIS_PROJECT) delete locked.engines;
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
