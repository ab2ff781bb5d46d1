import { PgBoss } from 'pg-boss';

/** pg-boss over a database, as an operator has it. */
export async function withBoss<Result>(
  { databaseUrl }: { readonly databaseUrl: string },
  work: (boss: PgBoss) => Promise<Result>,
): Promise<Result> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 1,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  try {
    return await work(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}
