import { expect, test, vi } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { workbook } from '../support/workbook.ts';
import { inProcess } from './in-process.ts';
import { answerOf } from './processes.ts';
import { refusal, useTariffCommands } from './tariff-files.ts';

const given = useTariffCommands();
const { connection, fileOf, quoteOn, run, stored } = given;

const MILANO = { country: 'IT', postalCode: '20121', city: 'Milano', province: 'MI' };
const USTICA = { country: 'IT', postalCode: '90010', city: 'Ustica', province: 'PA' };

/** 10.00 in Italy, 20.00 in the places of the list, and fuel by the index. */
const REFERRING = currentTariff({
  zones: [
    { code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 100, price: 10 }] },
    { code: 'lontane', name: 'Lontane', to: { lists: ['lontane'] }, bands: [{ upToKg: 100, price: 20 }] },
    { code: 'livigno', name: 'Livigno', to: { postalCodes: ['23041'] }, bands: [{ upToKg: 100, price: 30 }] },
  ],
  fuel: [{ code: 'fuel', description: 'Carburante', price: { index: 'fuel', of: ['base'] } }],
});

const company = () => ['--company', given.caller.companyId];
const ofCarrier = () => [...company(), '--carrier', 'GLS'];
const deleted = (group: string, key: string) =>
  inProcess(['--json', group, 'delete', key, ...company(), '--yes'], given.settings);
const fuel = async (csv: string | Uint8Array) =>
  inProcess(['--json', 'fuel', 'import', await fileOf('fuel.csv', csv), ...ofCarrier()], given.settings);
const places = async (content: object) =>
  inProcess(
    [
      '--json',
      'places',
      'import',
      await fileOf('places.json', JSON.stringify(content)),
      ...ofCarrier(),
      '--list',
      'lontane',
    ],
    given.settings,
  );
const imported = async () =>
  run(
    'import',
    await fileOf('referring.json', JSON.stringify(REFERRING)),
    '--yes',
    '--connection',
    `${await connection()}`,
  );

/** Until a quote shows it, and at most for the second in which a change must be seen. */
const shows = (quote: () => Promise<unknown>, is: object) =>
  vi.waitFor(async () => expect(await quote()).toMatchObject(is), { timeout: 2_000, interval: 20 });

test('A tariff that names an index or a list which its carrier does not have is rejected', async () => {
  const { code, stderr: said } = await imported();
  expect(code).toBe(1);
  expect(said).toMatch(/referring\.json:1:\d+ \/versions\/0\/\S+ names the index "fuel"/);
  expect(said).toContain('names the list "lontane"');
});

test('An index or a list is replaced alone, and quotes follow it', async () => {
  expect(answerOf(await fuel('month;percent\n2026-01;8\n2026-07;9,5\n'))).toMatchObject({
    carrierCode: 'GLS',
    name: 'fuel',
  });
  expect(answerOf(await places({ postalCodes: ['90010'] }))).toMatchObject({ name: 'lontane' });
  const id = await connection(REFERRING);
  expect((await stored(id)).document).toMatchObject({
    format: 2,
    versions: [{ fuel: [{ price: { index: 'fuel' } }] }],
  });
  const milano = (shipmentDate: string) => () => quoteOn(id, { destination: MILANO, shipmentDate });
  const ustica = () => quoteOn(id, { destination: USTICA, shipmentDate: '2026-03-01' });
  await shows(milano('2026-06-30'), { basePrice: 10, fuelPrice: 0.8 });
  await shows(milano('2026-12-31'), { basePrice: 10, fuelPrice: 0.95 });
  await shows(ustica, { basePrice: 20, fuelPrice: 1.6 });

  // A month is changed, the others stay; Excel on an Italian Windows writes it.
  answerOf(await fuel(Buffer.from('month;percent\r\n2026-07;12,25\r\n', 'latin1')));
  await shows(milano('2026-12-31'), { fuelPrice: 1.23 });
  await shows(milano('2026-06-30'), { fuelPrice: 0.8 });
  answerOf(await places({ municipalities: ['Lipari'] }));
  await shows(ustica, { basePrice: 10 });
});

test('Fuel that changes by week holds from its days, and may stand beside fuel by month in one index', async () => {
  const [version] = REFERRING.versions;
  const price = { index: 'weekly', of: ['base'] };
  const zones = version?.zones.slice(0, 1);
  const versions = [{ ...version, zones, fuel: [{ code: 'fuel', description: 'Carburante', price }] }];
  const weekly = async (csv: string) =>
    cli('fuel', 'import', await fileOf('weekly.csv', `from;percent\n${csv}`), '--index', 'weekly');
  answerOf(await weekly('2026-01;8\n2026-11-09;12\n2026-11-16;11,25\n'));
  const id = await connection({ ...REFERRING, versions });
  const on = (shipmentDate: string) => () => quoteOn(id, { destination: MILANO, shipmentDate });
  await shows(on('2026-11-08'), { fuelPrice: 0.8 });
  await shows(on('2026-11-15'), { fuelPrice: 1.2 });
  await shows(on('2026-11-16'), { fuelPrice: 1.13 });
  answerOf(await weekly('2026-11-16;10\n'));
  await shows(on('2026-11-16'), { fuelPrice: 1 });
  await shows(on('2026-11-15'), { fuelPrice: 1.2 });
  expect(refusal(await weekly('2026-11-31;8\n')).join()).toContain('must be a day such as 2026-11-09');
  expect((await weekly('2026-11;8\n2026-11-01;9\n')).stderr).toContain('is given already: 2026-11-01');
  answerOf(
    await inProcess(
      ['--json', 'carrier', 'disconnect', ...company(), '--connection', String(id), '--yes'],
      given.settings,
    ),
  );
  answerOf(await deleted('fuel', 'GLS.index.weekly'));
});

