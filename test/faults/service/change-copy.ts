import { PollReader } from '../change-readers.ts';
import { query, timeOf } from '../fault-tools.ts';
import type { Company } from './company.ts';

/** A consumer that keeps a copy of the company's shipments by its change log, while releases are replaced. */
export class ChangeCopy {
  readonly #reader: PollReader;
  readonly #companyId: string;
  #since: Date | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(urls: readonly string[], { apiKey, companyId }: Company) {
    this.#reader = new PollReader('copy', { urls, apiKey });
    this.#companyId = companyId;
  }

  /** Begins to read. */
  async begin(databaseUrl: string): Promise<void> {
    this.#since = await timeOf(databaseUrl);
    this.#reading = this.#reader.run();
    // The comparison reports it.
    this.#reading.catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#reader.stop();
    await this.#reading;
  }

  /** While the load rests: returns which events have no change, and what the consumer lacks, has twice or out of order. */
  async compare(databaseUrl: string): Promise<readonly string[]> {
    if (this.#since === undefined) return [];
    const unrecorded = await query<{ id: string }>(
      databaseUrl,
      `select e.id::text from tracking_event e where e.company_id = $1 and e.recorded_at > $2 and not exists (
          select from tracking_change c where c.company_id = e.company_id and c.event_id = e.id)`,
      [this.#companyId, this.#since],
    );
    const recorded = await query<{ number: number }>(
      databaseUrl,
      'select number::integer as number from tracking_change where company_id = $1 and number >= $2 order by number',
      [this.#companyId, this.#reader.numbers[0] ?? 0],
    );
    await this.#reader.upTo(recorded.at(-1)?.number ?? 0);
    const [had, wanted] = [this.#reader.numbers, recorded.map(({ number }) => number)];
    const differs = wanted.findIndex((number, i) => number !== had[i]);
    return [
      ...unrecorded.slice(0, 5).map(({ id }) => `event ${id} has no change`),
      ...(wanted.length === 0 ? ['no change was recorded'] : []),
      ...(differs >= 0 ? [`change ${wanted[differs]} came as ${had[differs] ?? 'nothing'} to the consumer`] : []),
      ...(had.length > wanted.length ? [`${had.length - wanted.length} changes came without being recorded`] : []),
    ];
  }
}
