import type { Ready } from '../service.ts';

// The messages between a primary process and its children.

export type FromChild =
  | { readonly type: 'ready'; readonly ready: Ready }
  /** Sent before its end by a process that cannot start. */
  | { readonly type: 'failed'; readonly failure: string }
  /** Asks for the metrics of all processes, which `metrics` returns. */
  | { readonly type: 'scrape' };

/** Without a text if the metrics are not available. */
export interface ToChild {
  readonly type: 'metrics';
  readonly text?: string | undefined;
}
