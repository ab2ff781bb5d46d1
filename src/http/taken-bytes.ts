import type { Socket } from 'node:net';

/** Undeclared behaviour of Node: a socket's handle knows how much of its writes the operating system has not taken yet. */
interface Internals {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/**
 * The bytes of a connection that the operating system has taken so far, which shows whether its other side reads.
 * `bytesWritten` alone counts a write as a whole when it begins: it would stand still while a large response is read.
 */
export function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Internals;
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}
