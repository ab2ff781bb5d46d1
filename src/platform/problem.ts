import { FAULTS, Fault, type FaultCode, pointer } from './fault.ts';

/** The public members of a fault: RFC 9457 members for REST, `extensions` for GraphQL. */
interface FaultReport {
  readonly code: FaultCode;
  readonly status: number;
  readonly requestId: string;
  readonly [member: string]: unknown;
}

/** Any thrown value as a fault; an unexpected value becomes `internal_error`, with the original as its cause. */
export function asFault(thrown: unknown): Fault {
  return thrown instanceof Fault ? thrown : new Fault('internal_error', { cause: thrown });
}

export function faultReport(fault: Fault, requestId: string): FaultReport {
  const { members, issues } = fault.options;
  return {
    code: fault.code,
    status: fault.status,
    requestId,
    ...members,
    ...(issues && {
      errors: issues.map(issue => ({ pointer: pointer(issue.path), code: issue.code, message: issue.message })),
    }),
  };
}

/** The public sentence of a fault: its own detail, or the text of its code. */
export function faultDetail(fault: Fault): string {
  return fault.options.detail ?? FAULTS[fault.code].help;
}

/**
 * Why a fault happened, for the log: first line, code and stack of its innermost cause. The full message is left out,
 * because MikroORM appends the row that PostgreSQL rejected, which holds recipients and addresses.
 */
export function reasonOf(fault: Fault): { reason: string; errorCode?: string; stack: string } {
  let cause = (fault.options.cause ?? fault) as Error & { code?: string };
  while (cause.cause instanceof Error) cause = cause.cause as typeof cause;
  const [reason = ''] = cause.message.split('\n', 1);
  const places = (cause.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return { reason, errorCode: cause.code, stack: places.join('\n') };
}
