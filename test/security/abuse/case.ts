import type { Attacker } from '../support/attacker.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Service } from '../support/service.ts';
import type { SecurityWorld } from '../support/world.ts';

/** The tools of an abuse: a company of its own with a key of all scopes, and a receiver of webhooks. */
export interface Arena {
  readonly world: SecurityWorld;
  readonly service: Service;
  readonly attacker: Attacker;
  readonly receiver: Receiver;
  /** How long an abuse without an end of its own lasts. */
  readonly attackMs: number;
  readonly isLong: boolean;
}

/** The findings of an abuse, beside the measurements of the service and of other companies. */
export interface Outcome {
  readonly figures: string;
  readonly failures: readonly string[];
}

/** Carries out an abuse, and resolves once its last request is answered. */
// biome-ignore lint/suspicious/noConfusingVoidType: most abuses have nothing to say beside what is measured
export type Attack = () => Promise<Outcome | void>;

/** One way to abuse the service with a valid key. */
export interface Abuse {
  readonly name: string;
  /** Fills the company; none of it is measured. */
  prepare(arena: Arena): Promise<Attack>;
}
