import { describe, expect, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, type Json } from './processes.ts';
import { ITALY, tariffOf, useTariffCommands, whole, zone } from './tariff-files.ts';

// Previews of imports, the history of a tariff, and the return to an earlier one.

const given = useTariffCommands();
const { run, json, connection, stored, fileOf, quoteOn } = given;

const DEARER = tariffOf(zone('italia', { countries: ['IT'] }, [10, 5.5], [20, 8]));
const dearer = () => fileOf('next.json', JSON.stringify(DEARER));

/** A connection whose tariff was imported by the graph, and replaced by a command. */
async function replaced(): Promise<number> {
  const id = await connection(ITALY);
  await json('import', await dearer(), '--connection', `${id}`, '--yes', '--name', 'Aumento di maggio');
  return id;
}

const idsOf = async (id: number): Promise<string[]> =>
  (await json('history', `${id}`)).revisions.map(({ databaseId }: Json) => `${databaseId}`);

describe('`tariff import`', () => {
  test('shows with `--dry-run` what would change, with prices, and imports nothing', async () => {
    const id = await connection(ITALY);
    const args = ['import', await dearer(), '--connection', `${id}`, '--dry-run'];
    const { tariffDiff, tariffRevision } = await json(...args);
    expect(tariffRevision).toBeNull();
    expect(tariffDiff.changes).toMatchObject([
      { text: 'from 2020-01-01: zone italia, up to 10 kg, price: 5.00 → 5.50 (+10 %)' },
    ]);
    const { stdout } = await run(...args);
    expect(stdout).toMatch(/│ parcel of 1 kg +│ IT 20121 Milano +│ 5\.00 +│ 5\.50 +│/);
    expect((await stored(id)).document).toEqual(whole(ITALY));
  });

  test('asks before it replaces a tariff, and needs `--yes` where nobody can answer', async () => {
    const id = await connection(ITALY);
    const args = ['import', await dearer(), '--connection', `${id}`];
    const refused = await run(...args);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expectSentence(refused.stderr);
    expect(refused.stderr).toContain('--yes');
    const words = ['tariff', ...args, '--company', given.caller.companyId];
    const asked = (types: string) => inProcess(words, given.settings, { columns: 80, types });
    expect(await asked('n')).toMatchObject({ code: 1, stdout: '' });
    expect((await stored(id)).document).toEqual(whole(ITALY));
    expect(await asked('yes')).toMatchObject({ code: 0 });
    expect((await stored(id)).document).toEqual(whole(DEARER));
  });
});

describe('`tariff history`', () => {
  test('lists the revisions with who imported them, and the drafts', async () => {
    const id = await replaced();
    await given.caller.graphql(
      'mutation ($input: CreateTariffDraftInput!) { createTariffDraft(input: $input) { tariffRevision { id } userErrors { code pointer message } } }',
      { input: { carrierConnectionId: id, tariff: ITALY, name: 'Bozza' } },
    );
    const history: Json = await json('history', `${id}`);
    expect(history).toMatchObject({
      revisions: [
        { number: 2, name: 'Aumento di maggio', state: 'IN_FORCE', author: 'OPERATOR', restoredNumber: null },
        { number: 1, name: 'Listino', state: 'REPLACED', apiKeyLabel: 'Test' },
      ],
      drafts: [{ number: null, name: 'Bozza', state: 'DRAFT' }],
    });
    const diff = await json('diff', '--to', `${history.drafts[0].databaseId}`);
    expect(diff.changes).toMatchObject([
      { part: 'ZONE', aspect: 'PRICE', text: expect.stringContaining('5.50 → 5.00') },
    ]);
    const [second = '', first = ''] = await idsOf(id);
    expect((await json('diff', '--from', first, '--to', second)).changes).toHaveLength(1);
  });

  test('fails with a sentence for a connection that does not exist', async () => {
    const { code, stderr } = await run('history', '2000000000');
    expect(code).toBe(1);
    expectSentence(stderr);
  });
});

test('`tariff rollback` restores the old tariff as a new revision', async () => {
  const id = await replaced();
  const [, first = ''] = await idsOf(id);
  const args = ['rollback', '--to', first];
  expect(await run(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
  expect(answerOf(await run(...args, '--yes', '--json'))).toMatchObject({
    number: 3,
    name: 'Listino',
    restoredNumber: 1,
  });
  expect((await stored(id)).document).toEqual(whole(ITALY));
  expect(await quoteOn(id)).toMatchObject({ basePrice: 5 });
});
