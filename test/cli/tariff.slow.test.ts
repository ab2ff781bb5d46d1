import { describe, expect, test } from 'vitest';
import { answerOf } from './processes.ts';
import { PALERMO, tariffOf, useTariffCommands, whole, zone } from './tariff-files.ts';

const given = useTariffCommands();
const { processes, fileOf, connection, stored, quoteOn } = given;

const start = (...args: string[]) => processes.cli(['tariff', ...args], given.settings);

describe('A large tariff', () => {
  test('of 20,000 CAPs and 40 bands is imported in a few seconds', async () => {
    const caps = Array.from({ length: 20_000 }, (_, i) => String(15_000 + 4 * i));
    const bands = (price: number) => Array.from({ length: 40 }, (_, i): [number, number] => [i + 1, price + i]);
    const tariff = tariffOf(
      zone('remote', { postalCodes: caps }, ...bands(50)),
      zone('italia', { countries: ['IT'] }, ...bands(5)),
    );
    const id = await connection();
    const large = await fileOf('large.json', JSON.stringify(tariff));
    const startedAtMs = performance.now();
    const answer = answerOf(
      await start('import', large, '--company', given.caller.companyId, '--connection', `${id}`, '--yes', '--json'),
    );
    expect(performance.now() - startedAtMs).toBeLessThan(8_000);
    expect(answer.tariffRevision).toMatchObject({ state: 'IN_FORCE' });
    expect((await stored(id)).document).toEqual(whole(tariff));
    // 4 kg; 90140 is the 18,786th of the CAPs, and 90139 is none.
    expect(await quoteOn(id, { destination: { ...PALERMO, postalCode: '90140' } })).toMatchObject({ basePrice: 53 });
    expect(await quoteOn(id)).toMatchObject({ basePrice: 8 });
  });
});
