import { secretsEqual } from './secrets-equal.ts';

/** Whether an `Authorization` header has a user and password, by the Basic scheme. */
export function isPassword(authorization: string | undefined, user: string, password: string): boolean {
  const [, given = ''] = /^Basic +(\S+) *$/i.exec(authorization ?? '') ?? [];
  return secretsEqual(Buffer.from(given, 'base64').toString(), `${user}:${password}`);
}
