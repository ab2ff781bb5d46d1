/** Counts what was checked, and keeps what was wrong. */
export class Cases {
  count = 0;
  readonly failures: string[] = [];

  check(what: string, isRight: boolean, got: () => unknown): void {
    this.count++;
    if (!isRight) this.failures.push(`${what}: ${JSON.stringify(got())?.slice(0, 400)}`);
  }
}
