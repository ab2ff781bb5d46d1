/** The addresses of a service that is ready. */
export interface Ready {
  /** The listening address: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The demo's start page. Undefined without a demo, for workers, and for a service that was stopped before. */
  readonly page?: string | undefined;
}

/** A starting service over an open database: in one process, or in several. */
export interface Service {
  /** Undefined if it was stopped before. Rejects with a StartupError, or with any other error of the start. */
  readonly ready: Promise<Ready | undefined>;
  /** Finishes the work in progress and closes the database, at any time; a start in progress is awaited for a moment. */
  stop(): Promise<void>;
}
