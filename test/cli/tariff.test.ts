import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { INSTANT } from '../support/instants.ts';
import { connectCarrier } from '../support/platform-side.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Json } from './processes.ts';
import { demo, demoTariff, ITALY, tariffOf, useTariffCommands, whole, zone } from './tariff-files.ts';

const given = useTariffCommands();
const { check, fileOf, run, connection, stored, world, json, quoteOn } = given;

describe.concurrent('tariff check needs no database', () => {
  test.each([
    { carrier: 'brt', versions: 1, zones: 6 },
    { carrier: 'dhl', versions: 1, zones: 9 },
    { carrier: 'gls', versions: 2, zones: 14 },
    { carrier: 'inpost', versions: 1, zones: 4 },
    { carrier: 'poste', versions: 1, zones: 5 },
  ])('of $carrier', async ({ carrier, versions, zones }) => {
    const tariff = await demoTariff(carrier);
    const all = tariff.versions.flatMap((version: Json) => version.zones);
    expect(all).toHaveLength(zones);
    const places = all.reduce((sum: number, { to }: Json) => sum + Object.values(to).flat().length, 0);
    const bands = all.reduce((sum: number, one: Json) => sum + (one.bands ?? []).length, 0);
    expect(answerOf(await check(demo(carrier)))).toEqual({ file: demo(carrier), versions, zones, places, bands });
    await expect(access(given.nowhere.DATA_DIR ?? '')).rejects.toThrow('ENOENT');
  });

  test('of places that may hold less than is meant, with a warning for each', async () => {
    const to = { postalCodes: ['7*'], provinces: ['MI'], municipalities: ['Lipari'] };
    const file = await fileOf('warnings.json', JSON.stringify(tariffOf(zone('isole', to, [10, 5]))));
    const { code, stdout } = await check(file);
    expect(code).toBe(0);
    expect(stdout).toMatch(/postalCodes\/0 7\* holds all codes that begin with 7/);
    expect(stdout).toMatch(/provinces\/0 MI: .* LO, MB/);
    expect(stdout).toMatch(/municipalities\/0 Lipari .*Canneto, Stromboli/);
  });

  test('of a grid by itself', async () => {
    const file = await fileOf('Listino.CSV', '\ufeffup_to_kg;A;B\r\n1;5,50;6\r\n3;7;-\r\n+10;1;2\r\n');
    const checked = await inProcess(['--json', 'tariff', 'check', file], given.nowhere);
    expect(answerOf(checked)).toEqual({ file, zones: 2, bands: 3 });
  });
});

