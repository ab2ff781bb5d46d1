/** A position in a company's change log: after the change with this number. */
export interface ChangeCursor {
  /**
   * Identifies the log; any log if it is undefined. After a restore from a backup, a database assigns numbers again
   * that consumers have seen for other changes.
   */
  readonly epoch?: number | undefined;
  readonly number: number;
}

/** The cursor as an opaque text for consumers. */
export function cursorText({ epoch = 0, number }: ChangeCursor): string {
  return Buffer.from(`change:${epoch}:${number}`).toString('base64url');
}

export function cursorIn(text: string): ChangeCursor | undefined {
  const [, epoch, number] = /^change:(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return number === undefined ? undefined : { epoch: Number(epoch), number: Number(number) };
}