test('A list that a tariff could not have is rejected, and the one before stays', async () => {
  expect(refusal(await places({ postalCodes: ['23041'] })).join(' ')).toMatch(
    /contradicts the tariff of connection \d+: versions.0.zones.* is claimed already by 23041 of the list lontane/,
  );
  expect(refusal(await places({ postalCodes: ['9001'] })).join(' ')).toContain('postalCodes/0');
  expect(refusal(await fuel('month;percent\n2026-13;8\n')).join(' ')).toContain('row 2, column A');
  answerOf(await places({ municipalities: ['Lipari'] }));
});

const cli = (group: string, ...args: string[]) => inProcess(['--json', group, ...args, ...ofCarrier()], given.settings);
const columns = async (csv: string | Uint8Array, list = 'da_csv') =>
  cli('places', 'import', await fileOf('places.csv', csv), '--list', list);

test('Places are imported from columns of a spreadsheet, also as Excel writes it', async () => {
  const csv = 'municipalities;postalCodes;\r\nForlì (FC);90010;\r\n;98050-98055;\r\nPantelleria;;\r\n';
  const { stdout: said } = await columns(Buffer.from(csv, 'latin1'));
  expect(JSON.parse(said)).toMatchObject({ carrierCode: 'GLS', name: 'da_csv' });
  const { stdout } = await inProcess(['places', 'export', ...ofCarrier(), '--list', 'da_csv'], given.settings);
  expect(JSON.parse(stdout)).toEqual({
    municipalities: ['Forlì (FC)', 'Pantelleria'],
    postalCodes: ['90010', '98050-98055'],
  });
  expect(refusal(await columns('postalCodes;regions\n90010;Sicilia\n118;Sicily\n'))).toEqual([
    expect.stringMatching(/places\.csv:row 3, column A: .*118/),
    expect.stringMatching(/places\.csv:row 3, column B: .*Sicily/),
  ]);
  expect(refusal(await columns('CAP\n90010\n')).join()).toContain('row 1, column A: must be one of postalCodes');
  expect(refusal(await columns('postalCodes\n90010,98050\n')).join()).toContain('row 2, column B');
  const broken = workbook({
    Luoghi: [
      ['towns', 'postalCodes'],
      [{ xml: '<c t="e"><v>#N/A</v></c>' }, '90010'],
    ],
  });
  expect(refusal(await columns(broken))).toEqual([
    expect.stringMatching(/row 2, column A: must be a value, not a spreadsheet error such as #N\/A/),
  ]);
  expect(refusal(await fuel('from;percent\n#RIF!;#FORMULA!\n'))).toEqual([
    expect.stringMatching(/row 2, column A: must be a value, not a spreadsheet error/),
    expect.stringMatching(/row 2, column B: must be a value, not a spreadsheet error/),
  ]);
});

test('Exported references can be imported again, and listed ones can be deleted once no tariff names them', async () => {
  answerOf(await fuel('month;percent\n2026-01;8\n2026-07;9,5\n'));
  const { stdout } = await inProcess(['fuel', 'export', ...ofCarrier()], given.settings);
  const rates = [
    { from: '2026-01-01', percent: 8 },
    { from: '2026-07-01', percent: 9.5 },
  ];
  expect(JSON.parse(stdout)).toEqual(rates);
  const file = await fileOf('fuel.json', stdout);
  answerOf(await inProcess(['--json', 'fuel', 'import', file, ...ofCarrier()], given.settings));
  answerOf(await columns('postalCodes\n90010\n', 'spare'));
  const listed = answerOf(await inProcess(['--json', 'places', 'list', ...company()], given.settings));
  const spare = { id: 'GLS.list.spare', carrierCode: 'GLS', name: 'spare', updatedAt: expect.any(String) };
  expect(listed).toContainEqual(spare);
  expect(answerOf(await cli('fuel', 'list'))).toMatchObject([{ id: 'GLS.index.fuel', rates }]);
  expect(answerOf(await deleted('places', 'GLS.list.spare'))).toMatchObject({ name: 'spare' });
  expect(refusal(await deleted('places', 'GLS.list.spare')).join()).toContain('spare');
  answerOf(await places({ municipalities: ['Lipari'] }));
  const id = await connection(REFERRING);
  expect(refusal(await deleted('fuel', 'GLS.index.fuel')).join()).toContain(`(connection ${id})`);
  expect(refusal(await deleted('places', 'GLS.list.lontane')).join()).toContain(`(connection ${id})`);
  expect((await inProcess(['places', 'delete', 'GLS.list.da_csv', ...company()], given.settings)).code).not.toBe(0);
});

test('A carrier is recognised in upper and lower case, and the error for an unknown one names it', async () => {
  const as = (carrier: string, ...command: string[]) =>
    inProcess(['--json', ...command, ...company(), '--carrier', carrier], given.settings);
  const file = await fileOf('lower.csv', 'from;percent\n2026-01;8\n');
  const index = ['--index', 'lower'];
  expect(answerOf(await as('gls', 'fuel', 'import', file, ...index))).toMatchObject({ carrierCode: 'GLS' });
  const stderr = expect.stringMatching(/--carrier .*It must be one of AMAZON, BRT, /);
  for (const command of [
    ['fuel', 'list'],
    ['fuel', 'export', ...index],
  ])
    expect(await as('GSL', ...command)).toMatchObject({ code: 2, stdout: '', stderr });
});
