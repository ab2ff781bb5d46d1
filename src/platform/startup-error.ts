/** The process cannot start for a reason that its operator can act on. The message is printed without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** The text of a failed start for an operator: one sentence, or an unexpected error with its stack. */
export function startFailure(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return `The service could not start: ${(error as Error)?.stack ?? error}`;
}
