/** Counts the checks, and keeps the failures. */
export class Cases {
  count = 0;
  /** Failures of one kind each: how they read, how many there are, and the first. */
  readonly #kinds = new Map<string, { failure: string; first: string; times: number }>();

  /** Every kind of failure, with its first case. */
  get failures(): string[] {
    return [...this.#kinds.values()].map(
      ({ failure, first, times }) => `${failure}${times > 1 ? ` (${times} times)` : ''}: ${first}`,
    );
  }

  get failed(): number {
    return [...this.#kinds.values()].reduce((sum, { times }) => sum + times, 0);
  }

  check(what: string, isRight: boolean, got: () => unknown): void {
    this.count++;
    if (isRight) return;
    const failure = String(JSON.stringify(got())).slice(0, 500);
    // The name of the request or the thing does not make another kind of failure.
    const kind = failure.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '…').slice(0, 120);
    const known = this.#kinds.get(kind) ?? { failure, first: what.slice(0, 700), times: 0 };
    known.times++;
    this.#kinds.set(kind, known);
  }
}
