/** The process cannot start for a reason its operator can act on. The message is the one sentence to print; no stack is needed. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** What an operator reads of a start that failed: one sentence, or what no one thought of with its stack. */
export function startFailure(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return `The service could not start: ${(error as Error)?.stack ?? error}`;
}
