import { expect, test } from 'vitest';
import { serviceStatement } from '../../src/platform/database/statements/statements.ts';
import { rowsWithin } from '../../src/platform/database/statements/transaction.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api' });

const DIVIDES = serviceStatement('test-divides', 'select 1 / $1::integer as one');
const noop = () => undefined;

test('A transaction fails with the error of the statement that failed first, whichever of those sent together is awaited', async () => {
  const failing = world.app.database.transaction(async em => {
    rowsWithin(em, DIVIDES, [0]).catch(noop);
    await rowsWithin(em, DIVIDES, [1]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
});
