import type { Abuse } from './case.ts';
import { CONNECTIONS } from './connections.ts';
import { DATABASE } from './database.ts';
import { FILES } from './files.ts';
import { LISTS } from './lists.ts';
import { SELECTIONS } from './selections.ts';
import { WORK } from './work.ts';

/** Every way to abuse the service. */
export const ABUSES: readonly Abuse[] = [...LISTS, ...WORK, ...FILES, ...SELECTIONS, ...CONNECTIONS, ...DATABASE];
