/**
 * Failures that a caller can meet during a fault: 503 with `Retry-After`, a connection that is refused or ends, and a
 * response that comes late.
 */
export type Trouble = 'unavailable' | 'disconnected' | 'late';

/**
 * Failures that no caller may meet: a 500, a 503 without `Retry-After`, or another answer than the request deserves.
 */
export type Wrong = 'internal' | 'bare' | 'unexpected';

/** Messages of one kind that are kept; one cause has many. */
const KEPT = 5;
/** A response is late after this, or after so many times the slowest while nothing was broken. */
const LATE_MS = 5_000;
const LATE_TIMES = 10;

/** Failures of callers since the last `begin`. */
export class Observations {
  requests = 0;
  readonly troubles: Record<Trouble, number> = { unavailable: 0, disconnected: 0, late: 0 };
  readonly wrongs: Record<Wrong, number> = { internal: 0, bare: 0, unexpected: 0 };
  messages: string[] = [];
  /** When the last trouble was over, by `performance.now()`; 0 where there was none. */
  lastTroubleAt = 0;
  lastTrouble = '';
  slowestMs = 0;
  #lateMs = LATE_MS;

  /** Forgets everything but how slow responses are. */
  begin(): void {
    Object.assign(this.troubles, { unavailable: 0, disconnected: 0, late: 0 });
    Object.assign(this.wrongs, { internal: 0, bare: 0, unexpected: 0 });
    [this.requests, this.lastTroubleAt, this.lastTrouble, this.slowestMs, this.messages] = [0, 0, '', 0, []];
  }

  /** Takes the measurements since `begin` as usual on this machine. */
  isUsual(): void {
    this.#lateMs = Math.max(LATE_MS, LATE_TIMES * this.slowestMs);
  }

  done(name: string, milliseconds: number): void {
    this.requests++;
    this.slowestMs = Math.max(this.slowestMs, milliseconds);
    if (milliseconds > this.#lateMs) this.trouble('late', name);
  }

  /** @param name of the call */
  trouble(kind: Trouble, name: string): void {
    this.troubles[kind]++;
    this.lastTroubleAt = performance.now();
    this.lastTrouble = `${name} was ${kind}`;
  }

  wrong(kind: Wrong, message: string): void {
    if (this.wrongs[kind]++ < KEPT) this.messages.push(message);
    this.lastTroubleAt = performance.now();
    this.lastTrouble = message;
  }
}
