import type { Attacker } from '../support/attacker.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Service } from '../support/service.ts';
import type { SecurityWorld } from '../support/world.ts';

/** What an abuse has at hand: a company of its own with a key of all scopes, and a receiver of webhooks. */
export interface Arena {
  readonly world: SecurityWorld;
  readonly service: Service;
  readonly attacker: Attacker;
  readonly receiver: Receiver;
  /** How long an abuse goes on that has no end of its own. */
  readonly attackMs: number;
  readonly isLong: boolean;
}

/** What an abuse itself found, beside what is measured of the service and of the others. */
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
