/** The process cannot start for a reason its operator can act on. The message is the one sentence to print; no stack is needed. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
