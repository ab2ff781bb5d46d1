import type { Abuse } from './case.ts';
import { CONNECTIONS } from './connections.ts';
import { DATABASE } from './database.ts';
import { FILES } from './files.ts';
import { LISTS } from './lists.ts';
import { SELECTIONS } from './selections.ts';
import { WORK } from './work.ts';

/** Every way in which a company can abuse the service. */
export const COMPANY_ABUSES: readonly Abuse[] = [...LISTS, ...WORK, ...FILES, ...SELECTIONS, ...CONNECTIONS];

/** These, and what only somebody with the rights of the database can do. */
export const ABUSES: readonly Abuse[] = [...COMPANY_ABUSES, ...DATABASE];
