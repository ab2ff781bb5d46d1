import { InvalidArgumentError } from 'commander';
import { tenantOfConnection } from '../domain/carriers/connection-admin.service.ts';
import { listDrafts, rollbackTariff } from '../domain/tariffs/revisions/drafts.service.ts';
import {
  listRevisions,
  type RevisionRow,
  revision,
  revisionDocument,
  stateOf,
} from '../domain/tariffs/revisions/revisions.service.ts';
import { WHOLE_LIST } from '../platform/database/lists/page.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { confirm, requireTerminal } from './confirmation.ts';
import { withDatabase } from './session.ts';
import { inWords, previewOf, type TariffPreview } from './tariff-import.ts';

/** The revisions of a connection and its drafts, as rows of a table. */
export function tariffHistory(connection: number) {
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const { revisions, drafts } = await historyOf(tenant, connection);
    return [...revisions, ...drafts].map(row => ({
      number: row.number,
      id: row.id,
      name: row.name,
      state: stateOf(row),
      publishedAt: row.publishedAt,
      publishOn: row.publishOn,
      author: row.apiKeyLabel ?? row.author,
      restored: row.restoredNumber,
    }));
  });
}

async function historyOf(tenant: Tenant, connection: number) {
  const revisions = await listRevisions(tenant, connection, WHOLE_LIST);
  return { revisions, drafts: await listDrafts(tenant, connection, WHOLE_LIST) };
}

export interface DiffOptions {
  readonly from?: number;
  readonly to?: number;
  readonly draft?: number;
}

/** The changes of a revision or a draft: by default against the revision before, or the tariff in force. */
export function tariffDiff(connection: number, { from, to, draft }: DiffOptions): Promise<TariffPreview> {
  if (to !== undefined && draft !== undefined) throw new InvalidArgumentError('Give either --to or --draft.');
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const { revisions } = await historyOf(tenant, connection);
    const target = draft === undefined ? numbered(revisions, to) : await draftOf(tenant, connection, draft);
    const before = target.number === null ? undefined : target.number - 1;
    if (from === undefined && before === 0) {
      throw new InvalidArgumentError('Revision 1 is the first one: give --from or another --to.');
    }
    return preview(tenant, numbered(revisions, from ?? before), target);
  });
}

/** The revision with a number, or the newest one. */
function numbered(revisions: readonly RevisionRow[], number: number | undefined): RevisionRow {
  const found = number === undefined ? revisions[0] : revisions.find(one => one.number === number);
  if (found) return found;
  if (revisions.length === 0) throw new InvalidArgumentError('The connection has no tariff.');
  throw new InvalidArgumentError(`There is no revision ${number}; they have the numbers 1 to ${revisions.length}.`);
}

async function draftOf(tenant: Tenant, connection: number, id: number): Promise<RevisionRow> {
  const found = await revision(tenant, id);
  if (found.carrierCompanyId === connection) return found;
  throw new InvalidArgumentError(`The draft ${id} is of another connection.`);
}

async function preview(tenant: Tenant, from: RevisionRow, to: RevisionRow): Promise<TariffPreview> {
  const [before, after] = await Promise.all([from, to].map(({ id }) => revisionDocument(tenant, id)));
  if (!before || !after) throw new Error('A revision has no document');
  return previewOf(tenant, to.carrierCompanyId, before.tariff, after.tariff);
}

export interface RollbackOptions {
  readonly to: number;
  readonly yes?: true;
}

/** Restores an earlier tariff, after the operator has seen the differences. */
export function rollback(connection: number, { to, yes }: RollbackOptions) {
  return withDatabase(async ({ database }) => {
    const tenant = await tenantOfConnection(database, connection);
    const { revisions } = await historyOf(tenant, connection);
    const old = numbered(revisions, to);
    if (yes !== true) {
      const what = `Revision ${to} will be in force on connection ${connection} again.`;
      requireTerminal(what);
      process.stderr.write(`${await inWords(await preview(tenant, numbered(revisions, undefined), old))}\n\n`);
      await confirm(what, yes);
    }
    const { number, name } = await rollbackTariff(tenant, old.id, undefined);
    return { connection, number, name, restored: to };
  });
}
