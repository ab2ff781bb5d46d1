/** Why there is no status. Codes only: a caller who sets the address must not see what the receiver's network says. */
export type OutboundFailure =
  | 'blocked_address'
  | 'timeout'
  | 'connection_failed'
  | 'tls_failed'
  | 'unresolvable_host'
  | 'protocol_error'
  | 'aborted';

/** An exchange that this service ended itself. */
export class OutboundError extends Error {
  readonly outcome: OutboundFailure;

  constructor(outcome: OutboundFailure) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** Codes of OpenSSL and of Node's TLS (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const TLS =
  /^(?:ERR_SSL|ERR_TLS|EPROTO$|UNABLE_TO_|CERT_|CRL_|ERROR_IN_|DEPTH_ZERO|SELF_SIGNED|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|HOSTNAME_|UNSPECIFIED)/;
/** Errors of sockets: the system's own, and undici's for a socket that closed. */
const SOCKET = /^(?:E(?!RR_)[A-Z]+|UND_ERR_(?:SOCKET|CLOSED|DESTROYED|INFO))$/;

/** The outcome for an error of undici, a socket, TLS or this service. */
export function outcomeOf(error: NodeJS.ErrnoException): OutboundFailure {
  if (error instanceof OutboundError) return error.outcome;
  const { code = '', message } = error;
  if (TLS.test(code)) return 'tls_failed';
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return 'timeout';
  // undici's error for unsolicited interim responses: 100 and 101.
  if (code === 'UND_ERR_SOCKET' && message.startsWith('bad ')) return 'protocol_error';
  return SOCKET.test(code) ? 'connection_failed' : 'protocol_error';
}
