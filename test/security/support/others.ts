import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Experience, Request, Target } from './others-process.ts';

/** The other company of the abuses: what it experiences while a service is attacked. */
export class Others {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(new URL('./others-process.ts', import.meta.url));
  }

  async during<Result>(target: Target, work: () => Promise<Result>): Promise<[Experience, Result]> {
    await this.#ask({ begin: target });
    try {
      const result = await work();
      return [await this.#ask<Experience>({ end: true }), result];
    } catch (error) {
      await this.#ask({ end: true });
      throw error;
    }
  }

  async #ask<Answer>(request: Request): Promise<Answer> {
    const answered = once(this.#child, 'message');
    this.#child.send(request);
    const [answer] = await answered;
    return answer as Answer;
  }

  stop(): void {
    this.#child.disconnect();
  }
}
