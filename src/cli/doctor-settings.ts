import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Config, VARIABLES } from '../config.ts';
import { commandName } from '../platform/command-name.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const GIB = 1024 ** 3;
const SCARCE_BYTES = GIB;
const FULL_BYTES = GIB / 10;

/** Reports settings that are valid but weaken security. */
export function examineSettings(config: Config, variables: readonly string[]): Finding[] {
  const { webhookPolicy, databaseUrl, secretsKey, demo, carrierSandboxUrl, publicUrl, host } = config;
  const { isProduction, isPractice } = config;
  const isShared = databaseUrl !== undefined;
  const isReachable = !['127.0.0.1', '::1', 'localhost'].includes(host);
  const loose = [
    webhookPolicy.allowHttp &&
      warn('settings', 'WEBHOOK_ALLOW_HTTP allows webhooks without encryption', 'set it for experiments only'),
    webhookPolicy.allowPrivate.length > 0 &&
      warn(
        'settings',
        'WEBHOOK_ALLOW_PRIVATE lets webhooks reach private networks',
        'leave it out, or keep its networks as small as possible',
      ),
    isPractice &&
      warn('settings', 'PRACTICE keeps workers from sending webhooks and asking carriers', 'set it on a copy only'),
    isShared &&
      demo &&
      warn('settings', 'DEMO creates a company whose key is printed', 'set DEMO=false or NODE_ENV=production'),
    carrierSandboxUrl !== undefined &&
      warn(
        'settings',
        'CARRIER_SANDBOX_URL lets companies connect accounts of the sandbox',
        'leave it out if only real carriers are to be asked',
      ),
    isShared &&
      secretsKey === undefined &&
      warn(
        'settings',
        'SECRETS_KEY is not set, so each DATA_DIR has a key of its own',
        `set the same for every process; \`${commandName()} secrets key\` makes one`,
      ),
    (isProduction || isReachable) &&
      publicUrl === undefined &&
      warn(
        'settings',
        `PUBLIC_URL is not set ${isProduction ? 'in production' : `and HOST is ${host}`}, so links lead to the listening address`,
        'set PUBLIC_URL to the address that callers use',
      ),
    ...misspelt(variables),
  ].filter(finding => finding !== false);
  return loose.length > 0 ? loose : [ok('settings', 'the settings of this shell are valid and safe')];
}

/** Warns of environment variables that nothing reads, and whose names resemble the name of a setting. */
export function misspelt(variables: readonly string[]): Finding[] {
  return variables.flatMap(name => {
    const meant = settingMeantBy(name.toUpperCase());
    if (meant === undefined) return [];
    return [warn('settings', `${name} is not a setting and is ignored: did you mean ${meant}?`, `set ${meant}`)];
  });
}

function settingMeantBy(name: string): string | undefined {
  const unsuffixed = name.replace(/_FILE$/, '');
  if (unsuffixed !== name && VARIABLES.includes(unsuffixed)) return unsuffixed;
  const near = VARIABLES.map(setting => ({ setting, edits: distance(name, setting) })).filter(
    ({ setting, edits }) => edits <= Math.min(2, setting.length / 5),
  );
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.setting;
}

/** The edit distance of two texts: insertions, deletions and replacements. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Checks the free space in the data folder, if it holds the embedded database. */
export async function examineDisk({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl !== undefined) return [];
  const { bavail, bsize } = await statfs(await existing(dataDir));
  const free = bavail * bsize;
  const found = `${(free / GIB).toFixed(1)} GiB are free in ${dataDir}`;
  const advice = 'make room, or set DATA_DIR to a folder on another disk';
  if (free < FULL_BYTES) return [fail('disk', found, advice)];
  return [free < SCARCE_BYTES ? warn('disk', found, advice) : ok('disk', found)];
}

/** The folder, or the nearest existing one above it. */
async function existing(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : existing(dirname(folder));
}
