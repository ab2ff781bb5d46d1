import { expect, test } from 'vitest';
import configureMikroOrm from '../../mikro-orm.config.ts';
import { inProcess } from './in-process.ts';
import { useProcesses } from './processes.ts';

// MikroORM's own command line on the service's database.

const processes = useProcesses();

test.each(['schema:drop', 'schema:fresh', 'schema:create', 'migration:fresh', 'migration:down'])(
  'The command %s, which drops tables or makes them without migrations, is rejected, and names the command that migrates',
  command => {
    const { argv } = process;
    process.argv = ['node', 'mikro-orm', command];
    try {
      expect(configureMikroOrm).toThrow('npm run cli -- migrate');
    } finally {
      process.argv = argv;
    }
  },
);

test('A database that lost tables is found by `migrate` and by the doctor', async () => {
  const databaseUrl = await processes.database('migrated');
  const client = await processes.connect(databaseUrl);
  await client.query(
    'drop table idempotent_request; drop index webhook_event_age; alter table shipment drop column metadata',
  );
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: await processes.dataDir() };
  const migrated = await inProcess(['migrate'], settings);
  expect([migrated.code, migrated.stderr]).toEqual([
    1,
    expect.stringContaining('Nothing to migrate, but the database lacks'),
  ]);
  const { stdout } = await inProcess(['doctor', '--json'], settings);
  const shape = (JSON.parse(stdout) as { check: string; status: string; found: string }[]).find(
    one => one.check === 'shape',
  );
  expect(shape).toMatchObject({
    status: 'fail',
    found: expect.stringMatching(/column idempotent_request\..*and \d+ more/),
  });
});
