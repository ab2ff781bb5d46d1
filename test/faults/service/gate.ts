/** A gate at which callers wait while it is closed. */
export class Gate {
  #opened: PromiseWithResolvers<void> | undefined;

  close(): void {
    this.#opened ??= Promise.withResolvers();
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  async passed(): Promise<void> {
    while (this.#opened) await this.#opened.promise;
  }
}
