import { asTask } from '../../../platform/threads/task.ts';
import { readPlaceList as readList } from '../areas/place-list.rules.ts';
import { readTariff as read } from '../check/tariff.check.rules.ts';
import { tariffChanges as changes } from '../revisions/tariff-changes.rules.ts';
import { compileTariff as compile } from './compile.rules.ts';

/** The work on large tariffs that a thread does. */
export const readTariff = asTask(read);
export const compileTariff = asTask(compile);
export const tariffChanges = asTask(changes);
export const readPlaceList = asTask(readList);
