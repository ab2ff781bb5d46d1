import type { StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import type { Asked, Followed, Open } from '../support/carriers.ts';
import { DAY } from '../support/time.ts';
import type { Scan } from './carrier-answers.ts';

// A journey of a shipment: what its carrier answers, poll by poll, and what must come of it.

export interface Journey {
  /** The end of the sentence "a shipment that …". */
  readonly that: string;
  readonly carrier: Asked | Followed | Open;
  readonly number: string;
  /** The answer of each poll; the last one is repeated. */
  readonly polls: readonly (string | Buffer)[];
  readonly coding?: 'gzip';
  /** The timeline at the end, oldest first; `status` or `status time`. */
  readonly timeline: readonly string[];
  /** The status of the record at the end. If it is left out, it is the last one of the timeline. */
  readonly status?: StatusCode;
  readonly deliveredDate: string | null;
  /** The webhooks in the order of their arrival: `type status`, of the types `tracking.*`. */
  readonly webhooks: readonly string[];
  /** Whether the carrier is still asked after the last of the answers. */
  readonly isAskedOn: boolean;
}

/** The day `n` days before today, as carriers' local days. */
export const ago = (n: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' }).format(Date.now() - n * DAY);

/** An answer after each of some scans, counted: `[1, 3]` is one after the first and one after the third. */
export const after = (counts: readonly number[], scans: readonly Scan[], answer: (scans: readonly Scan[]) => string) =>
  counts.map(count => answer(scans.slice(0, count)));
