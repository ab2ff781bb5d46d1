import type { Arena } from './arena.ts';
import type { Trouble } from './observations.ts';

/** One way in which something breaks, under load. */
export interface Scenario {
  readonly name: string;
  /** Allowed failures of callers meanwhile, besides late responses. Any other counts as a failure of the scenario. */
  readonly allows: readonly Trouble[];
  /** Why this machine cannot do it; undefined where it can. */
  readonly impossible?: (arena: Arena) => string | undefined;
  /** Done before the load is watched. */
  readonly prepare?: (arena: Arena) => Promise<void>;
  /** Breaks it, and returns once it is no longer broken. */
  readonly inflict: (arena: Arena) => Promise<Inflicted>;
  /** Errors that remain although all callers are served again. */
  readonly check?: (arena: Arena) => Promise<readonly string[]>;
  /** Undoes what `prepare` did, once all is well again. */
  readonly tidy?: (arena: Arena) => Promise<void>;
}

export interface Inflicted {
  /** Processes that were killed with SIGKILL, PostgreSQL among them. */
  readonly kills: number;
  /** Errors that the load does not see. */
  readonly failures?: readonly string[];
}
