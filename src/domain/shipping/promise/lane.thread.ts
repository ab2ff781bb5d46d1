import { asTask } from '../../../platform/threads/task.ts';
import { provincesByBeginning as provinces } from './lane.rules.ts';

/** Runs in a thread, because it takes a quarter of a second. */
export const provincesByBeginning = asTask(provinces);
