import { carriers } from './carriers.ts';
import { conventions } from './conventions.ts';
import { credentials } from './credentials.ts';
import { quotes } from './quotes.ts';
import { repeats } from './repeats.ts';
import type { Chapter } from './statement.ts';
import { tracking } from './tracking.ts';
import { warehouses } from './warehouses.ts';
import { webhooks } from './webhooks.ts';

/** The contract of the REST API, as statements that a running service is held to. */
export const CHAPTERS: readonly Chapter[] = [
  conventions,
  credentials,
  warehouses,
  carriers,
  quotes,
  tracking,
  webhooks,
  repeats,
];
