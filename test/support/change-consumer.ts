/** The cursor before the first change of a new company. */
export const LOG_START = Buffer.from('change:0:0').toString('base64url');
