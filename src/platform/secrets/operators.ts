import { createHash, randomBytes } from 'node:crypto';
import { secretsEqual } from './secrets-equal.ts';

/**
 * The users of the pages for operators. A setting has their names and hashes of their passwords, so that a reader of the
 * setting cannot log in. Passwords are made here, of 160 random bits. Such a password cannot be guessed from its hash, so
 * a fast hash is enough, as for API keys.
 */

/** The hashes of passwords by the names of their users. */
export type Operators = ReadonlyMap<string, string>;

const NAME = /^[A-Za-z0-9._-]{1,40}$/;
const HASH = /^[0-9a-f]{64}$/;

export const isOperatorName = (name: string) => NAME.test(name);

const hashOf = (password: string) => createHash('sha256').update(password).digest('hex');

/** A new user: the password, the entry for the setting, and a set of users with this one alone. */
export function newOperator(name: string) {
  const password = randomBytes(20).toString('base64url');
  const hash = hashOf(password);
  return { password, entry: `${name}:${hash}`, operators: new Map([[name, hash]]) as Operators };
}

/** Users from entries that commas, blanks or line breaks separate; undefined if one is wrong or a name is there twice. */
export function readOperators(text: string): Operators | undefined {
  const operators = new Map<string, string>();
  for (const entry of text.split(/[\s,]+/).filter(one => one !== '')) {
    const [name = '', hash = '', ...more] = entry.split(':');
    if (!NAME.test(name) || !HASH.test(hash) || more.length > 0 || operators.has(name)) return undefined;
    operators.set(name, hash);
  }
  return operators.size > 0 ? operators : undefined;
}

/** The user whose name and password an `Authorization` header has, by the Basic scheme. */
export function operatorOf(authorization: string | undefined, operators: Operators): string | undefined {
  const [, given = ''] = /^Basic +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(given, 'base64').toString()) ?? [];
  return secretsEqual(hashOf(password), operators.get(name) ?? '') ? name : undefined;
}

/** The request for a name and a password that browsers understand. */
export const OPERATOR_CHALLENGE = 'Basic realm="Operations", charset="UTF-8"';
