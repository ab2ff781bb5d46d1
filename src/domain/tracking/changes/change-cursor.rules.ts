/** A place in a company's change log: behind the change with this number. */
export interface ChangeCursor {
  /**
   * Which log the number is of; any where it is undefined. The log of a database that was restored from a backup gives
   * numbers again that a consumer has seen already, of other changes.
   */
  readonly epoch?: number | undefined;
  readonly number: number;
}

/** As consumers keep it; to them it is any text. */
export function cursorText({ epoch = 0, number }: ChangeCursor): string {
  return Buffer.from(`change:${epoch}:${number}`).toString('base64url');
}

/** Undefined for a text that is no cursor. */
export function cursorIn(text: string): ChangeCursor | undefined {
  const [, epoch, number] = /^change:(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return number === undefined ? undefined : { epoch: Number(epoch), number: Number(number) };
}
