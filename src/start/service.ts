/** What a service says once it is ready. */
export interface Ready {
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The demo's start page. Undefined without a demo, for workers, and for a service that was asked to stop before. */
  readonly page?: string | undefined;
}

/** The service that has been asked to start, over a database that is there: in one process, or in several. */
export interface Service {
  /** Undefined where it was asked to stop before. Rejects with a StartupError, or with what else went wrong. */
  readonly ready: Promise<Ready | undefined>;
  /** Finishes what is under way and lets go of the database, at any time; the second half of a start is waited for. */
  stop(): Promise<void>;
}
