import DataLoader from 'dataloader';
import { activeSpan, type Span } from '../../telemetry/tracing.ts';
import { isOfStatement } from '../connections/database-errors.ts';
import { type Requester, requesterOf } from '../connections/requester.ts';
import type { Statement } from '../statements/statements.ts';
import type { CompanyId } from '../tenancy/company-id.ts';
import { type AnyLoader, type CompanyKey, type Loader, readKeys } from './loader.ts';

/**
 * Gathers reads by key. All reads within one turn of the event loop, of any request and company, are one statement:
 * PostgreSQL and the driver spend most of their time per statement and not per row. Nothing is cached, so that no row
 * is older than its question.
 *
 * Tracking by number, over 16 connections for five companies, takes 277 µs of CPU in the process and 130 in PostgreSQL, by
 * turns with a statement for each key: 478 and 350.
 */

/** Keys of one statement: a page has 250 records at most. */
const MAX_BATCH = 256;

/** Keys of one company that share a statement with others, so that nobody waits for a page of another company. */
const MAX_SHARED = 16;

interface Question extends CompanyKey {
  readonly requester: Requester;
  readonly span: Span | undefined;
}

interface Source {
  rows<Row>(statement: Statement, values: readonly unknown[], requester?: Requester): Promise<Row[]>;
  /** Whether a statement of the company would run at once. */
  hasPlace(companyId: CompanyId): boolean;
}

/** The loaders over one database. */
export class Loaders {
  readonly #source: Source;
  readonly #gathering = new Map<AnyLoader, DataLoader<Question, unknown>>();

  constructor(source: Source) {
    this.#source = source;
  }

  load<Value>(
    loader: AnyLoader<Value>,
    { companyId }: Pick<Question, 'companyId'>,
    requester: Requester,
    key: readonly unknown[],
  ): Promise<Value> {
    let gathering = this.#gathering.get(loader);
    if (gathering === undefined) {
      gathering = new DataLoader<Question, unknown>(questions => this.#answers(loader, questions), {
        cache: false,
        maxBatchSize: MAX_BATCH,
        batchScheduleFn: dispatch => setImmediate(dispatch),
      });
      this.#gathering.set(loader, gathering);
    }
    return gathering.load({ companyId, requester, key, span: activeSpan() }) as Promise<Value>;
  }

  /** The values of keys of many companies, in their order, for a worker without a request. */
  async loadForService<Key extends readonly unknown[], Value>(
    loader: Loader<Key, Value>,
    keys: readonly { readonly companyId: CompanyId; readonly key: Key }[],
  ): Promise<Value[]> {
    const portions = loader.isSplitByCompany ? [...Map.groupBy(keys, ({ companyId }) => companyId).values()] : [keys];
    const values = new Map<CompanyKey, Value>();
    const read = async (portion: readonly CompanyKey[]) => {
      const found = await this.#values(loader, portion);
      for (const [i, key] of portion.entries()) values.set(key, found[i] as Value);
    };
    await Promise.all(portions.map(read));
    return keys.map(key => values.get(key) as Value);
  }

  /** The values of keys, which belong to one company if the loader is split. */
  #values<Value>(loader: AnyLoader<Value>, keys: readonly CompanyKey[], requester?: Requester): Promise<Value[]> {
    return readKeys(loader, keys, ({ ofOne, spanning }, columns, companyIds) =>
      loader.isSplitByCompany
        ? this.#source.rows(ofOne, [companyIds[0], ...columns], requester)
        : this.#source.rows(spanning, [companyIds, ...columns], requester),
    );
  }

  /** The result of each question, or its promise; an error is thrown to its caller. */
  async #answers(loader: AnyLoader, questions: readonly Question[]): Promise<unknown[]> {
    const portions = this.#portions(loader, questions);
    if (portions.length === 1) return this.#read(loader, questions);
    // No portion waits for another one.
    const answers = new Map<Question, Promise<unknown>>();
    for (const portion of portions) {
      const read = this.#read(loader, portion);
      for (const [i, question] of portion.entries())
        answers.set(
          question,
          read.then(values => orThrow(values[i])),
        );
    }
    return questions.map(question => answers.get(question));
  }

  /**
   * Groups questions into statements: small ones of companies with a free place share a statement. The others are read
   * separately, so that none of them delays another.
   */
  #portions(loader: AnyLoader, questions: readonly Question[]): (readonly Question[])[] {
    if (questions.length === 1) return [questions];
    const byCompany = Map.groupBy(questions, ({ companyId }) => companyId);
    if (loader.isSplitByCompany || byCompany.size === 1) return [...byCompany.values()];
    const shared: Question[] = [];
    const alone: Question[][] = [];
    for (const [companyId, portion] of byCompany) {
      if (portion.length <= MAX_SHARED && this.#source.hasPlace(companyId)) shared.push(...portion);
      else alone.push(portion);
    }
    return shared.length === 0 ? alone : [shared, ...alone];
  }

  /** Reads each key once, however many callers ask for it. */
  async #read(loader: AnyLoader, questions: readonly Question[]): Promise<unknown[]> {
    const { keys, keyOf } = distinct(questions);
    try {
      const values = await this.#values(loader, keys, requesterOf(questions));
      return keyOf.map(key => values[key]);
    } catch (error) {
      if (keys.length === 1 || !isOfStatement(error)) return questions.map(() => error);
      // One key may cause the error. Each is read again, independently of the others.
      const alone = keys.map((_, key) =>
        this.#readAlone(
          loader,
          questions.filter((_, i) => keyOf[i] === key),
        ),
      );
      return keyOf.map(key => alone[key]);
    }
  }

  /** The result of the questions for one key. */
  async #readAlone(loader: AnyLoader, questions: readonly Question[]): Promise<unknown> {
    const [value] = await this.#read(loader, questions);
    return orThrow(value);
  }
}

function distinct(questions: readonly Question[]): { keys: readonly CompanyKey[]; keyOf: readonly number[] } {
  if (questions.length === 1) return { keys: questions, keyOf: [0] };
  const keys: CompanyKey[] = [];
  const known = new Map<string, number>();
  const keyOf = questions.map(question => {
    const identity = identityOf(question);
    const place = known.get(identity) ?? keys.push(question) - 1;
    known.set(identity, place);
    return place;
  });
  return { keys, keyOf };
}

function orThrow(answer: unknown): unknown {
  if (answer instanceof Error) throw answer;
  return answer;
}

/** Text that two keys share only where they are equal: each part of a key has one type. */
function identityOf({ companyId, key }: Question): string {
  return key.length === 1 ? `${companyId} ${key[0]}` : JSON.stringify([companyId, ...key]);
}
