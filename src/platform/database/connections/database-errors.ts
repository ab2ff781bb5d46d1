import { Fault, invalid } from '../../fault.ts';
import { saysLost } from '../internals/pg-internals.ts';

/** The last error in a chain of causes with a code of PostgreSQL or Node, which a fault's code is not. */
function inner(error: unknown): { code?: string; severity?: string; message?: string } {
  if (error instanceof Fault) return error.cause === undefined ? {} : inner(error.cause);
  const candidate = error as { code?: string; cause?: unknown; message?: string };
  return candidate?.code === undefined && candidate?.cause !== undefined ? inner(candidate.cause) : (candidate ?? {});
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/**
 * PostgreSQL's own codes: 08 connection, 53 resources, 57P0x shutdown and start, 57014 a statement cancelled by its
 * timeout, 40 a deadlock or a conflict of transactions, after which the request may be sent again.
 */
const AWAY = /^(08|40001|40P01|53|57P0|57014)/;

/** The disk of the server is full: reads still work. */
const DISK_FULL = '53100';

/** Whether the server can't be reached or is going away. */
export function isAway(error: unknown): boolean {
  const { code, message, severity } = inner(error);
  // A server that accepts no connections reports FATAL, whatever its reason.
  if (severity === 'FATAL') return true;
  return code === undefined ? saysLost(message) : NETWORK_CODES.has(code) || AWAY.test(code);
}

/** Whether the statement itself failed, and not its connection. */
export function isOfStatement(error: unknown): boolean {
  const { code = '', severity } = inner(error);
  return severity !== 'FATAL' && /^(?!08|53|57P0)[0-9A-Z]{5}$/.test(code) && !NETWORK_CODES.has(code);
}

/** Whether the server takes no changes: a standby, or one that was set so. */
export function isReadOnly(error: unknown): boolean {
  return inner(error).code === '25006';
}

/**
 * The error of a failed statement for callers: `unavailable` if the server cannot be reached, is shutting down, has no
 * room or accepts no changes, or a lock was not free within the `lock_timeout` of the role; `validation_failed` for
 * text that PostgreSQL cannot store, and otherwise the error itself, which becomes `internal_error`.
 */
export function databaseFault(error: unknown): unknown {
  if (error instanceof Fault) return error;
  if (inner(error).code === DISK_FULL) return unavailable('The database has no room for changes.', error);
  if (isAway(error)) return unavailable('The service cannot reach its database.', error);
  if (isReadOnly(error)) return unavailable('The database is read-only at the moment.', error);
  if (isLockFailure(error)) return unavailable('What the request needs is being changed by another one.', error);
  const { code } = inner(error);
  if (code === '22021' || code === '22P05') {
    const message = 'has a text with the character U+0000, which cannot be stored';
    return invalid([{ path: [], code: 'invalid_text', message }], undefined, error);
  }
  return error;
}

function unavailable(detail: string, cause: unknown): Fault {
  return new Fault('unavailable', { detail, headers: { 'retry-after': '2' }, cause });
}

/** Node's codes for a certificate that no trusted authority has issued, or that has expired. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Why a first connection failed, in words without host, user or password of the address. */
export function connectionReason(error: unknown): string {
  const { code, message } = inner(error);
  if (code === 'ECONNREFUSED') return 'nothing listens at the address of DATABASE_URL';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name in DATABASE_URL is unknown';
  if (code === '28000' && /no encryption/.test(message ?? '')) {
    return 'it accepts encrypted connections only: add sslmode=verify-full, or another sslmode, to DATABASE_URL';
  }
  if (code === '28P01' || code === '28000') return 'it rejects the user or the password in DATABASE_URL';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'its certificate is for another host name than that in DATABASE_URL';
  if (UNTRUSTED.has(code ?? '')) {
    return `its certificate is not trusted (${code}): name the file of its authority in DATABASE_URL, by sslrootcert`;
  }
  if (/does not support SSL/.test(message ?? ''))
    return 'it does not offer TLS, which the sslmode in DATABASE_URL asks for';
  if (code === '3D000') return 'the database named in DATABASE_URL does not exist';
  return message ?? 'unknown reason';
}

/** A lock that was not free in time, or a deadlock. */
export function isLockFailure(error: unknown): boolean {
  return ['55P03', '40P01'].includes(inner(error).code ?? '');
}

/** The error of a statement after another one failed in its transaction. */
export function isOfAborted(error: unknown): boolean {
  return inner(error).code === '25P02';
}

/** A statement that exceeded its `statement_timeout`, or that an operator cancelled. */
export function isTimeout(error: unknown): boolean {
  return inner(error).code === '57014';
}
