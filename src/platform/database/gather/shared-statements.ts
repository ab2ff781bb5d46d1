import type { EntityManager } from '@mikro-orm/postgresql';
import { activeSpan, traced } from '../../telemetry/tracing.ts';
import { DATABASE_SPAN, type StatementForEach } from '../statements/statements.ts';
import { rowsWithin } from '../statements/transaction.ts';
import type { CompanyId } from '../tenancy/company-id.ts';

/**
 * Gathers the statements of companies that share a transaction. If several of them need the same statement in one turn of
 * the event loop, it is sent once, with rows that each name their company.
 */

/** A row of an answer: by the company, or by the number of the row of the input, from 1. */
interface OwnedRow {
  readonly companyId?: CompanyId;
  readonly n?: number;
}

interface Question {
  readonly companyId: CompanyId;
  readonly columns: readonly (readonly unknown[])[];
  readonly resolve: (rows: OwnedRow[]) => void;
  readonly reject: (reason: unknown) => void;
}

interface Group {
  readonly statement: StatementForEach;
  readonly questions: Question[];
}

export class SharedStatements {
  readonly #em: EntityManager;
  #groups: Group[] = [];
  /** The place of each company's latest question among the groups. */
  #latest = new Map<CompanyId, number>();

  constructor(em: EntityManager) {
    this.#em = em;
  }

  ask<Row>(companyId: CompanyId, statement: StatementForEach, columns: Question['columns']): Promise<Row[]> {
    const { promise, resolve, reject } = Promise.withResolvers<OwnedRow[]>();
    if (this.#groups.length === 0) setImmediate(() => this.#send());
    const question: Question = { companyId, columns, resolve, reject };
    // A company's statements are sent in its order.
    const after = this.#latest.get(companyId) ?? -1;
    let place = this.#groups.findIndex((group, i) => i > after && group.statement === statement);
    if (place < 0) place = this.#groups.push({ statement, questions: [] }) - 1;
    this.#groups[place]?.questions.push(question);
    this.#latest.set(companyId, place);
    return promise as Promise<Row[]>;
  }

  /** Sends what a company has asked so far, with all else, before it sends a statement of its own. */
  sendFor(companyId: CompanyId): void {
    if (this.#latest.has(companyId)) this.#send();
  }

  #send(): void {
    const groups = this.#groups;
    this.#groups = [];
    this.#latest = new Map();
    for (const group of groups) void this.#answer(group);
  }

  async #answer({ statement, questions }: Group): Promise<void> {
    try {
      const [{ columns }] = questions as [Question];
      const values = [
        questions.flatMap(question => Array<CompanyId>(question.columns[0]?.length ?? 0).fill(question.companyId)),
        ...columns.map((_, i) => questions.flatMap(question => question.columns[i] ?? [])),
      ];
      const rows = await traced(activeSpan(), statement.spanning.name, DATABASE_SPAN, () =>
        rowsWithin<OwnedRow>(this.#em, statement.spanning, values),
      );
      const parts = partsOf(questions, rows);
      for (const [i, { resolve }] of questions.entries()) resolve(parts[i] ?? []);
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }
}

/** The rows of each question, numbered from its own first row. */
function partsOf(questions: readonly Question[], rows: readonly OwnedRow[]): OwnedRow[][] {
  const parts = questions.map((): OwnedRow[] => []);
  const ownerOf = new Map(questions.map(({ companyId }, i) => [companyId, i]));
  const owners: number[] = [];
  const firsts: number[] = [];
  for (const [i, { columns }] of questions.entries()) {
    firsts.push(owners.length);
    for (const _ of columns[0] ?? []) owners.push(i);
  }
  for (const row of rows) {
    if (row.n === undefined) {
      parts[ownerOf.get(row.companyId as CompanyId) ?? -1]?.push(row);
    } else {
      const owner = owners[row.n - 1] ?? -1;
      parts[owner]?.push({ ...row, n: row.n - (firsts[owner] ?? 0) });
    }
  }
  return parts;
}
