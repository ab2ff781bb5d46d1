import { beforeAll, expect, test, vi } from 'vitest';
import { operators } from '../support/operators.ts';
import { freePort } from '../support/ports.ts';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, DEADLINE_MS, type Env, type Json, useProcesses } from './processes.ts';

const PASSWORD = 'password-of-the-operators';
const processes = useProcesses();
const world = useWorld({ ROLE: 'api', OPS_USERS: operators({ ops: PASSWORD }) });

let settings: Env;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});

/** The addresses that a page loads. */
const assetsOf = (html: string) =>
  Array.from(html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g), ([, path = '']) => path);

const authorization = (password: string) => ({
  authorization: `Basic ${Buffer.from(`ops:${password}`).toString('base64')}`,
});

const statusNow = async (): Promise<Json> => answerOf(await inProcess(['--json', 'status'], settings));

test('A process that works jobs is shown as a worker, and serves the page with all that it loads', async () => {
  const port = await freePort();
  const program = processes.start({
    ...settings,
    ROLE: 'worker',
    PORT: String(port),
    OPS_USERS: operators({ ops: PASSWORD }),
  });
  await vi.waitFor(
    async () => {
      const { processes: connected } = await statusNow();
      expect(connected.map(({ role, worksJobs }: Json) => [role, worksJobs])).toEqual([
        ['api', false],
        ['worker', true],
      ]);
    },
    { timeout: DEADLINE_MS, interval: 200 },
  );
  const url = `http://127.0.0.1:${port}`;
  const html = await (await fetch(`${url}/ops`, { headers: authorization(PASSWORD) })).text();
  expect(html).toContain('2 processes are connected. 1 of them works jobs.');
  for (const path of assetsOf(html)) expect((await fetch(url + path)).status).toBe(200);
  program.kill('SIGTERM');
  expect((await program.ended()).code).toBe(0);
}, 60_000);

test('`status --watch` prints the status again until it is stopped', async () => {
  const program = processes.startCli(['--json', 'status', '--watch', '1'], settings);
  await program.said(/^\{.*\}\n\{.*\}$/m);
  program.kill('SIGINT');
  expect(await program.ended()).toMatchObject({ code: 0, stderr: '' });
  const [first, second] = program.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).at);
  expect(Date.parse(second)).toBeGreaterThan(Date.parse(first));
});
