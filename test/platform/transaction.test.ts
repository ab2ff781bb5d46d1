import { expect, test } from 'vitest';
import { serviceStatement } from '../../src/platform/database/statements.ts';
import { rollBackToSavepoint, rowsWithin, setSavepoint } from '../../src/platform/database/transaction.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api' });

const DIVIDES = serviceStatement('test-divides', 'select 1 / $1::integer as one');
const CASTS = serviceStatement('test-casts', 'select $1::integer as one');
const noop = () => undefined;

test('a transaction fails for the statement that failed first, whichever of those sent together is waited for', async () => {
  const failing = world.app.database.transaction(async em => {
    rowsWithin(em, DIVIDES, [0]).catch(noop);
    await rowsWithin(em, DIVIDES, [1]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
});

test('it does not fail for what it went back from', async () => {
  const failing = world.app.database.transaction(async em => {
    await setSavepoint(em);
    await rowsWithin(em, DIVIDES, [0]).catch(noop);
    await rollBackToSavepoint(em);
    rowsWithin(em, CASTS, ['no number']).catch(noop);
    await rowsWithin(em, DIVIDES, [1]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22P02' });
});
