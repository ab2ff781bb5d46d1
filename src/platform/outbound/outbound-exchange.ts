import type { Dispatcher } from 'undici';
import { OutboundError, type OutboundFailure, outcomeOf } from './outbound-failure.ts';

const MAX_INTERIM = 10;

export interface Answer {
  readonly outcome: 'answered';
  readonly status: number;
  /** The header as received: seconds, a date, or neither. */
  readonly retryAfter: string | null;
  /** All headers by their names in lower case, as undici has them. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** The kept part of the body. */
  readonly bytes: Buffer;
  /** Whether `bytes` is the whole body. */
  readonly isWhole: boolean;
}

type Head = Pick<Answer, 'status' | 'retryAfter' | 'headers'>;

interface BodyLimits {
  /** Bytes that are read before the connection is dropped. */
  readonly maxResponseBytes: number;
  readonly keptResponseBytes: number;
}

export type Ending = Answer | { readonly outcome: OutboundFailure };

/** One request and its response, as undici reports it. It ends once: by response, error, timeout or abort. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly ended: Promise<Ending>;
  isOver = false;
  /** Whether the response was read to its end, so that the connection can be used again. */
  isComplete = false;
  readonly #end: (ending: Ending) => void;
  readonly #limits: BodyLimits;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #interim = 0;
  #head: Head | undefined;

  constructor(limits: BodyLimits) {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
    this.#limits = limits;
  }

  /** Ends the exchange with a failure, unless the status is known: an accepted request must not be sent again. */
  fail(outcome: OutboundFailure): void {
    this.isOver = true;
    if (this.#head) this.#end(this.#answer(this.#head));
    else this.#end({ outcome });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) controller.abort(new OutboundError('aborted'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    // A few interim responses may come before the final one.
    if (status < 200) {
      if (++this.#interim <= MAX_INTERIM) return;
      controller.pause();
      this.fail('protocol_error');
      return;
    }
    const [retryAfter] = [headers['retry-after']].flat();
    this.#head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < this.#limits.keptResponseBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#limits.maxResponseBytes) return;
    // undici cannot handle `abort` while it parses; the connection is dropped when the exchange is over.
    controller.pause();
    this.fail('protocol_error');
  }

  onResponseEnd(): void {
    this.isComplete = !this.isOver;
    this.fail('protocol_error');
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(outcomeOf(error));
  }

  #answer(head: Head): Answer {
    const bytes = Buffer.concat(this.#chunks).subarray(0, this.#limits.keptResponseBytes);
    return { outcome: 'answered', ...head, bytes, isWhole: this.isComplete && bytes.length === this.#bytes };
  }
}

/** The start of a body as UTF-8, without U+0000 (which PostgreSQL can't store). */
export function textOfStart({ bytes, isWhole }: Answer): string {
  // Decoded as part of a stream if there is more, so that a character that is cut in two is left out.
  return new TextDecoder().decode(bytes, { stream: !isWhole }).replaceAll('\0', '');
}
