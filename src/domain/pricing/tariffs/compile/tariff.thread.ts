import { type PackedTable, tableOf } from '../../../../platform/tables/packed-rows.ts';
import { asTask } from '../../../../platform/threads/task.ts';
import { readPlaceList as readList } from '../areas/place-list.rules.ts';
import { readTariff as read } from '../check/tariff.check.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { References } from '../references/references.rules.ts';
import { tariffChanges as changes } from '../revisions/tariff-changes.rules.ts';
import { tariffInWorkbook } from '../workbook/tariff-in-workbook.rules.ts';
import { compileTariff as compile } from './compile.rules.ts';

/** The work on large tariffs that a thread does. */
export const readTariff = asTask(read);
export const compileTariff = asTask(compile);
export const tariffChanges = asTask(changes);
export const readPlaceList = asTask(readList);
export const readTariffWorkbook = asTask((table: PackedTable, path: Path, references: References) =>
  tariffInWorkbook(tableOf(table), path, references),
);
