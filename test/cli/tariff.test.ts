import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { INSTANT } from '../support/instants.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Json } from './processes.ts';
import { demo, demoTariff, ITALY, tariffOf, useTariffCommands, whole, zone } from './tariff-files.ts';

const given = useTariffCommands();
const { check, fileOf, run, connection, stored, world, quoteOn } = given;

describe.concurrent('`tariff check` needs no database', () => {
  test.each([
    { carrier: 'brt', versions: 1, zones: 6 },
    { carrier: 'dhl', versions: 1, zones: 9 },
    { carrier: 'gls', versions: 2, zones: 14 },
    { carrier: 'inpost', versions: 1, zones: 4 },
    { carrier: 'poste', versions: 1, zones: 5 },
  ])('for the tariff of $carrier', async ({ carrier, versions, zones }) => {
    const tariff = await demoTariff(carrier);
    const all = tariff.versions.flatMap((version: Json) => version.zones);
    expect(all).toHaveLength(zones);
    const places = all.reduce((sum: number, { to }: Json) => sum + Object.values(to).flat().length, 0);
    const bands = all.reduce((sum: number, one: Json) => sum + (one.bands ?? []).length, 0);
    expect(answerOf(await check(demo(carrier)))).toEqual({ file: demo(carrier), versions, zones, places, bands });
    await expect(access(given.nowhere.DATA_DIR ?? '')).rejects.toThrow('ENOENT');
  });

  test('for places that may hold less than is meant, with a warning for each', async () => {
    const to = { postalCodes: ['7*'], provinces: ['MI'], municipalities: ['Lipari'] };
    const file = await fileOf('warnings.json', JSON.stringify(tariffOf(zone('isole', to, [10, 5]))));
    const { code, stdout } = await check(file);
    expect(code).toBe(0);
    expect(stdout).toMatch(/postalCodes\/0 7\* holds all codes that begin with 7/);
    expect(stdout).toMatch(/provinces\/0 MI: .* LO, MB/);
    expect(stdout).toMatch(/municipalities\/0 Lipari .*Canneto, Stromboli/);
  });
});

describe.concurrent('A tariff that is imported and exported', () => {
  test.each(['gls', 'dhl'])('stays the same, for %s', async carrier => {
    const id = await connection();
    const tariff = await demoTariff(carrier);
    const imported = answerOf(await run('import', demo(carrier), '--connection', `${id}`, '--yes', '--json'));
    expect(imported.tariffRevision).toMatchObject({ number: 1, name: tariff.name, state: 'IN_FORCE' });
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
    const again = await run('import', first, '--connection', `${id}`, '--yes');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/^tariffRevision\.number +2$/m);
    const { code, stdout, stderr } = await run('export', '--connection', `${id}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(text);
    expect(await stored(id)).toMatchObject({ document: whole(tariff) });
  });
});

test('`tariff list` shows the tariffs of a company with their connections', async () => {
  const one = await world.company();
  const priced = await connection(await demoTariff('gls'), one);
  const list = (...args: string[]) =>
    inProcess(['tariff', 'list', '--company', one.companyId, ...args], given.settings);
  expect(answerOf(await list('--json'))).toMatchObject([
    {
      carrierConnection: { databaseId: priced, carrierCode: 'GLS', label: 'Conto' },
      name: 'GLS nazionale (esempio)',
      versions: [{ validFrom: '2025-01-01' }, { validFrom: '2026-01-01' }],
      validUntil: null,
      updatedAt: expect.stringMatching(INSTANT),
    },
  ]);
  expect((await list()).stdout).toMatch(/carrierConnection .* name .* versions/);
  expect((await list('--csv')).stdout).toMatch(/^carrierConnection;databaseId;name;.*\r\n.*GLS nazionale \(esempio\);/);
});

describe('A running service', () => {
  test('uses a new tariff within a second, and gives each price by one of the two tariffs', async () => {
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
