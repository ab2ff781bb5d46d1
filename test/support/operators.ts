import { createHash } from 'node:crypto';

/** Users of the pages for operators, with the setting that lists them. */

const hashOf = (password: string) => createHash('sha256').update(password).digest('hex');

/** The setting OPS_USERS for users with these passwords, by their names. */
export const operators = (passwords: Readonly<Record<string, string>>) =>
  Object.entries(passwords)
    .map(([name, password]) => `${name}:${hashOf(password)}`)
    .join('\n');

/** The header of a user by the Basic scheme. */
export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
