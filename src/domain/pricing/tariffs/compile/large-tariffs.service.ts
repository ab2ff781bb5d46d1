import { type PackedTable, packedBytes, tableOf } from '../../../../platform/tables/packed-rows.ts';
import { inThread, type TaskOwner } from '../../../../platform/threads/threads.ts';
import type { PlaceList } from '../areas/place.format.rules.ts';
import { readPlaceList } from '../areas/place-list.rules.ts';
import { readTariff } from '../check/tariff.check.rules.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { isLarge, type Path } from '../format/tariff-document.rules.ts';
import type { References } from '../references/references.rules.ts';
import { type TariffChange, tariffChanges } from '../revisions/tariff-changes.rules.ts';
import { tariffInWorkbook } from '../workbook/tariff-in-workbook.rules.ts';
import { compileTariff } from './compile.rules.ts';
import type { CompiledTariff } from './compiled-tariff.rules.ts';
import type * as tasks from './tariff.thread.ts';

/**
 * Checks, compiles and compares tariffs. A large tariff takes long, so a thread works on it. A small tariff takes some
 * milliseconds, which a thread would only lengthen, so it is worked on at once.
 */

const THREAD = new URL('./tariff.thread.ts', import.meta.url);

function inTariffThread<Name extends keyof typeof tasks, Result>(
  owner: TaskOwner,
  name: Name,
  ...parameters: Parameters<(typeof tasks)[Name]>[0]
): Promise<Result> {
  return inThread<Result>(owner, THREAD, name, parameters);
}

/**
 * Reads and checks a tariff.
 *
 * @param isStored whether it was accepted before, and is not what a caller sent
 * @throws Fault `validation_failed`
 */
export async function checkTariff(
  owner: TaskOwner,
  value: unknown,
  path: Path,
  references: References,
  isStored = false,
): Promise<Tariff> {
  const options = { references, isStored };
  return isLarge(value, ...references.lists.values())
    ? inTariffThread(owner, 'readTariff', value, path, options)
    : readTariff(value, path, options);
}

/** The bytes of a workbook that is read at once. The examples have a sixth. */
const SMALL_WORKBOOK_BYTES = 64 * 1024;

/** Reads and checks the workbook of a tariff. @throws Fault `validation_failed`, with sheet, row and column */
export async function checkTariffWorkbook(
  owner: TaskOwner,
  table: PackedTable,
  path: Path,
  references: References,
): Promise<Tariff> {
  return packedBytes(table) > SMALL_WORKBOOK_BYTES || isLarge(...references.lists.values())
    ? inTariffThread(owner, 'readTariffWorkbook', table, path, references)
    : tariffInWorkbook(tableOf(table), path, references);
}

/** A tariff that was checked, ready for pricing. */
export async function compiledTariffOf(
  owner: TaskOwner,
  tariff: Tariff,
  references: References,
): Promise<CompiledTariff> {
  return isLarge(tariff, ...references.lists.values())
    ? inTariffThread(owner, 'compileTariff', tariff, references)
    : compileTariff(tariff, references);
}

/** All differences between a tariff and the one that it replaces. */
export async function changesOfTariff(owner: TaskOwner, before: Tariff, after: Tariff): Promise<TariffChange[]> {
  return isLarge(before, after) ? inTariffThread(owner, 'tariffChanges', before, after) : tariffChanges(before, after);
}

/** Reads and checks a list of places that a caller sent. @throws Fault `validation_failed` */
export async function checkPlaceList(owner: TaskOwner, value: unknown, path: Path): Promise<PlaceList> {
  return isLarge(value) ? inTariffThread(owner, 'readPlaceList', value, path) : readPlaceList(value, path);
}
