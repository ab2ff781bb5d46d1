import { countsOf, type GridOptions, readTariffFiles } from './tariff-files.ts';

export async function checkTariff(file: string, options: GridOptions) {
  const { tariff, zones } = await readTariffFiles(file, options);
  if (tariff) return { file, ...countsOf(tariff) };
  return { file, zones: zones.length, bands: zones.reduce((sum, { bands }) => sum + bands.length, 0) };
}
