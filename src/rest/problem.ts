import type { Context } from 'koa';
import { FAULTS, type Fault, type FaultCode } from '../platform/fault.ts';
import { faultDetail, faultReport } from '../platform/problem.ts';
import type { RequestState } from './handler.ts';

/** Answers with a fault as `application/problem+json` (RFC 9457). */
export function sendProblem(ctx: Context, fault: Fault, publicUrl: string): void {
  const { requestId } = ctx.state as RequestState;
  ctx.status = fault.status;
  for (const [name, value] of Object.entries(fault.options.headers ?? {})) ctx.set(name, value);
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify({
    type: `${publicUrl}/problems/${fault.code}`,
    title: FAULTS[fault.code].title,
    detail: faultDetail(fault),
    instance: ctx.path,
    ...faultReport(fault, requestId),
  });
}

export function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}
