import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, type Json } from './processes.ts';
import { ITALY, tariffOf, useTariffCommands, whole, zone } from './tariff-files.ts';

const given = useTariffCommands();
const { run, json, connection, stored, fileOf, quoteOn } = given;

/** ITALY with a dearer band, a band more, and a zone of its own for Palermo. */
const NEXT = tariffOf(
  zone('italia', { countries: ['IT'] }, [10, 5.5], [20, 8], [30, 12]),
  zone('palermo', { postalCodes: ['90139'] }, [30, 20]),
);
const CHANGES = [
  { path: 'versions/2020-01-01/zones/italia/bands/10/price', change: 'changed', before: 5, after: 5.5 },
  {
    path: 'versions/2020-01-01/zones/italia/bands/30',
    change: 'added',
    before: null,
    after: { upToKg: 30, price: 12 },
  },
  {
    path: 'versions/2020-01-01/zones/palermo',
    change: 'added',
    before: null,
    after: expect.objectContaining({ code: 'palermo' }),
  },
];

const next = () => fileOf('next.json', JSON.stringify(NEXT));

describe('tariff import --dry-run', () => {
  test('shows each change by its path, and prices before and after, and imports nothing', async () => {
    const id = await connection(ITALY);
    const preview = await json('import', await next(), '--connection', `${id}`, '--dry-run');
    expect(preview).toMatchObject({ replaces: true, changes: CHANGES });
    const priceOf = (shipment: string, place: RegExp) =>
      preview.prices.find((one: Json) => one.shipment === shipment && place.test(one.to));
    expect(priceOf('parcel of 1 kg', /Milano/)).toMatchObject({ before: '5.00', after: '5.50' });
    expect(priceOf('parcel of 1 kg', /Palermo/)).toMatchObject({ before: '5.00', after: '20.00' });
    expect(priceOf('parcel of 30 kg', /Milano/)).toMatchObject({ before: null, after: '12.00' });
    expect((await stored(id)).document).toEqual(whole(ITALY));

    const { stdout } = await run('import', await next(), '--connection', `${id}`, '--dry-run');
    expect(stdout).toContain('~ from 2020-01-01: zone italia, up to 10 kg, price: 5.00 → 5.50 (+10 %)\n');
    expect(stdout).toContain('+ from 2020-01-01: zone italia, up to 30 kg: added (price 12.00)\n');
    expect(stdout).toMatch(/│ parcel of 1 kg +│ IT 90139 Palermo +│ 5\.00 +│ 20\.00 +│/);
  });

  test('names the case where nothing is replaced, and where nothing changes', async () => {
    const [bare, same] = [await connection(), await connection(NEXT)];
    const file = await next();
    const dryRun = async (id: number) => (await run('import', file, '--connection', `${id}`, '--dry-run')).stdout;
    expect(await dryRun(bare)).toMatch(/no tariff yet/);
    expect(await dryRun(same)).toMatch(/^Nothing changes/);
    // Neither needs a confirmation.
    expect(answerOf(await run('import', file, '--connection', `${bare}`, '--json'))).toMatchObject({ zones: 2 });
    expect(answerOf(await run('import', file, '--connection', `${same}`, '--json'))).toMatchObject({ zones: 2 });
  });
});

describe('an import that replaces a tariff', () => {
  test('shows the same and asks, and needs --yes where nobody can be asked', async () => {
    const id = await connection(ITALY);
    const args = ['import', await next(), '--connection', `${id}`];
    const refused = await run(...args);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expectSentence(refused.stderr);
    expect(refused.stderr).toContain('--yes');
    const asked = (types: string) => inProcess(['tariff', ...args], given.settings, { columns: 80, types });
    const no = await asked('n');
    expect(no).toMatchObject({ code: 1, stdout: '' });
    expect(no.stderr).toContain('~ from 2020-01-01: zone italia, up to 10 kg, price: 5.00 → 5.50 (+10 %)\n');
    expect((await stored(id)).document).toEqual(whole(ITALY));
    expect(await asked('yes')).toMatchObject({ code: 0 });
    expect((await stored(id)).document).toEqual(whole(NEXT));
  });

  test('keeps the old one with --backup, and prints the command that brings it back', async () => {
    const id = await connection(ITALY);
    const backup = join(given.folder, 'backup.json');
    const args = ['import', await next(), '--connection', `${id}`, '--yes', '--backup', backup];
    const { code, stderr } = await run(...args);
    expect(code).toBe(0);
    expect(JSON.parse(await readFile(backup, 'utf8'))).toEqual(whole(ITALY));
    await expect.poll(() => quoteOn(id)).toMatchObject({ basePrice: 20 });
    const [, back = ''] = /npm run -s cli -- tariff (import .*)\n$/.exec(stderr) ?? [];
    expect(answerOf(await run(...back.split(' '), '--yes', '--json'))).toMatchObject({ name: 'Listino' });
    await expect.poll(() => quoteOn(id)).toMatchObject({ basePrice: 5 });
    expect((await stored(id)).document).toEqual(whole(ITALY));
  });
});
