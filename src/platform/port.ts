/**
 * A function that one module calls and another one provides, where the first may not import the second. It is provided
 * once for the process, before anything calls it.
 */
export class Port<Arguments extends readonly unknown[], Result> {
  readonly #name: string;
  #provided: ((...args: Arguments) => Result) | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Sets the function. A second call replaces that of the first. */
  provide(provided: (...args: Arguments) => Result): void {
    this.#provided = provided;
  }

  /** @throws Error if the function was not provided */
  call(...args: Arguments): Result {
    if (!this.#provided) throw new Error(`"${this.#name}" is not provided: connectDomains() was not called`);
    return this.#provided(...args);
  }
}
