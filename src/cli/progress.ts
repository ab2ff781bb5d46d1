/** How far a long command is, for whoever watches; on standard error, so that standard output stays one value. */
export function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}`);
}

/** Ends the line, so that what is said next has one of its own. */
export function progressEnded(): void {
  if (process.stderr.isTTY) process.stderr.write('\n');
}
