/**
 * A function that one module calls and another one provides, because the first may not import the second. It is
 * provided once per process, before the first call.
 */
export class Port<Arguments extends readonly unknown[], Result> {
  readonly #name: string;
  #provided: ((...args: Arguments) => Result) | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Sets the function. A second call replaces it. */
  provide(provided: (...args: Arguments) => Result): void {
    this.#provided = provided;
  }

  /** @throws Error if the function was not provided */
  call(...args: Arguments): Result {
    if (!this.#provided) throw new Error(`"${this.#name}" is not provided: connectFeatures() was not called`);
    return this.#provided(...args);
  }
}
