import type { Context } from 'koa';
import { FAULTS, type Fault, type FaultCode } from '../platform/fault.ts';
import { faultDetail, faultReport } from '../platform/problem.ts';
import type { RequestState } from './request-state.ts';

/** A fault as a problem (RFC 9457). `instance` is the path of the request. */
export function problemBody(fault: Fault, requestId: string, instance: string, publicUrl: string) {
  return {
    type: `${publicUrl}/problems/${fault.code}`,
    title: FAULTS[fault.code].title,
    detail: faultDetail(fault),
    instance,
    ...faultReport(fault, requestId),
  };
}

/** Sends a fault as `application/problem+json`. */
export function sendProblem(ctx: Context, fault: Fault, publicUrl: string): void {
  const { requestId } = ctx.state as RequestState;
  ctx.status = fault.status;
  for (const [name, value] of Object.entries(fault.options.headers ?? {})) ctx.set(name, value);
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify(problemBody(fault, requestId, pathOf(ctx) ?? '/', publicUrl));
}

/** The path of a request; undefined if its target has none, for which Koa's own `ctx.path` throws or is null. */
export function pathOf(ctx: Context): string | undefined {
  try {
    return (ctx.path as string | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}
