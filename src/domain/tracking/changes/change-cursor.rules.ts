/** Cursors of the change log: the number of the last change that their holder has. */

export const cursorOf = (number: number) => Buffer.from(`change:${number}`).toString('base64url');

/** Undefined where it is no cursor of the change log. */
export function numberOfCursor(cursor: string): number | undefined {
  const [, number] = /^change:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return number === undefined ? undefined : Number(number);
}
