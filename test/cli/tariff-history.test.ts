import { describe, expect, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, type Json } from './processes.ts';
import { ITALY, tariffOf, useTariffCommands, whole, zone } from './tariff-files.ts';

const given = useTariffCommands();
const { run, json, connection, stored, fileOf, quoteOn } = given;

const DEARER = tariffOf(zone('italia', { countries: ['IT'] }, [10, 5.5], [20, 8]));

/** A connection whose tariff was imported by the graph, and replaced by a command. */
async function replaced(): Promise<number> {
  const id = await connection(ITALY);
  const file = await fileOf('next.json', JSON.stringify(DEARER));
  await json('import', file, '--connection', `${id}`, '--yes', '--name', 'Aumento di maggio');
  return id;
}

describe('tariff history', () => {
  test('lists the revisions with who imported them, and the drafts', async () => {
    const id = await replaced();
    await given.caller.graphql(
      'mutation ($input: CreateTariffDraftInput!) { createTariffDraft(input: $input) { tariffRevision { id } userErrors { code pointer message } } }',
      { input: { carrierConnectionId: id, tariff: ITALY, name: 'Bozza' } },
    );
    const history: Json = await json('history', `${id}`);
    expect(history).toMatchObject([
      { number: 2, name: 'Aumento di maggio', state: 'in_force', author: 'operator', restored: null },
      { number: 1, name: 'Listino', state: 'replaced', author: 'Test' },
      { number: null, name: 'Bozza', state: 'draft' },
    ]);
    const diff = await json('diff', `${id}`, '--draft', `${history[2].id}`);
    expect(diff.changes).toMatchObject([{ before: 5.5, after: 5 }]);
  });

  test('of a connection that is not there says so', async () => {
    const { code, stderr } = await run('history', '2000000000');
    expect(code).toBe(1);
    expectSentence(stderr);
    expect(stderr).toContain('2000000000');
  });
});

describe('tariff diff', () => {
  test('shows what the newest revision changed, in words and with prices', async () => {
    const id = await replaced();
    const { stdout } = await run('diff', `${id}`);
    expect(stdout).toContain('~ from 2020-01-01: zone italia, up to 10 kg, price: 5.00 → 5.50 (+10 %)\n');
    expect(stdout).toMatch(/│ parcel of 1 kg +│ IT 20121 Milano +│ 5\.00 +│ 5\.50 +│/);
    expect((await json('diff', `${id}`, '--from', '2', '--to', '1')).changes).toMatchObject([
      { part: 'zone', aspect: 'price', zone: 'italia', upToKg: 10, before: 5.5, after: 5 },
    ]);
  });

  test.each([
    [['--to', '3'], 'numbers 1 to 2'],
    [['--to', '1'], 'Revision 1 is the first one'],
    [['--to', '1', '--draft', '1'], 'Give either --to or --draft'],
  ])('with %j says what is wrong', async (args, said) => {
    const id = await replaced();
    const { code, stderr } = await run('diff', `${id}`, ...args);
    expect(code).toBe(2);
    expectSentence(stderr);
    expect(stderr).toContain(said);
  });
});

describe('tariff rollback', () => {
  test('shows what it changes and asks, and brings the old tariff back as a new revision', async () => {
    const id = await replaced();
    const args = ['rollback', `${id}`, '--to', '1'];
    const refused = await run(...args);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--yes');
    const asked = (types: string) => inProcess(['tariff', ...args], given.settings, { columns: 80, types });
    const no = await asked('n');
    expect(no).toMatchObject({ code: 1, stdout: '' });
    expect(no.stderr).toContain('price: 5.50 → 5.00 (-9.1 %)\n');
    expect((await stored(id)).document).toEqual(whole(DEARER));
    expect(answerOf(await run(...args, '--yes', '--json'))).toEqual({
      connection: id,
      number: 3,
      name: 'Listino',
      restored: 1,
    });
    expect((await stored(id)).document).toEqual(whole(ITALY));
    expect(await quoteOn(id)).toMatchObject({ basePrice: 5 });
    expect(await json('history', `${id}`)).toMatchObject([{ number: 3, author: 'operator', restored: 1 }, {}, {}]);
  });
});