describe.concurrent('import and export', () => {
  test.each(['gls', 'dhl'])('%s comes out as it went in, and again', async carrier => {
    const id = await connection();
    const tariff = await demoTariff(carrier);
    const imported = answerOf(await run('import', demo(carrier), '--connection', `${id}`, '--json'));
    expect(imported).toMatchObject({
      tariffId: expect.any(Number),
      name: tariff.name,
      versions: tariff.versions.length,
    });
    const first = join(given.folder, `${carrier}-1.json`);
    expect(await run('export', '--connection', `${id}`, '--out', first)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const text = await readFile(first, 'utf8');
    const exported = JSON.parse(text);
    expect(exported).toEqual(whole(tariff));
    // In the order in which people write it, which the database does not keep.
    const { versions, ...head } = exported;
    expect(Object.keys({ ...head, versions })).toEqual(['format', 'name', 'currency', 'versions']);
    expect(Object.keys(versions[0]).slice(0, 2)).toEqual(['label', 'validFrom']);
    expect(Object.keys(versions[0].zones[0]).slice(0, 3)).toEqual(['code', 'name', 'to']);
    // The table that a person reads.
    const again = await run('import', first, '--connection', `${id}`);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(new RegExp(`^tariffId +${imported.tariffId}\nname +`));
    const { code, stdout, stderr } = await run('export', '--connection', `${id}`, '--format', 'json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(text);
    expect(await stored(id)).toMatchObject({ document: whole(tariff) });
  });
});

describe.concurrent('misused, it exits with 2', () => {
  const cases: { name: string; args: string[]; names: string }[] = [
    { name: 'an import without --connection', args: ['import', demo('gls')], names: '--connection' },
    { name: 'an export without --connection', args: ['export'], names: '--connection' },
    { name: 'the connection 0', args: ['export', '--connection', '0'], names: 'whole number from 1' },
    { name: 'a connection past all ids', args: ['export', '--connection', '2147483648'], names: 'whole number from 1' },
    { name: 'an unknown format', args: ['export', '--connection', '1', '--format', 'xlsx'], names: 'json, csv' },
    { name: 'a grid beside a grid', args: ['check', 'x.csv', '--grid', 'y.csv'], names: 'leave out --grid' },
    {
      name: 'a version for no grid',
      args: ['check', demo('gls'), '--valid-from', '2024-01-01'],
      names: '--valid-from',
    },
  ];
  test.each(cases)('$name', async ({ args, names }) => {
    const { code, stdout, stderr } = await inProcess(['--json', 'tariff', ...args], given.nowhere);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [said = ''] = stderr.split('\n\nUsage: ');
    expect(said).toContain(names);
    expect(said.trim()).not.toContain('\n');
  });
});

describe('tariff list', () => {
  test('shows every connection, with its tariff or without', async () => {
    const [one, other] = [await world.company(), await world.company()];
    const [bare, priced] = [await connection(undefined, one), await connection(await demoTariff('gls'), one)];
    const theirs = await connectCarrier(other, 'DHL', 'Estero', false);
    const [all, ofOne, ofNone, table] = await Promise.all([
      json('list'),
      json('list', '--company', one.companyId),
      run('list', '--company', '00000000-0000-4000-8000-000000000000'),
      run('list', '--company', one.companyId),
    ]);
    const without = { tariff: null, versions: null, validUntil: null, updatedAt: null };
    const gls = { companyId: one.companyId, carrier: 'GLS Italy', label: 'Conto', isActive: true };
    expect(ofOne).toEqual([
      { connectionId: bare, ...gls, ...without },
      {
        connectionId: priced,
        ...gls,
        tariff: 'GLS nazionale (esempio)',
        versions: ['2025-01-01', '2026-01-01'],
        validUntil: null,
        updatedAt: expect.stringMatching(INSTANT),
      },
    ]);
    expect(all).toEqual(expect.arrayContaining(ofOne));
    expect(all).toContainEqual({
      connectionId: theirs,
      companyId: other.companyId,
      carrier: 'DHL Express',
      label: 'Estero',
      isActive: false,
      ...without,
    });
    const ids = all.map(({ connectionId }: Json) => connectionId);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
    expect(ofNone).toMatchObject({ code: 1, stdout: '', stderr: '--company must be the id of a company\n' });
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/connectionId .* tariff .* versions/);
    expect(table.stdout).toMatch(new RegExp(`│ ${bare} .*│ – +│ – +│ – +│ – +│`));
    expect(table.stdout).toMatch(
      new RegExp(`│ ${priced} .*│ GLS nazionale \\(esempio\\) +│ 2025-01-01, 2026-01-01 +│ – +│`),
    );
    expect(table.stdout).not.toContain('DHL Express');
  });
});

describe('a running service', () => {
  test('prices by a new import within a second, and always by one of the two tariffs', async () => {
    const id = await connection(ITALY);
    expect(await quoteOn(id)).toMatchObject({ basePrice: 5 });
    const dearer = tariffOf(zone('italia', { countries: ['IT'] }, [3, 6], [10, 77.7]));
    const file = await fileOf('dearer.json', JSON.stringify(dearer));
    const seen = new Set<number>();
    let lastOldAtMs = 0;
    const isNew = vi.waitUntil(
      async () => {
        const askedAtMs = Date.now();
        const { basePrice } = await quoteOn(id);
        seen.add(basePrice);
        if (basePrice === 5) lastOldAtMs = askedAtMs;
        return basePrice === 77.7;
      },
      { timeout: 15_000, interval: 5 },
    );
    const [imported] = await Promise.all([run('import', file, '--connection', `${id}`, '--yes'), isNew]);
    expect(imported.code).toBe(0);
    expect([...seen]).toEqual([5, 77.7]);
    const { updatedAt } = await stored(id);
    expect(lastOldAtMs - Date.parse(updatedAt)).toBeLessThan(1_000);
    expect(await quoteOn(id)).toMatchObject({ basePrice: 77.7 });
  });
});
